import { refusalOf } from "@holdpoint/core";

/** One piece of work of a batch, and who waits for it. */
type Waiting<Item, Result> = {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
};

/**
 * Does many things at once: what arrives in the same tick, or while the batch before is at work, goes
 * together. `work` gives one result for each item, in their order, or throws with nothing done; then each
 * item is tried alone, so that one that cannot be done takes no other with it. When the database failed, no
 * item is to blame, and perhaps all was done: everybody is told, and knows best whether to try again.
 */
export function createBatches<Item, Result>(
  atMost: number,
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let busy = false;

  async function drain(): Promise<void> {
    while (waiting.length > 0) await settle(waiting.splice(0, atMost), work);
    busy = false;
  }

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (busy) return;
      busy = true;
      setImmediate(() => void drain());
    });
}

/** Never rejects: whatever happens is told to those who wait. */
async function settle<Item, Result>(
  batch: readonly Waiting<Item, Result>[],
  work: (items: readonly Item[]) => Promise<readonly Result[]>,
): Promise<void> {
  try {
    const results = await work(batch.map(({ item }) => item));
    if (results.length !== batch.length) throw new Error("A batch gives one result for each item.");
    batch.forEach(({ resolve }, index) => resolve(results[index] as Result)); // as many as items
  } catch (error) {
    const isDatabase = refusalOf(error)?.code === "database_unwell";
    if (batch.length > 1 && !isDatabase) for (const one of batch) await settle([one], work);
    else for (const { reject } of batch) reject(error);
  }
}
