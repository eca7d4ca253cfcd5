import { describe, expect, test } from "vitest";
import type { Engine } from "../engine.ts";
import type {
  CheckpointKey,
  StoredCheckpoint,
  StoredPart,
  StoredWrite,
} from "../storage/storage.ts";
import { allRows, numberIn, openRaw } from "../testing/raw-database.ts";
import type { Apart, TaskWrites } from "./checkpoints.ts";
import { aDraft } from "../testing/review-draft.ts";
import { openTestEngine, temporaryFile } from "../testing/temporary-engine.ts";

function aCheckpoint(id: string, overrides: Partial<StoredCheckpoint> = {}): StoredCheckpoint {
  return {
    threadId: "t",
    namespace: "",
    id,
    body: JSON.stringify({ parts: ["h1", "h2"] }),
    metadata: '{"step":1}',
    ...overrides,
  };
}

function aPart(hash: string, ...bytes: number[]): StoredPart {
  return { hash, type: "json", value: Uint8Array.from(bytes) };
}

function aWrite(index: number, overrides: Partial<StoredWrite> = {}): StoredWrite {
  return {
    taskId: "task",
    index,
    channel: "messages",
    taskPath: "",
    type: "json",
    value: Uint8Array.of(index + 1),
    ...overrides,
  };
}

const put = (
  engine: Engine,
  checkpoint: StoredCheckpoint,
  apart: Apart = {},
  tasks: readonly TaskWrites[] = [],
) => engine.checkpoints.save([{ key: checkpoint, checkpoint, apart, tasks }]);
const putWrites = (engine: Engine, key: CheckpointKey, task: TaskWrites) =>
  engine.checkpoints.save([{ key, apart: {}, tasks: [task] }]);
const load = (engine: Engine, id?: string, threadId = "t", namespace = "") =>
  engine.checkpoints.load(threadId, namespace, id);
const partsOf = (engine: Engine, threadId = "t") =>
  engine.checkpoints.parts(threadId, ["h1", "h2"]);

