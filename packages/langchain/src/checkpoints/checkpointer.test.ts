import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { HumanMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import { Annotation, Command, END, interrupt, START, StateGraph } from "@langchain/langgraph";
import {
  type Checkpoint,
  type CheckpointMetadata,
  emptyCheckpoint,
} from "@langchain/langgraph-checkpoint";
import { tool } from "langchain";
import { type Engine, openEngine } from "@holdpoint/engine";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { recordedVote } from "../pause/pause.ts";
import { holdAgent } from "../hold-agent.ts";
import { callsOnce, ScriptedModel } from "../testing/scripted-model.ts";
import { checkpointer } from "./checkpointer.ts";

const closers: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

const anna = { id: "anna", name: "Anna" };
const metadata: CheckpointMetadata = { source: "loop", step: 0, parents: {} };
const asks = question("i1");

function question(id: string): [string, unknown][] {
  return [["__interrupt__", [{ id, value: "which one?" }]]];
}

function temporaryFile(): string {
  return join(mkdtempSync(join(tmpdir(), "saver-")), "db.sqlite");
}

async function open(path = temporaryFile()): Promise<Engine> {
  const engine = await openEngine({ database: `file:${path}` });
  closers.push(engine.close);
  return engine;
}

/** Makes the database refuse the checkpoints of a thread, as a full disk would; call it again to end that. */
function refusing(path: string, threadId: string): () => void {
  const database = new DatabaseSync(path, { timeout: 5000 });
  closers.push(() => database.close());
  database.exec(
    `CREATE TRIGGER full BEFORE INSERT ON checkpoints WHEN NEW.thread_id = '${threadId}' BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
  );
  return () => database.exec("DROP TRIGGER full");
}

function aCheckpoint(id: string, values: Record<string, unknown> = {}): Checkpoint {
  return { ...emptyCheckpoint(), id, channel_values: values };
}

function at(threadId: string, id: string) {
  return { configurable: { thread_id: threadId, checkpoint_ns: "", checkpoint_id: id } };
}

function of(threadId: string) {
  return { configurable: { thread_id: threadId, checkpoint_ns: "" } };
}

async function payingAgent(path: string, ran: number[]) {
  const pay = tool(
    async ({ amount }) => {
      ran.push(amount);
      return `paid ${amount}`;
    },
    { name: "pay", description: "pays", schema: z.object({ amount: z.number() }) },
  );
  const engine = await open(path);
  const calls = [1, 2].map((amount) => ({ name: "pay", args: { amount } }));
  const agent = holdAgent({
    model: new ScriptedModel(callsOnce(...calls)),
    tools: [pay],
    holdpoint: engine,
    interruptOn: { pay: true },
  });
  return { engine, agent };
}

async function approveAll(engine: Engine): Promise<Record<string, unknown>> {
  const { reviews } = await engine.reviews.list({ status: "open", order: "oldest", limit: 10 });
  for (const review of reviews) {
    const decisions = review.actions.map(({ id }) => ({
      actionId: id,
      decision: { type: "approve" } as const,
    }));
    await engine.decide({ reviewId: review.id, decisions, reviewer: anna });
  }
  return Object.fromEntries(reviews.map((review) => [review.interruptId, recordedVote]));
}

const durabilities = [undefined, "sync", "async", "exit"] as const;

test.each(durabilities)(
  "held calls pause, survive a restart and run once with durability %s",
  async (durability) => {
    const path = temporaryFile();
    const ran: number[] = [];
    const config = { configurable: { thread_id: "t1" }, ...(durability && { durability }) };
    const first = await payingAgent(path, ran);
    await first.agent.invoke({ messages: [new HumanMessage("go")] }, config);
    expect(ran).toEqual([]);
    const second = await payingAgent(path, ran);
    const resume = await approveAll(second.engine);
    expect(Object.keys(resume)).toHaveLength(2);
    const { messages } = await second.agent.invoke(new Command({ resume }), config);
    expect(ran.toSorted((a, b) => a - b)).toEqual([1, 2]);
    const results = messages.filter((message: BaseMessage) => ToolMessage.isInstance(message));
    expect(results.map((message: BaseMessage) => message.text)).toEqual(["paid 1", "paid 2"]);
  },
);

test.each(durabilities)(
  "a step that asks at once never waits for a save that is over, with durability %s",
  async (durability) => {
    const engine = await open();
    const state = Annotation.Root({ n: Annotation<number>() });
    const graph = new StateGraph(state)
      .addNode("first", () => ({ n: 1 }))
      .addNode("second", () => ({ n: Number(interrupt("ok?")) }))
      .addEdge(START, "first")
      .addEdge("first", "second")
      .addEdge("second", END)
      .compile({ checkpointer: checkpointer(engine) });
    for (let round = 0; round < 10; round += 1) {
      const config = {
        configurable: { thread_id: `t${round}` },
        ...(durability && { durability }),
      };
      await graph.invoke({ n: 0 }, config);
      expect(await engine.openReviewsOf(`t${round}`)).toHaveLength(1);
    }
  },
);

test("a channel that nobody wrote and a step changed in place is stored as it is now", async () => {
  const state = Annotation.Root({
    n: Annotation<number>(),
    files: Annotation<Record<string, string>>({
      reducer: (_, files) => files,
      default: () => ({}),
    }),
  });
  const graph = new StateGraph(state)
    .addNode("write", ({ files }) => {
      files["/a"] = "written";
      return { n: 1 };
    })
    .addEdge(START, "write")
    .addEdge("write", END)
    .compile({ checkpointer: checkpointer(await open()) });
  await graph.invoke({ n: 0 }, { ...of("t1"), durability: "exit" });
  expect((await graph.getState(of("t1"))).values).toMatchObject({ files: { "/a": "written" } });
});

test("a question is stored whenever it arrives: before, during and after the commit of its checkpoint", async () => {
  const engine = await open();
  const saver = checkpointer(engine);
  for (let turns = 0; turns < 60; turns += 1) {
    const threadId = `t${turns}`;
    const put = saver.put(of(threadId), aCheckpoint("c1", { n: 1 }), metadata);
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    await saver.putWrites(at(threadId, "c1"), question(threadId), "task");
    await put;
    const tuple = await saver.getTuple(of(threadId));
    expect(tuple?.pendingWrites).toHaveLength(1);
    expect(await engine.openReviewsOf(threadId)).toHaveLength(1);
  }
});

test("a question that is parked before its checkpoint arrives commits together with it", async () => {
  const engine = await open();
  const saver = checkpointer(engine);
  const asked = saver.putWrites(at("t1", "c1"), asks, "task");
  expect(await engine.openReviewsOf("t1")).toEqual([]);
  await saver.put(of("t1"), aCheckpoint("c1"), metadata);
  await asked;
  expect(await engine.openReviewsOf("t1")).toHaveLength(1);
});

test("a save that the database refuses fails the question that waits for it, and later work goes on", async () => {
  const path = temporaryFile();
  const engine = await open(path);
  const accept = refusing(path, "t1");
  const saver = checkpointer(engine);
  const asked = saver.putWrites(at("t1", "c1"), asks, "task");
  const put = saver.put(of("t1"), aCheckpoint("c1"), metadata);
  await expect(put).rejects.toThrow("disk full");
  await expect(asked).rejects.toThrow("disk full");
  await saver.drain("t1");
  accept();
  const again = saver.putWrites(at("t1", "c2"), asks, "task");
  await saver.put(of("t1"), aCheckpoint("c2"), metadata);
  await again;
  expect(await engine.openReviewsOf("t1")).toHaveLength(1);
});

test("a checkpoint that cannot be serialized fails the question that waits for it", async () => {
  const saver = checkpointer(await open());
  const asked = saver.putWrites(at("t1", "c1"), asks, "task");
  const unwritable = {
    get value(): string {
      throw new Error("cannot be written");
    },
  };
  const put = saver.put(of("t1"), aCheckpoint("c1", { unwritable }), metadata);
  await expect(put).rejects.toThrow("cannot be written");
  await expect(asked).rejects.toThrow("cannot be written");
  await saver.drain("t1");
});

test("a question asked after a failed save fails too: LangGraph does not save its checkpoint any more", async () => {
  const path = temporaryFile();
  const engine = await open(path);
  const accept = refusing(path, "t1");
  const saver = checkpointer(engine);
  await expect(saver.put(of("t1"), aCheckpoint("c1"), metadata)).rejects.toThrow("disk full");
  await expect(saver.putWrites(at("t1", "c2"), asks, "task")).rejects.toThrow("disk full");
  accept();
});

test("draining a thread neither waits for nor fails with another thread's work", async () => {
  const path = temporaryFile();
  const engine = await open(path);
  const accept = refusing(path, "broken");
  const saver = checkpointer(engine);
  const waiting = saver.putWrites(at("waiting", "c1"), asks, "task");
  const broken = saver.put(of("broken"), aCheckpoint("c1"), metadata);
  const failed = expect(broken).rejects.toThrow("disk full");
  await saver.put(of("mine"), aCheckpoint("c1"), metadata);
  await saver.drain("mine");
  await failed;
  accept();
  await saver.put(of("waiting"), aCheckpoint("c1"), metadata);
  await waiting;
});

test("draining a thread fails with the work of that thread", async () => {
  const path = temporaryFile();
  const engine = await open(path);
  const accept = refusing(path, "broken");
  const saver = checkpointer(engine);
  const put = saver.put(of("broken"), aCheckpoint("c1"), metadata);
  const failed = expect(put).rejects.toThrow("disk full");
  await expect(saver.drain("broken")).rejects.toThrow("disk full");
  await failed;
  accept();
});

test.each(durabilities)(
  "a run whose saves fail ends with that error, and the next one works, with durability %s",
  async (durability) => {
    const path = temporaryFile();
    const { engine, agent } = await payingAgent(path, []);
    const config = { configurable: { thread_id: "t1" }, ...(durability && { durability }) };
    const accept = refusing(path, "t1");
    const run = () => agent.invoke({ messages: [new HumanMessage("go")] }, config);
    await expect(run()).rejects.toThrow("disk full");
    expect(await engine.openReviewsOf("t1")).toEqual([]);
    accept();
    await run();
    expect(await engine.openReviewsOf("t1")).toHaveLength(2);
  },
);
