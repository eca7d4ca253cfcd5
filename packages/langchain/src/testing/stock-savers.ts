import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { type Engine, openEngine } from "@holdpoint/engine";
import { onTestFinished } from "vitest";

/** One of LangGraph's savers, and where its tables are. */
export type Stock = { readonly saver: BaseCheckpointSaver; readonly address: string };

/** The path of a database file that does not exist yet. */
export function temporaryFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "import-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, "db.sqlite");
}

/** LangGraph's `SqliteSaver` on a file of its own. */
export function stockSqlite(): Stock {
  const address = temporaryFile();
  const saver = SqliteSaver.fromConnString(address);
  onTestFinished(() => void saver.db.close());
  return { saver, address };
}

/** LangGraph's `PostgresSaver`. */
export async function stockPostgres(address: string): Promise<Stock> {
  const saver = PostgresSaver.fromConnString(address);
  await saver.setup();
  onTestFinished(() => saver.end());
  return { saver, address };
}

/** Opens an engine, and closes it with the test. */
export async function open(database = `file:${temporaryFile()}`): Promise<Engine> {
  const engine = await openEngine({ database });
  onTestFinished(engine.close);
  return engine;
}
