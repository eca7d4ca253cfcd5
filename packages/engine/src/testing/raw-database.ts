import { DatabaseSync } from "node:sqlite";
import { onTestFinished, TestRunner } from "vitest";
import { isOnSqlite } from "./temporary-engine.ts";

/**
 * A connection of the test's own: to see what is on disk, and to break it. Where engines are on
 * another database, the test ends here as skipped.
 */
export function openRaw(path: string): DatabaseSync {
  if (!isOnSqlite()) TestRunner.getCurrentTest()?.context.skip("looks into an SQLite file");
  const database = new DatabaseSync(path, { timeout: 5000 });
  onTestFinished(() => {
    if (database.isOpen) database.close();
  });
  return database;
}

/** Every row of every table, to tell whether anything at all has changed. */
export function allRows(database: DatabaseSync): Record<string, unknown[]> {
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all();
  return Object.fromEntries(
    tables.map(({ name }) => [
      String(name),
      database.prepare(`SELECT * FROM "${String(name)}"`).all(),
    ]),
  );
}

/** The number in the first column of the first row. */
export function numberIn(database: DatabaseSync, sql: string, ...values: string[]): number {
  return Number(Object.values(database.prepare(sql).get(...values) ?? {})[0]);
}
