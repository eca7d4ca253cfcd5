import assert from "node:assert/strict";
import { newId } from "../../ids.ts";
import type { Reading, StoredWrite } from "../storage.ts";
import { check, type StorageCheck } from "./check.ts";
import { aCheckpoint, hardText, saving, savingParts } from "./samples.ts";

const places: readonly (readonly [namespace: string, id: string])[] = [
  ["", "1"],
  ["", "2"],
  ["", hardText],
  ["a|b", "1"],
  [hardText, "2"],
];

/** What is promised of removing some of a thread's checkpoints, and some of its parts. */
export const pruningChecks: readonly StorageCheck[] = [
  check("checkpoints come one page after the other, each once", async (storage) => {
    const threadId = newId("thread");
    await storage.write(async (writing) => {
      for (const thread of [threadId, newId("thread")])
        for (const [namespace, id] of places)
          await writing.saveCheckpoints(saving(aCheckpoint(thread, id, { namespace })));
    });
    for (const limit of [1, 2, 5, 9]) {
      const seen = await storage.read(async (reading) => {
        const all = [];
        for (
          let page = await reading.checkpointsAfter(threadId, undefined, limit);
          page.length > 0;
        ) {
          all.push(...page);
          page = await reading.checkpointsAfter(threadId, page.at(-1), limit);
        }
        return all.map(({ namespace, id }) => JSON.stringify([namespace, id]));
      });
      const expected = places.map((place) => JSON.stringify(place));
      assert.deepEqual(seen.toSorted(), expected.toSorted(), `in pages of ${limit}`);
    }
    const threads = await storage.read((reading) => reading.checkpointedThreads());
    assert.equal(threads.filter((one) => one === threadId).length, 1);
  }),

  check(
    "a checkpoint that is removed goes with its pending writes, and nothing else does",
    async (storage) => {
      const [threadId, other] = [newId("thread"), newId("thread")];
      await storage.write(async (writing) => {
        for (const thread of [threadId, other])
          for (const [namespace, id] of places) {
            const checkpoint = aCheckpoint(thread, id, { namespace });
            await writing.saveCheckpoints(saving(checkpoint, { writes: [aWrite] }));
          }
        const key = { threadId, namespace: "", id: "early" };
        await writing.saveCheckpoints([{ key, writes: [aWrite] }]);
      });
      const gone = places.filter((_, index) => index % 2 === 0);
      await storage.write((writing) =>
        writing.removeCheckpoints(
          threadId,
          gone.map(([namespace, id]) => ({ namespace, id })),
        ),
      );
      const stays = places.filter((_, index) => index % 2 === 1);
      const left = (thread: string) => storage.read((reading) => leftOf(reading, thread));
      const whole = (all: typeof places) => all.map((place) => JSON.stringify(place)).toSorted();
      assert.deepEqual(await left(threadId), {
        checkpoints: whole(stays),
        writes: whole([...stays, ["", "early"]]),
      });
      assert.deepEqual(await left(other), { checkpoints: whole(places), writes: whole(places) });
    },
  ),

  check("of a thread's parts only the named ones stay", async (storage) => {
    const [threadId, other] = [newId("thread"), newId("thread")];
    const parts = ["a", "b", hardText].map((hash) => ({
      hash,
      type: "json",
      value: new Uint8Array(),
    }));
    await storage.write(async (writing) => {
      for (const thread of [threadId, other])
        await writing.saveCheckpoints(savingParts(thread, parts));
    });
    const removed = await storage.write((writing) =>
      writing.removePartsBut(threadId, [hardText, "none"]),
    );
    const hashes = (thread: string) =>
      storage.read(async (reading) => [
        ...(await reading.findParts(thread, ["a", "b", hardText])).keys(),
      ]);
    assert.deepEqual([removed, await hashes(threadId)], [2, [hardText]]);
    assert.equal((await hashes(other)).length, 3);
    assert.equal(await storage.write((writing) => writing.removePartsBut(threadId, [])), 1);
  }),
];

const aWrite: StoredWrite = {
  taskId: "task",
  index: 0,
  channel: hardText,
  taskPath: "",
  type: "json",
  value: new Uint8Array(),
};

async function leftOf(reading: Reading, threadId: string) {
  const checkpoints = await reading.checkpointsAfter(threadId, undefined, 100);
  const written = await reading.channelsWritten(threadId);
  assert.ok(written.every(({ taskId, channel }) => taskId === "task" && channel === hardText));
  const places = (all: readonly { readonly namespace: string; readonly id: string }[]) =>
    all.map(({ namespace, id }) => JSON.stringify([namespace, id])).toSorted();
  return { checkpoints: places(checkpoints), writes: places(written) };
}
