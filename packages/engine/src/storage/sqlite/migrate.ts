import { readdirSync, readFileSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { HoldpointError } from "@holdpoint/core";
import { failpoint } from "../../failpoint.ts";

const folder = new URL("./migrations/", import.meta.url);

/** Brings the schema up to date: each numbered file once, in order, each in a transaction. */
export function migrate(database: DatabaseSync): void {
  const files = readdirSync(folder)
    .filter((name) => name.endsWith(".sql"))
    .toSorted();
  database.exec("BEGIN IMMEDIATE");
  try {
    const applied = Number(database.prepare("PRAGMA user_version").get()?.user_version ?? 0);
    if (applied > files.length) {
      throw new HoldpointError(
        "database_refused",
        `The database was written by a newer Holdpoint (schema ${applied}, this one knows ${files.length}); use that version or a backup.`,
      );
    }
    for (const name of files.slice(applied)) {
      database.exec(readFileSync(new URL(name, folder), "utf8"));
      failpoint("migration.after_file");
    }
    database.exec(`PRAGMA user_version = ${files.length}`);
    database.exec("COMMIT");
  } catch (error) {
    database.exec("ROLLBACK");
    throw error;
  }
}
