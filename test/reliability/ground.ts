import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Storage } from "@holdpoint/engine";
import { makeFolder } from "../harness/temporary-folder.ts";
import { openStorage } from "../../packages/engine/src/storage/open-storage.ts";

/** A database that was not used before; any that `openEngine` takes will do. */
export type Ground = {
  readonly database: string;
  /** A file outside the database for what the tool does. */
  readonly effects: string;
  /** Resolves when nothing is left of processes that were killed: a server may still be at their last words. */
  readonly quiet: () => Promise<void>;
  /** Opens the database to look at it, in a way that no process that works on it notices. */
  readonly open: () => Promise<Storage>;
  /** What is wrong with the database as such. */
  readonly problems: () => Promise<readonly string[]>;
  readonly remove: () => Promise<void>;
};

/**
 * Memory, where there is such a folder. What a killed process has written stays in the page cache, so a
 * disk would add nothing here but time; losing what was not synced is the power loss harness's business.
 */
const parent = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

/** An SQLite file in a folder of its own. */
export async function freshSqlite(): Promise<Ground> {
  const { path, remove } = await makeFolder("crash", parent);
  return { ...sqliteIn(path), remove };
}

/** The SQLite file in a folder, which is removed with it. */
export function sqliteIn(folder: string): Ground {
  const path = join(folder, "holdpoint.db");
  return {
    database: `file:${path}`,
    effects: join(folder, "effects.jsonl"),
    quiet: async () => undefined,
    open: () => openStorage(`file:${path}`), // anew, so that what a kill left in the log is read as it will be
    problems: async () => integrityOf(path),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function integrityOf(path: string): readonly string[] {
  const database = new DatabaseSync(path, { timeout: 5000 });
  const rows = database.prepare("PRAGMA integrity_check").all();
  const strays = database.prepare("PRAGMA foreign_key_check").all();
  database.close();
  return [
    ...rows.map((row) => String(row["integrity_check"])).filter((found) => found !== "ok"),
    ...strays.map((row) => `a row of ${String(row["table"])} refers to nothing`),
  ];
}
