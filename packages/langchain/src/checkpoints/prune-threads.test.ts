import { type BaseMessage, HumanMessage, RemoveMessage } from "@langchain/core/messages";
import {
  Annotation,
  Command,
  DeltaChannel,
  END,
  interrupt,
  MessagesAnnotation,
  START,
  StateGraph,
  type StateSnapshot,
} from "@langchain/langgraph";
import type {
  BaseCheckpointSaver,
  CheckpointMetadata,
  CheckpointTuple,
} from "@langchain/langgraph-checkpoint";
import { type Engine, newId } from "@holdpoint/engine";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPostgres, type TestPostgres } from "../../../../test/harness/postgres.ts";
import { asker, at, counter, historyOf } from "../testing/stock-graphs.ts";
import { open, temporaryFile } from "../testing/stock-savers.ts";
import { checkpointer } from "./checkpointer.ts";
import { pruneThreads } from "./prune-threads.ts";

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.stop());

const databases = [
  ["SQLite", async () => `file:${temporaryFile()}`],
  ["Postgres", async () => postgres.url],
] as const;

/** Everything that a checkpointer that knows nothing reads of a thread, by namespace and id. */
async function readAll(engine: Engine, threadId: string): Promise<ReadonlyMap<string, unknown>> {
  const all = new Map<string, unknown>();
  for await (const tuple of checkpointer(engine).list(at(threadId))) {
    const { checkpoint_ns: namespace, checkpoint_id: id } = tuple.config.configurable ?? {};
    all.set(`${String(namespace)} ${String(id)}`, tuple);
  }
  return all;
}

/** All parts of a thread as one text. */
async function partsText(engine: Engine, threadId: string): Promise<string> {
  const hashes: string[] = [];
  await engine.storage.read(async (reading) => {
    for (const one of await reading.listCheckpoints({ threadId }))
      hashes.push(...(one.body.match(/[\w-]{28}/g) ?? []));
    for (const hash of hashes)
      for (const link of await reading.findChain(threadId, hash))
        hashes.push(
          ...(Buffer.from(link.value)
            .toString()
            .match(/[\w-]{28}/g) ?? []),
        );
  });
  const parts = await engine.checkpoints.parts(threadId, hashes);
  return [...parts.values()].map(({ value }) => Buffer.from(value).toString()).join("\n");
}

/** Says each message after what was said, and forgets the oldest when there are many. */
function chat(saver: BaseCheckpointSaver) {
  return new StateGraph(MessagesAnnotation)
    .addNode("answer", ({ messages }) => ({
      messages: [new HumanMessage({ id: `a${messages.length}`, content: "answered ".repeat(200) })],
    }))
    .addNode("forget", ({ messages }) => ({
      messages: messages.slice(0, -20).map(({ id }) => new RemoveMessage({ id: id ?? "" })),
    }))
    .addEdge(START, "answer")
    .addEdge("answer", "forget")
    .addEdge("forget", END)
    .compile({ checkpointer: saver });
}

async function talk(saver: BaseCheckpointSaver, threadId: string, turns: number): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    const message = new HumanMessage({ id: newId("m"), content: `said in turn ${turn}.` });
    await chat(saver).invoke({ messages: [message] }, at(threadId));
  }
}

