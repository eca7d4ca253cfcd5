import type { Engine } from "@holdpoint/engine";
import { checkpointFormat } from "./checkpoint-format.ts";

/** Which history goes. */
export type PruneOptions = {
  readonly engine: Engine;
  /** One thread; all that there are when it is left out. */
  readonly threadId?: string;
  /** So many of the newest checkpoints of each namespace stay; one at least. */
  readonly keepLast?: number;
  /** What is younger than so many milliseconds stays; without it, age does not count. */
  readonly olderThan?: number;
};

/** What was removed. */
export type PruneReport = {
  readonly threads: number;
  readonly checkpoints: number;
  /** Messages, long texts and lists that nothing refers to any more. */
  readonly parts: number;
};

/**
 * Removes history from threads. What can still be resumed stays: the newest checkpoint of each namespace, the
 * end of each branch, what waits for an answer, and what the values of these are rebuilt from. A thread with a
 * run under way is left as it is.
 */
export async function pruneThreads(options: PruneOptions): Promise<PruneReport> {
  const { engine, threadId, keepLast: last, olderThan } = options;
  const since = olderThan === undefined ? undefined : await timeBefore(engine, olderThan);
  const keep = {
    ...(last === undefined ? {} : { last }),
    ...(since === undefined ? {} : { since }),
  };
  const threads = threadId === undefined ? await engine.checkpoints.threads() : [threadId];
  const report = { threads: 0, checkpoints: 0, parts: 0 };
  for (const thread of threads) {
    const { checkpoints, parts } = await engine.checkpoints.prune(thread, keep, checkpointFormat);
    if (checkpoints + parts > 0) report.threads += 1;
    report.checkpoints += checkpoints;
    report.parts += parts;
  }
  return report;
}

async function timeBefore(engine: Engine, milliseconds: number): Promise<string> {
  const now = await engine.storage.read(async (reading) => reading.now);
  return new Date(Date.parse(now) - milliseconds).toISOString();
}
