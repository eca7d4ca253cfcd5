import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { HoldpointError, refusalOf } from "@holdpoint/core";
import { refuseNetworkDisk } from "./local-disk.ts";
import { messageOf } from "../../error-message.ts";

/** The oldest SQLite without the WAL-reset bug that loses committed transactions. */
const oldestSafeVersion = [3, 51, 3] as const;

/** A log that has grown gives the disk back what is above this, in bytes, when it begins anew. */
const logAtMost = 16 * 1024 * 1024;

/** How long a connection waits while another process writes, in milliseconds. */
const patience = 5000;

/** Settings that the promises rest on: each is set and read back. */
const settings = [
  ["busy_timeout", String(patience), patience],
  ["journal_mode", "WAL", "wal"],
  ["synchronous", "FULL", 2],
  ["foreign_keys", "ON", 1],
  ["trusted_schema", "OFF", 0],
  ["cell_size_check", "ON", 1],
  ["temp_store", "MEMORY", 2], // what a savepoint remembers is no file
  ["cache_size", "-16384", -16384],
  ["journal_size_limit", String(logAtMost), logAtMost],
] as const;

/** Opens one connection with the safe settings, or throws `database_refused` with the way out. */
export function connect(path: string): DatabaseSync {
  const database = openFile(path);
  try {
    refuseOldVersion(database);
    applySettings(database, path);
    return database;
  } catch (cause) {
    database.close();
    throw refusalOf(cause) === undefined ? notOpened(path, cause) : cause;
  }
}

function openFile(path: string): DatabaseSync {
  try {
    if (path !== ":memory:") {
      mkdirSync(dirname(path), { recursive: true });
      refuseNetworkDisk(dirname(path));
    }
    return new DatabaseSync(path, { timeout: patience });
  } catch (cause) {
    throw refusalOf(cause) === undefined ? notOpened(path, cause) : cause;
  }
}

function applySettings(database: DatabaseSync, path: string): void {
  for (const [name, value, expected] of settings) {
    if (path === ":memory:" && name === "journal_mode") continue;
    set(database, `PRAGMA ${name} = ${value}`);
    const found = Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    if (found !== expected) {
      throw new HoldpointError(
        "database_refused",
        `The database ${path} keeps ${name} at ${String(found)} instead of ${value}; put it on a local disk that SQLite supports fully.`,
      );
    }
  }
}

/** Turning a new file to WAL fails at once while another process does the same, whatever `busy_timeout` says. */
function set(database: DatabaseSync, pragma: string): void {
  const pause = 20;
  for (let waited = 0; ; waited += pause) {
    try {
      return database.exec(pragma);
    } catch (error) {
      const busy = error instanceof Error && "errcode" in error && error.errcode === 5;
      if (!busy || waited >= patience) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pause);
    }
  }
}

/** Says why an SQLite file could not be opened, and what to check. */
export function notOpened(path: string, cause: unknown): HoldpointError {
  const why = messageOf(cause);
  return new HoldpointError(
    "database_refused",
    `The database ${path} could not be opened (${why}); check that it is an SQLite file whose folder can be written.`,
    { cause },
  );
}

function refuseOldVersion(database: DatabaseSync): void {
  const version = String(database.prepare("SELECT sqlite_version() AS version").get()?.version);
  const parts = version.split(".").map(Number);
  const difference = oldestSafeVersion
    .map((need, index) => (parts[index] ?? 0) - need)
    .find((d) => d !== 0);
  if (difference !== undefined && difference < 0) {
    throw new HoldpointError(
      "database_refused",
      `This Node brings SQLite ${version}, which can lose committed data; Holdpoint needs ${oldestSafeVersion.join(".")} or later. Use Node 22.22.3, 24.15 or later.`,
    );
  }
}
