import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { HoldpointError } from "@holdpoint/core";
import { syncFile, syncFolder } from "../synced-files.ts";
import { connect } from "./connect.ts";

/** The first schema whose files say whether they are copies. */
const firstSchema = 7;

/**
 * Writes what the database holds at one moment to a new file, marked as a copy, while others go on writing.
 * The file is whole once it has its name.
 */
export function writeBackup(path: string, file: string): void {
  if (!existsSync(path)) throw refused(`There is no database at ${path}.`);
  if (existsSync(file)) throw refused(`${file} exists already; name a file that does not.`);
  const source = connect(path);
  const unfinished = `${file}.unfinished`;
  try {
    refuseOldSchema(source, path);
    rmSync(unfinished, { force: true });
    source.prepare("VACUUM INTO ?").run(unfinished);
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(unfinished);
  try {
    copy.exec("UPDATE instance SET copied_at = strftime('%Y-%m-%dT%H:%M:%fZ', 'now')");
  } finally {
    copy.close();
  }
  syncFile(unfinished);
  renameSync(unfinished, file);
  syncFolder(dirname(file));
}

/** Throws `database_refused` unless the file is a whole database of ours. */
export function checkBackup(file: string): void {
  if (!existsSync(file)) throw refused(`There is no backup at ${file}.`);
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    refuseOldSchema(database, file);
    const found = database.prepare("PRAGMA integrity_check(1)").get();
    const said = Object.values(found ?? {})[0];
    if (said !== "ok") throw refused(`The backup ${file} is damaged: ${String(said)}.`);
  } finally {
    database.close();
  }
}

/** Puts everything into the one file and throws `database_refused` when somebody else has it open. */
export function foldIn(path: string): void {
  const database = new DatabaseSync(path, { timeout: 1000 });
  try {
    database.exec("PRAGMA journal_mode = DELETE");
  } catch (cause) {
    if (!isBusy(cause)) return; // a damaged file is set aside as it is
    throw refused(`The database ${path} is in use; stop the server before you restore.`, cause);
  } finally {
    database.close();
  }
}

function refuseOldSchema(database: DatabaseSync, path: string): void {
  const schema = Number(database.prepare("PRAGMA user_version").get()?.user_version);
  if (schema < firstSchema)
    throw refused(`${path} has schema ${schema}; start Holdpoint on it once, or on a copy.`);
}

function isBusy(cause: unknown): boolean {
  return cause instanceof Error && "errcode" in cause && cause.errcode === 5;
}

function refused(message: string, cause?: unknown): HoldpointError {
  return new HoldpointError("database_refused", message, { cause });
}
