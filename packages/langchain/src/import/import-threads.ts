import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import type { Engine } from "@holdpoint/engine";
import { importThread, type ImportTarget, type ThreadImport } from "./import-thread.ts";
import { type ImportSource, sourceOfSaver, sourceOfStock } from "./import-source.ts";

/** What to move, and where to. */
export type ImportOptions = {
  /** A checkpointer, or the address of a stock one's tables: a file of `SqliteSaver`, or `postgres://…`. */
  readonly from: BaseCheckpointSaver | string;
  readonly engine: Engine;
  /** One thread; all that there are when it is left out. */
  readonly threadId?: string;
  /** The agent that a server runs these threads with: once decided, they go on by themselves. */
  readonly agent?: string;
  /** The schema of the stock tables in Postgres; `public` when it is left out. */
  readonly schema?: string;
};

/** What was moved now; what was there before is counted apart. */
export type ImportReport = {
  readonly threads: number;
  readonly checkpoints: number;
  readonly writes: number;
  /** Reviews that wait for a person now. */
  readonly reviews: number;
  /** Checkpoints that had been moved before. */
  readonly known: number;
  /** Threads that stay where they are, whole, each with one sentence that says why. */
  readonly left: readonly { readonly threadId: string; readonly because: string }[];
};

/**
 * Moves threads from another checkpointer, with their history, pending writes and subgraphs; pending interrupts
 * wait in the inbox afterwards. A thread is moved whole or stays where it is. The source is only read. Called
 * again it adds what is missing, so it may be stopped at any time.
 */
export async function importThreads(options: ImportOptions): Promise<ImportReport> {
  const { from, engine, threadId, agent, schema } = options;
  const source = typeof from === "string" ? await sourceOfStock(from, schema) : sourceOfSaver(from);
  try {
    const threadIds = threadId === undefined ? await source.threads() : [threadId];
    return await importAll(source, { engine, agent }, threadIds);
  } finally {
    await source.close();
  }
}

async function importAll(
  source: ImportSource,
  target: ImportTarget,
  threadIds: readonly string[],
): Promise<ImportReport> {
  const done: ThreadImport[] = [];
  const left: { threadId: string; because: string }[] = [];
  for (const threadId of threadIds) {
    const result = await importThread(source, target, threadId);
    if (result.type === "left") left.push({ threadId, because: result.because });
    else done.push(result.moved);
  }
  const sum = (count: (one: ThreadImport) => number): number =>
    done.reduce((total, one) => total + count(one), 0);
  return {
    threads: done.length,
    checkpoints: sum((one) => one.checkpoints),
    writes: sum((one) => one.writes),
    reviews: sum((one) => one.reviews),
    known: sum((one) => one.known),
    left,
  };
}