describe("checkpoints", () => {
  test("come back whole after a restart: body, parts byte for byte, writes in order", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    const parts = [aPart("h1", 0, 255, 0), aPart("h2")];
    const writes = [
      aWrite(1, { taskId: "b" }),
      aWrite(0, { taskId: "b" }),
      aWrite(0, { taskId: "a" }),
    ];
    await put(engine, aCheckpoint("1", { parentId: "0" }), { parts }, []);
    await putWrites(engine, { threadId: "t", namespace: "", id: "1" }, { writes, reviews: [] });
    await engine.close();
    const again = await openTestEngine(path);
    const loaded = await load(again, "1");
    expect(loaded?.checkpoint).toEqual(aCheckpoint("1", { parentId: "0" }));
    expect([...(await partsOf(again)).values()]).toEqual(parts);
    expect(loaded?.writes.map((write) => [write.taskId, write.index])).toEqual([
      ["a", 0],
      ["b", 0],
      ["b", 1],
    ]);
  });

  test("without an id the latest one is loaded, in its own namespace and thread only", async () => {
    const engine = await openTestEngine();
    for (const id of ["1", "3", "2"]) await put(engine, aCheckpoint(id));
    await put(engine, aCheckpoint("9", { namespace: "sub" }));
    await put(engine, aCheckpoint("8", { threadId: "u" }));
    expect((await load(engine))?.checkpoint.id).toBe("3");
    expect((await load(engine, undefined, "t", "sub"))?.checkpoint.id).toBe("9");
    expect(await load(engine, "9")).toBeUndefined();
    expect(await load(engine, undefined, "nobody")).toBeUndefined();
    expect(await engine.checkpoints.has({ threadId: "t", namespace: "", id: "2" })).toBe(true);
    expect(await engine.checkpoints.has({ threadId: "t", namespace: "", id: "9" })).toBe(false);
  });

  test("are listed newest first, filtered, and a page at a time", async () => {
    const engine = await openTestEngine();
    for (const id of ["1", "2", "3", "4"]) await put(engine, aCheckpoint(id));
    await put(engine, aCheckpoint("5", { namespace: "sub" }));
    await put(engine, aCheckpoint("6", { threadId: "u" }));
    const ids = async (query: Parameters<typeof engine.checkpoints.list>[0]) =>
      (await engine.checkpoints.list(query)).map((checkpoint) => checkpoint.id);
    expect(await ids({})).toEqual(["6", "5", "4", "3", "2", "1"]);
    expect(await ids({ threadId: "t", namespace: "", limit: 2 })).toEqual(["4", "3"]);
    expect(await ids({ threadId: "t", namespace: "", before: "3" })).toEqual(["2", "1"]);
    expect(await ids({ threadId: "t", id: "2" })).toEqual(["2"]);
    expect(await ids({ threadId: "t", limit: 0 })).toEqual([]);
  });

  test("a value is stored once for a thread, however many checkpoints refer to it", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    for (let id = 1; id <= 10; id += 1)
      await put(engine, aCheckpoint(String(id)), { parts: [aPart("h1", 1), aPart("h2", 2)] }, []);
    await put(engine, aCheckpoint("1", { threadId: "u" }), { parts: [aPart("h1", 1)] }, []);
    expect(numberIn(openRaw(path), "SELECT count(*) FROM checkpoint_parts")).toBe(3);
    await put(engine, aCheckpoint("11"), { parts: [aPart("h1", 99)] }, []);
    expect((await partsOf(engine)).get("h1")?.value).toEqual(Uint8Array.of(1));
  });

  test("saved again under its id, a checkpoint is replaced", async () => {
    const engine = await openTestEngine();
    await put(engine, aCheckpoint("1", { parentId: "0" }));
    await put(engine, aCheckpoint("1", { metadata: "{}" }));
    expect((await load(engine))?.checkpoint).toEqual(aCheckpoint("1", { metadata: "{}" }));
  });

  test("an ordinary write stays as it was first made, a special one is replaced", async () => {
    const engine = await openTestEngine();
    await put(engine, aCheckpoint("1"));
    const key = { threadId: "t", namespace: "", id: "1" };
    for (const value of [7, 8]) {
      const bytes = Uint8Array.of(value);
      const writes = [
        aWrite(0, { value: bytes }),
        aWrite(-3, { channel: "__interrupt__", value: bytes }),
      ];
      await putWrites(engine, key, { writes, reviews: [] });
    }
    expect((await load(engine))?.writes.map((write) => [write.index, write.value[0]])).toEqual([
      [-3, 8],
      [0, 7],
    ]);
  });

  test("parked writes and the reviews they open are committed together with their checkpoint", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    const draft = aDraft(1, { threadId: "t" });
    const parked = [{ writes: [aWrite(0)], reviews: [draft] }];
    const raw = openRaw(path);
    raw.exec(
      "CREATE TRIGGER seeded BEFORE INSERT ON actions BEGIN SELECT RAISE(ABORT, 'seeded failure'); END",
    );
    const before = allRows(raw);
    await expect(
      put(engine, aCheckpoint("1"), { parts: [aPart("h1", 1)] }, parked),
    ).rejects.toThrow("seeded failure");
    expect(allRows(raw)).toEqual(before);
    raw.exec("DROP TRIGGER seeded");
    await put(engine, aCheckpoint("1"), { parts: [aPart("h1", 1)] }, parked);
    expect((await load(engine))?.writes).toHaveLength(1);
    expect((await engine.readReview(draft.id))?.state.status).toBe("open");
    await putWrites(
      engine,
      { threadId: "t", namespace: "", id: "1" },
      { writes: [], reviews: [draft] },
    );
    expect(await engine.reviews.openOf("t")).toHaveLength(1);
  });

  test("deleting a thread takes its checkpoints, parts and writes, and nobody else's", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    for (const threadId of ["t", "u"]) {
      await put(engine, aCheckpoint("1", { threadId }), { parts: [aPart("h1", 1)] }, [
        { writes: [aWrite(0)], reviews: [] },
      ]);
    }
    await engine.checkpoints.deleteThread("t");
    const raw = openRaw(path);
    for (const table of ["checkpoints", "checkpoint_parts", "checkpoint_writes"]) {
      expect(raw.prepare(`SELECT DISTINCT thread_id FROM ${table}`).all()).toEqual([
        { thread_id: "u" },
      ]);
    }
  });
});
