import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
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

/** Opens an engine, in memory unless a path is given, and closes it with the test. */
export async function openTestEngine(
  path?: string,
  options: Omit<EngineOptions, "database"> = {},
): Promise<Engine> {
  const database = path === undefined ? ":memory:" : `file:${path}`;
  const engine = await openEngine({ ...options, database });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= engine.close());
  onTestFinished(close);
  return { ...engine, close };
}
