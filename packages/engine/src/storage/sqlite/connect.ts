import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { HoldpointError } from "@holdpoint/core";

/** The oldest SQLite without the WAL-reset bug that loses committed transactions. */
const oldestSafeVersion = [3, 51, 3] as const;

/** Settings that the promises rest on: each is set and read back. */
const settings = [
  ["journal_mode", "WAL", "wal"],
  ["synchronous", "FULL", 2],
  ["foreign_keys", "ON", 1],
  ["trusted_schema", "OFF", 0],
  ["cell_size_check", "ON", 1],
  ["busy_timeout", "5000", 5000],
] as const;

/** Opens one connection with the safe settings, or throws `database_refused` with the way out. */
export function connect(path: string): DatabaseSync {
  if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
  const database = openFile(path);
  refuseOldVersion(database);
  for (const [name, value, expected] of settings) {
    if (path === ":memory:" && name === "journal_mode") continue;
    database.exec(`PRAGMA ${name} = ${value}`);
    const found = Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    if (found !== expected) {
      throw new HoldpointError(
        "database_refused",
        `The database ${path} keeps ${name} at ${String(found)} instead of ${value}; put it on a local disk that SQLite supports fully.`,
      );
    }
  }
  return database;
}

function openFile(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path);
  } catch (cause) {
    throw new HoldpointError(
      "database_refused",
      `The database ${path} could not be opened; check that its folder exists and can be written.`,
      { cause },
    );
  }
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
