import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { HoldpointError } from "@holdpoint/core";
import { messageOf } from "../../error-message.ts";

/**
 * Opens a database file to read, also beside whoever writes it. Throws `database_refused` where there is none.
 * Without a log beside it nobody has it open, and nothing is made to read it, as in a folder that is read only.
 */
export function openReadOnly(path: string): DatabaseSync {
  if (!existsSync(path))
    throw new HoldpointError("database_refused", `There is no database at ${path}.`);
  const url = pathToFileURL(path);
  if (!existsSync(`${path}-wal`)) url.searchParams.set("immutable", "1");
  try {
    const database = new DatabaseSync(url, { readOnly: true, timeout: 5000 });
    database.prepare("SELECT count(*) FROM sqlite_schema").get();
    return database;
  } catch (cause) {
    const why = messageOf(cause);
    throw new HoldpointError(
      "database_refused",
      `The database ${path} could not be opened to read (${why}).`,
      { cause },
    );
  }
}
