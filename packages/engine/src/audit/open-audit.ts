import { HoldpointError } from "@holdpoint/core";
import { openAuditFile } from "../storage/sqlite/audit-source.ts";
import type { AuditSource } from "./audit-source.ts";
import { isPostgres } from "../storage/database-name.ts";

/**
 * Opens the audit of a database (`file:…` or `postgres://…`) as it is now, also beside running servers;
 * nothing is written there. What a Postgres holds is laid out on this machine's disk first.
 */
export async function openAudit(database: string): Promise<AuditSource> {
  if (database.startsWith("file:")) return openAuditFile(database.slice("file:".length));
  if (isPostgres(database)) {
    const { openPostgresAudit } = await import("../storage/postgres/audit-source.ts");
    return openPostgresAudit(database);
  }
  throw new HoldpointError(
    "config_invalid",
    `"${database.split(":")[0]}:…" cannot be read here; name a database, as file:.holdpoint/holdpoint.db or postgres://….`,
  );
}
