import { appendAudit } from "../audit/chain.ts";
import { instanceStream } from "../backup/adopt.ts";
import type { Storage } from "../storage/storage.ts";

/** As many threads as one transaction removes, so that others need not wait for long. */
const threadsAtOnce = 20;

/**
 * Removes what threads hold on which nothing has happened since then and nothing is open: runs, events,
 * checkpoints, reviews with their arguments and decisions. Their audit stays, and says that they were
 * removed. Returns how many threads were removed.
 */
export async function retain(storage: Storage, before: string): Promise<number> {
  for (let removed = 0; ;) {
    const count = await storage.write(async (writing) => {
      const threads = await writing.settledThreads(before, threadsAtOnce);
      const reviews = [];
      for (const threadId of threads) reviews.push(...(await writing.removeThread(threadId)));
      if (threads.length > 0) {
        await appendAudit(writing, instanceStream, {
          type: "threads.removed",
          body: { before, threads: threads.length, reviews },
        });
      }
      return threads.length;
    });
    if (count === 0) return removed;
    removed += count;
  }
}
