import assert from "node:assert/strict";
import { newId } from "../../ids.ts";
import type { Storage, StoredPart, StoredWrite } from "../storage.ts";
import { check, rivals, type StorageCheck } from "./check.ts";
import { aCheckpoint, hardText, saving, savingParts } from "./samples.ts";

const everyByte = Uint8Array.from({ length: 256 }, (_, byte) => byte);

/** What is promised of checkpoints, their parts and pending writes. */
export const checkpointChecks: readonly StorageCheck[] = [
  check("a checkpoint comes back with its parts, byte for byte", async (storage) => {
    const threadId = newId("thread");
    const hard = { parentId: hardText, body: hardText, metadata: hardText, namespace: hardText };
    const checkpoint = aCheckpoint(threadId, hardText, hard);
    const parts = [
      part("a", everyByte),
      part("b", new Uint8Array()),
      part("c", new Uint8Array(2_000_000).fill(255)),
    ];
    await storage.write((writing) => writing.saveCheckpoints(saving(checkpoint, { parts })));
    const seen = await storage.read((reading) =>
      reading.findCheckpoint(threadId, hardText, hardText),
    );
    assert.deepEqual(seen, { checkpoint, writes: [] });
    const found = await storage.read((reading) =>
      reading.findParts(threadId, ["c", "a", "b", "a", "none"]),
    );
    assert.deepEqual([...found.keys()].toSorted(), ["a", "b", "c"]);
    for (const each of parts) assertSame(found.get(each.hash), each);
    assert.equal((await storage.read((reading) => reading.findParts("other", ["a"]))).size, 0);
  }),

  check(
    "a part is kept as it was first stored, also by many at once; a checkpoint is replaced",
    async (storage) => {
      const threadId = newId("thread");
      const put = (id: string, body: string, parts: readonly StoredPart[]) =>
        storage.write((writing) =>
          writing.saveCheckpoints(saving(aCheckpoint(threadId, id, { body }), { parts })),
        );
      await put("1", "first", [part("a", everyByte)]);
      const shared = ["a", "b", "c", "d"].map((hash) => part(hash, Uint8Array.of(hash.length)));
      await Promise.all(
        rivals.map((rival) =>
          put(`at once ${rival}`, "{}", rival % 2 === 0 ? shared : shared.toReversed()),
        ),
      );
      await put("1", "second", [part("a", new Uint8Array()), part("a", new Uint8Array())]);
      const { body, parts, listed } = await storage.read(async (reading) => ({
        body: (await reading.findCheckpoint(threadId, "", "1"))?.checkpoint.body,
        parts: await reading.findParts(threadId, ["a", "b", "c", "d"]),
        listed: (await reading.listCheckpoints({ threadId })).length,
      }));
      assert.deepEqual([body, parts.size, listed], ["second", 4, rivals.length + 1]);
      assertSame(parts.get("a"), part("a", everyByte));
    },
  ),

  check("a list comes back link by link, and what is not there is said", async (storage) => {
    const [threadId, other] = [newId("thread"), newId("thread")];
    const links = [
      { ...part("first", everyByte), before: "" },
      { ...part("second", new Uint8Array()), before: "first" },
      { ...part("third", Uint8Array.of(3)), before: "second" },
      { ...part("fork", Uint8Array.of(4)), before: "second" },
    ];
    await storage.write((writing) => writing.saveCheckpoints(savingParts(threadId, links)));
    await storage.write((writing) =>
      writing.saveCheckpoints(savingParts(other, [part("own", everyByte)])),
    );
    const chain = async (thread: string, hash: string) =>
      (await storage.look((reading) => reading.findChain(thread, hash))).map((link) => link.hash);
    assert.deepEqual(await chain(threadId, "third"), ["first", "second", "third"]);
    assert.deepEqual(await chain(threadId, "fork"), ["first", "second", "fork"]);
    assert.deepEqual(await chain(threadId, "none"), []);
    assert.deepEqual(await chain(other, "third"), []);
    const key = (thread: string) => ({ threadId: thread, namespace: "", id: "" });
    const missing = await storage.write((writing) =>
      writing.saveCheckpoints([
        { key: key(threadId), refers: ["first", "none", "fork", "own", "sent"] },
        { key: key(threadId), parts: [part("sent", everyByte)] },
        { key: key(other), refers: ["own", "first"] },
      ]),
    );
    assert.deepEqual(
      missing.map(({ threadId: thread, hash }) => `${thread} ${hash}`).toSorted(),
      [`${other} first`, `${threadId} none`, `${threadId} own`].toSorted(),
    );
    const [first] = await storage.look((reading) => reading.findChain(threadId, "first"));
    assertSame(first, part("first", everyByte));
  }),

  check(
    "checkpoints are listed latest id first, in the order of their characters, a page at a time",
    async (storage) => {
      const threadId = newId("thread");
      // An order of words would put them otherwise.
      const ids = ["B", "Z", "_", "a", "a-b", "aa", "é", "审"];
      for (const id of ids.toReversed())
        await storage.write((writing) =>
          writing.saveCheckpoints(saving(aCheckpoint(threadId, id))),
        );
      const inside = aCheckpoint(threadId, "0", { namespace: "inside" });
      await storage.write((writing) => writing.saveCheckpoints(saving(inside)));
      const list = async (query: Parameters<typeof listIn>[1]) =>
        (await listIn(storage, { threadId, ...query })).map((checkpoint) => checkpoint.id);
      assert.deepEqual(await list({ namespace: "" }), ids.toReversed());
      assert.deepEqual(await list({}), [...ids.toReversed(), "0"]);
      assert.deepEqual(await list({ namespace: "", before: "aa", limit: 2 }), ["a-b", "a"]);
      assert.deepEqual(await list({ id: "aa" }), ["aa"]);
      const latest = await storage.read((reading) => reading.findCheckpoint(threadId, ""));
      assert.equal(latest?.checkpoint.id, "审");
      assert.equal(
        (await listIn(storage, {})).filter((one) => one.threadId === threadId).length,
        9,
      );
    },
  ),

  check(
    "an ordinary write stays as it was first made, a special one is replaced, and they are in order",
    async (storage) => {
      const key = { threadId: newId("thread"), namespace: "", id: "1" };
      const put = (...writes: readonly StoredWrite[]) =>
        storage.write((writing) => writing.saveCheckpoints([{ key, writes }]));
      await put(write({ index: 1 }), write({ index: 0 }), write({ index: -1 }));
      await put(write({ index: 0, value: everyByte }), write({ index: -1, value: everyByte }));
      await put(write({ taskPath: "p", taskId: "a" }), write({ taskPath: "P", taskId: "b" }));
      await storage.write((writing) =>
        writing.saveCheckpoints(saving(aCheckpoint(key.threadId, "1"))),
      );
      const writes = await storage.read((reading) => reading.writesOf(key));
      const loaded = await storage.look((reading) => reading.findCheckpoint(key.threadId, ""));
      assert.deepEqual(loaded?.writes, writes);
      assert.deepEqual(
        writes.map(({ taskPath, taskId, index, value }) => [taskPath, taskId, index, value.length]),
        [
          ["", "task", -1, 256],
          ["", "task", 0, 1],
          ["", "task", 1, 1],
          ["P", "b", 0, 1],
          ["p", "a", 0, 1],
        ],
      );
      assert.equal(writes[0]?.channel, hardText);
      assert.deepEqual(await storage.read((reading) => reading.writesOf({ ...key, id: "2" })), []);
    },
  ),

  check(
    "deleting a thread's checkpoints takes everything of them, and nobody else's",
    async (storage) => {
      const [gone, stays] = [newId("thread"), newId("thread")];
      await storage.write(async (writing) => {
        for (const threadId of [gone, stays]) {
          const more = { parts: [part("a", everyByte)], writes: [write({})] };
          await writing.saveCheckpoints(saving(aCheckpoint(threadId, "1"), more));
        }
        await writing.deleteCheckpoints(gone);
      });
      const left = (threadId: string) =>
        storage.read(async (reading) => [
          (await reading.listCheckpoints({ threadId })).length,
          (await reading.findParts(threadId, ["a"])).size,
          (await reading.writesOf({ threadId, namespace: "", id: "1" })).length,
        ]);
      assert.deepEqual(
        [await left(gone), await left(stays)],
        [
          [0, 0, 0],
          [1, 1, 1],
        ],
      );
    },
  ),
];

function listIn(
  storage: Storage,
  query: { before?: string; limit?: number; namespace?: string; id?: string; threadId?: string },
) {
  return storage.read((reading) => reading.listCheckpoints(query));
}

function part(hash: string, value: Uint8Array): StoredPart {
  return { hash, type: "json", value };
}

function write(overrides: Partial<StoredWrite>): StoredWrite {
  const value = Uint8Array.of(1);
  return {
    taskId: "task",
    index: 0,
    channel: hardText,
    taskPath: "",
    type: "json",
    value,
    ...overrides,
  };
}

/** Equal bytes are enough: an adapter may give any kind of byte array. */
function assertSame(found: StoredPart | undefined, expected: StoredPart): void {
  assert.equal(found?.type, expected.type);
  assert.equal(Buffer.compare(found.value, expected.value), 0, `the bytes of ${expected.hash}`);
}
