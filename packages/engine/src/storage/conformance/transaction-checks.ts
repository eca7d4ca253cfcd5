import assert from "node:assert/strict";
import type { Storage } from "../storage.ts";
import { check, rivals, type StorageCheck } from "./check.ts";
import { aReview, closed, insertThread } from "./samples.ts";

/** What is promised of transactions and their clock. */
export const transactionChecks: readonly StorageCheck[] = [
  check("what throws is taken back whole, and the very error comes through", async (storage) => {
    const [review, open] = [aReview(), aReview()];
    await storage.write((writing) => writing.insertReview(open));
    const error = new Error("changed my mind");
    const broken = storage.write(async (writing) => {
      await writing.insertReview(review);
      await writing.saveReviews([{ review: closed(open, "x"), over: 1 }]);
      throw error;
    });
    await assert.rejects(broken, (thrown) => thrown === error);
    const seen = await storage.read(async (reading) => [
      await reading.findReview(review.id),
      await reading.findReview(open.id),
    ]);
    assert.deepEqual(seen, [undefined, open]);
  }),

  check(
    "a write sees what it has written itself, also when it asks for several things at once",
    async (storage) => {
      const [one, two] = [aReview(), aReview()];
      const seen = await storage.write(async (writing) => {
        await Promise.all([writing.insertReview(one), writing.insertReview(two)]);
        return Promise.all([writing.findReview(one.id), writing.findReview(two.id)]);
      });
      assert.deepEqual(seen, [one, two]);
    },
  ),

  check("writes that begin at once stand or fall each by itself", async (storage) => {
    const reviews = rivals.map(() => aReview());
    const results = await Promise.allSettled(
      reviews.map((review, index) =>
        storage.write(async (writing) => {
          await writing.insertReview(review);
          if (index % 3 === 0) throw new Error("refused");
        }),
      ),
    );
    for (const [index, review] of reviews.entries()) {
      const found = await storage.read((reading) => reading.findReview(review.id));
      assert.deepEqual(found, index % 3 === 0 ? undefined : review);
      assert.equal(results[index]?.status, index % 3 === 0 ? "rejected" : "fulfilled");
    }
  }),

  check(
    "what a refused statement spoils is not saved, even when the work goes on",
    async (storage) => {
      const review = aReview();
      await storage.write((writing) => writing.insertReview(review));
      // A database may go on after a refused statement; then all the rest counts. Or it may not; then nothing does.
      for (const isLast of [false, true]) {
        const beside = isLast ? [aReview()] : [aReview(), aReview()];
        const [before, after] = beside;
        const write = storage.write(async (writing) => {
          if (before !== undefined) await writing.insertReview(before);
          await writing.insertReview(review).catch(() => undefined);
          if (after !== undefined) await writing.insertReview(after);
        });
        const isSaved = await write.then(
          () => true,
          () => false,
        );
        for (const each of beside) assert.equal((await find(storage, each)) !== undefined, isSaved);
      }
    },
  ),

  check(
    "the time is one for each transaction, in UTC with milliseconds, and does not run backwards",
    async (storage) => {
      const times: string[] = [];
      for (const read of [true, false, true]) {
        const tell = async (clock: { readonly now: string }) => {
          times.push(clock.now);
          await new Promise((resolve) => setImmediate(resolve));
          times.push(clock.now);
        };
        await (read ? storage.read(tell) : storage.write(tell));
      }
      for (const time of times) assert.equal(new Date(time).toISOString(), time);
      assert.deepEqual(times, times.toSorted());
      assert.deepEqual([times[0], times[2], times[4]], [times[1], times[3], times[5]]);
    },
  ),

  check("a storage that can save is well, whatever it has refused", async (storage) => {
    const refused = storage.write(async () => {
      throw new Error("changed my mind");
    });
    await assert.rejects(refused);
    assert.deepEqual(await storage.health(), { status: "well" });
  }),

  {
    name: "a storage that is closed first finishes what is under way",
    run: async (open) => {
      const storage = await open();
      const writes = rivals.map(() => storage.write(insertThread));
      await storage.close();
      const ended = await Promise.allSettled(writes);
      assert.ok(ended.every((write) => write.status === "fulfilled"));
    },
  },
];

function find(storage: Storage, { id }: ReturnType<typeof aReview>) {
  return storage.read((reading) => reading.findReview(id));
}