describe.each(databases)("on %s", (_name, address) => {
  test("history goes, and every checkpoint that stays is read as it was", async () => {
    const [engine, threadId, other] = [await open(await address()), newId("t"), newId("t")];
    await talk(checkpointer(engine), threadId, 20);
    await talk(checkpointer(engine), other, 2);
    const [before, beside] = [await readAll(engine, threadId), await readAll(engine, other)];
    expect(before.size).toBe(80);
    const report = await pruneThreads({ engine, threadId, keepLast: 3 });
    expect(report).toMatchObject({ threads: 1, checkpoints: 77 });
    expect(report.parts).toBeGreaterThan(20);
    const after = await readAll(engine, threadId);
    expect([...after]).toEqual([...before].slice(0, 3));
    expect(await partsText(engine, threadId)).not.toContain("said in turn 3.");
    expect(await readAll(engine, other)).toEqual(beside);
    expect(await pruneThreads({ engine, threadId, keepLast: 3 })).toMatchObject({
      threads: 0,
      parts: 0,
    });
    await talk(checkpointer(engine), threadId, 1);
    const { messages } = (await chat(checkpointer(engine)).getState(at(threadId))).values as {
      messages: BaseMessage[];
    };
    expect(messages).toHaveLength(20);
  });

  test("what is young stays, whatever its place", async () => {
    const [engine, threadId] = [await open(await address()), newId("t")];
    await talk(checkpointer(engine), threadId, 2);
    expect(await pruneThreads({ engine, threadId, olderThan: 60_000 })).toMatchObject({
      checkpoints: 0,
    });
    expect(await pruneThreads({ engine, threadId, olderThan: -60_000 })).toMatchObject({
      checkpoints: 7,
    });
  });

  test("a pause in a subgraph, and one at the end of a branch, go on afterwards", async () => {
    const [engine, threadId] = [await open(await address()), newId("t")];
    const graph = asker(checkpointer(engine));
    await graph.invoke({ n: 1 }, at(threadId));
    const paused = (await graph.getState(at(threadId))).config;
    const [, start] = await historyOf(graph, threadId);
    await graph.invoke(null, (start as StateSnapshot).config);
    expect((await graph.getState(at(threadId))).config).not.toEqual(paused);
    await pruneThreads({ engine, threadId });
    const fresh = () => asker(checkpointer(engine));
    const newest = await fresh().invoke(new Command({ resume: "blue" }) as never, at(threadId));
    expect(newest).toMatchObject({ said: ["prepared", "heard blue"] });
    const branch = await fresh().invoke(new Command({ resume: "red" }) as never, paused);
    expect(branch).toMatchObject({ said: ["prepared", "heard red"] });
  });

  test("a question that was left for another way stays answerable", async () => {
    const [engine, threadId] = [await open(await address()), newId("t")];
    const State = Annotation.Root({ heard: Annotation<string>() });
    const graph = () =>
      new StateGraph(State)
        .addNode("ask", () => ({ heard: String(interrupt("which?")) }))
        .addNode("later", () => ({}))
        .addEdge(START, "ask")
        .addEdge("ask", "later")
        .addEdge("later", END)
        .compile({ checkpointer: checkpointer(engine) });
    await graph().invoke({ heard: "" }, at(threadId));
    const asked = (await graph().getState(at(threadId))).config;
    await graph().updateState(asked, { heard: "set by hand" }, "ask");
    await graph().invoke(null, at(threadId));
    await pruneThreads({ engine, threadId });
    const state = await graph().invoke(new Command({ resume: "red" }), asked);
    expect(state).toEqual({ heard: "red" });
  });

  test("values that are rebuilt from earlier checkpoints are what they were", async () => {
    const [engine, threadId] = [await open(await address()), newId("t")];
    const Log = Annotation.Root({
      log: () =>
        new DeltaChannel<string[], string[]>((all, writes) => [...all, ...writes.flat()], {
          snapshotFrequency: 7,
        }),
    });
    const graph = () =>
      new StateGraph(Log)
        .addNode("step", ({ log }) => ({ log: [`after ${log.length}`] }))
        .addEdge(START, "step")
        .addEdge("step", END)
        .compile({ checkpointer: checkpointer(engine) });
    const run = () => graph().invoke({ log: ["in"] }, at(threadId));
    for (let turn = 0; turn < 12; turn += 1) await run();
    const { values } = await graph().getState(at(threadId));
    const report = await pruneThreads({ engine, threadId });
    expect(report.checkpoints).toBeGreaterThan(15);
    expect((await graph().getState(at(threadId))).values).toEqual(values);
    await run();
    const { log } = (await graph().getState(at(threadId))).values as { log: string[] };
    expect(log).toEqual([...(values as { log: string[] }).log, "in", "after 25"]);
  });

  test.each([
    ["a short conversation", -6, (all: BaseMessage[]) => all],
    ["a long one", 20, (all: BaseMessage[]) => all],
    ["the messages of a long one as another one", 20, (all: BaseMessage[]) => all.toReversed()],
  ])("a saver that remembers what is gone sends it again: %s", async (_what, place, change) => {
    const [database, threadId] = [await address(), newId("t")];
    const [engine, elsewhere] = [await open(database), await open(database)];
    const saver = checkpointer(elsewhere);
    await talk(saver, threadId, 20);
    const { config } = [...(await readAll(elsewhere, threadId)).values()].at(
      place,
    ) as CheckpointTuple;
    const old = await saver.getTuple(config);
    if (old === undefined) throw new Error("it is there");
    await pruneThreads({ engine, threadId });
    const { messages, ...others } = old.checkpoint.channel_values;
    const checkpoint = {
      ...old.checkpoint,
      id: "2".repeat(36),
      channel_values: { ...others, messages: change(messages as BaseMessage[]) },
    };
    await saver.put(config, checkpoint, old.metadata as CheckpointMetadata, {});
    const fresh = await checkpointer(engine).getTuple(at(threadId));
    expect(fresh?.checkpoint).toEqual(checkpoint);
  });

  test("pruning beside savers loses nothing of what they save", async () => {
    const [database, threadId] = [await address(), newId("t")];
    const engines = [await open(database), await open(database)];
    const [engine = await open(database)] = engines;
    await talk(checkpointer(engine), threadId, 12);
    let isDone = false;
    const prunes = (async () => {
      let pruned = 0;
      while (!isDone) pruned += (await pruneThreads({ engine, threadId })).checkpoints;
      return pruned;
    })();
    // Each goes back and forth between two states, so that parts go and come.
    const saves = engines.map(async (one, place) => {
      const saver = checkpointer(one);
      for (let number = 0; number < 40; number += 1) {
        const id = `3${String(number).padStart(6, "0")}${place}`;
        const messages = Array.from(
          { length: 10 },
          (_, index) =>
            new HumanMessage({ id: `x${index}`, content: `state ${number % 2} `.repeat(200) }),
        );
        const ts = new Date().toISOString();
        await saver.put(
          at(threadId),
          { v: 4, id, ts, channel_values: { messages }, channel_versions: {}, versions_seen: {} },
          { source: "loop", step: 1, parents: {} },
        );
      }
    });
    await Promise.all(saves);
    isDone = true;
    expect(await prunes).toBeGreaterThan(0);
    for (const tuple of (await readAll(engine, threadId)).values())
      expect(tuple).toMatchObject({ checkpoint: { channel_values: {} } });
  });
});

test("what belongs to all threads is nobody's history", async () => {
  const engine = await open();
  await counter(checkpointer(engine)).invoke({ n: 0 }, at("t"));
  const before = await readAll(engine, "t");
  expect(await pruneThreads({ engine, threadId: "" })).toMatchObject({ parts: 0 });
  expect(await readAll(engine, "t")).toEqual(before);
});

test("a thread with a run under way is left as it is", async () => {
  const engine = await open();
  await counter(checkpointer(engine)).invoke({ n: 0 }, at("t"));
  await engine.runs.start({ threadId: "t", agent: "a", input: {}, dedupeKey: "k" } as never);
  expect(await pruneThreads({ engine })).toEqual({ threads: 0, checkpoints: 0, parts: 0 });
});
