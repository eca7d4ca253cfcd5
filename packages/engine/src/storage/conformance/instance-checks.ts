import assert from "node:assert/strict";
import { newId } from "../../ids.ts";
import { check, type StorageCheck } from "./check.ts";
import { aPermit, aReview, late } from "./samples.ts";

/** What is promised of the epoch of a database. */
export const instanceChecks: readonly StorageCheck[] = [
  check(
    "a new epoch outdates the permits of before, and ends links and sessions of before",
    async (storage) => {
      const [before, after] = [aReview(), aReview()];
      const reviewer = { id: newId("reviewer"), name: "Anna" };
      const key = { hash: newId("hash"), purpose: "link", reviewer, expiresAt: late } as const;
      const epoch = newId("epoch");
      const was = await storage.write(async (writing) => {
        await writing.insertReview(before);
        await writing.insertPermits([aPermit(before)]);
        await writing.saveReviewer(reviewer);
        await writing.insertApiKey(key);
        return writing.instance();
      });
      assert.equal(was.isCopy, false);
      await storage.write((writing) => writing.beginEpoch(epoch));
      const found = await storage.write(async (writing) => {
        await writing.insertReview(after);
        await writing.insertPermits([aPermit(after)]);
        return {
          instance: await writing.instance(),
          old: await writing.findPermit(aPermit(before).actionId),
          fresh: await writing.findPermit(aPermit(after).actionId),
          key: await writing.findApiKey(key.hash, "link"),
        };
      });
      assert.deepEqual(found, {
        instance: { epoch, isCopy: false },
        old: { permit: aPermit(before), reviewId: before.id, isOutdated: true },
        fresh: { permit: aPermit(after), reviewId: after.id },
        key: undefined,
      });
    },
  ),
];
