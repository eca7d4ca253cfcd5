import { HoldpointError } from "@holdpoint/core";
import { type Clock, systemClock } from "../clock.ts";
import { openSqlite } from "./sqlite/sqlite.ts";
import type { Storage } from "./storage.ts";
import { isPostgres } from "./database-name.ts";

/** Opens the database alone, without taking part in its due work. */
export async function openStorage(database: string, clock?: Clock): Promise<Storage> {
  if (database === ":memory:") return openSqlite(database, clock ?? systemClock);
  if (database.startsWith("file:"))
    return openSqlite(database.slice("file:".length), clock ?? systemClock);
  if (isPostgres(database)) {
    // Who does not use Postgres does not wait for its client to be loaded.
    const { openPostgres } = await import("./postgres/postgres.ts");
    return openPostgres(database, clock);
  }
  throw new HoldpointError(
    "config_invalid",
    `The database "${database.split(":")[0]}:…" is not supported; use "file:path/to/file.db", ":memory:" or "postgres://…".`,
  );
}
