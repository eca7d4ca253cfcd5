import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { newId } from "../ids.ts";
import { type Engine, type EngineOptions, openEngine } from "../engine.ts";

/** A folder that is removed when the test has finished. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-engine-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The path of a database file that does not exist yet. */
export function temporaryFile(): string {
  return join(temporaryFolder(), "holdpoint.db");
}

/** Makes an empty database for one test; `stop` removes it. */
export type NewDatabase = () => Promise<{
  readonly url: string;
  readonly stop: () => Promise<void>;
}>;

let newDatabase: NewDatabase | undefined;
const urls = new Map<string, Promise<string>>();

/** From here on this test file's engines are on databases made so, and no longer in SQLite. */
export function keepEnginesIn(make: NewDatabase): void {
  newDatabase = make;
}

/** True while engines are on SQLite, so that a test may look into their files. */
export function isOnSqlite(): boolean {
  return newDatabase === undefined;
}

/** What `openEngine` is given for a path: each path is one database of its own. */
export function databaseAt(path: string): Promise<string> {
  if (newDatabase === undefined) return Promise.resolve(`file:${path}`);
  const known = urls.get(path) ?? createDatabase(newDatabase);
  urls.set(path, known);
  return known;
}

async function createDatabase(make: NewDatabase): Promise<string> {
  const { url, stop } = await make();
  onTestFinished(stop);
  return url;
}

/** Opens an engine, in memory unless a path is given, and closes it with the test. */
export async function openTestEngine(
  path?: string,
  options: Omit<EngineOptions, "database"> = {},
): Promise<Engine> {
  const isInMemory = path === undefined && isOnSqlite();
  const database = isInMemory ? ":memory:" : await databaseAt(path ?? newId("database"));
  const engine = await openEngine({ ...options, database });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= engine.close());
  onTestFinished(close);
  return { ...engine, close };
}
