import { DatabaseSync } from "node:sqlite";
import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { createAgent, tool } from "langchain";
import { type Engine, openEngine } from "@holdpoint/engine";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { statementsOf } from "../../../../test/harness/count-statements.ts";
import { startPostgres } from "../../../../test/harness/postgres.ts";
import { makeFolder } from "../../../../test/harness/temporary-folder.ts";
import { checkpointer, HoldpointSaver } from "../checkpoints/checkpointer.ts";
import { humanInTheLoopMiddleware } from "../gate/human-in-the-loop.ts";
import { holdAgent } from "../hold-agent.ts";
import { callsOnce, ScriptedModel } from "../testing/scripted-model.ts";
import { type AgentEvent, type AgentRunEnd, runAgent } from "./run-agent.ts";

const engines: Engine[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

async function open(database: string): Promise<Engine> {
  const engine = await openEngine({ database });
  engines.push(engine);
  return engine;
}

type Call = { readonly name: "pay" | "note"; readonly args: Record<string, unknown> };

/** An agent that makes these calls; `pay` is held, `note` is not. */
async function setUp(
  database: string,
  calls: readonly Call[],
  { onNote, patience }: { onNote?: () => Promise<void>; patience?: number } = {},
) {
  const engine = await open(database);
  const pay = tool(async ({ amount }) => `paid ${amount}`, {
    name: "pay",
    description: "pays",
    schema: z.object({ amount: z.number() }),
  });
  const note = tool(
    async () => {
      await onNote?.();
      return "noted";
    },
    { name: "note", description: "notes", schema: z.object({}) },
  );
  const agent = createAgent({
    model: new ScriptedModel(callsOnce(...calls)),
    tools: [pay, note],
    checkpointer: new HoldpointSaver(engine, patience),
    middleware: [
      humanInTheLoopMiddleware({ interruptOn: { pay: true }, interruptMode: "per_call" }),
    ],
  });
  const run = async (
    threadId: string,
    content: string | undefined,
    shown: (event: AgentEvent) => Promise<void> = async () => undefined,
  ): Promise<AgentRunEnd> => {
    const input =
      content === undefined ? undefined : { messages: [{ type: "human", id: content, content }] };
    const events = runAgent({ agent, engine, threadId, input });
    for (;;) {
      const next = await events.next();
      if (next.done === true) return next.value;
      await shown(next.value);
    }
  };
  const approve = async (threadId: string): Promise<void> => {
    for (const review of await engine.openReviewsOf(threadId))
      await engine.decide({
        reviewId: review.id,
        decisions: review.actions.map(({ id }) => ({
          actionId: id,
          decision: { type: "approve" },
        })),
        reviewer: { id: "anna", name: "Anna" },
      });
  };
  return { engine, run, approve };
}

async function newFile(): Promise<string> {
  const folder = await makeFolder("ahead");
  onTestFinished(folder.remove);
  return `${folder.path}/db.sqlite`;
}

/** The messages that another process would find in the thread, those of tasks whose step is not over among them. */
async function onDisk(file: string): Promise<readonly BaseMessage[]> {
  const other = await open(`file:${file}`);
  const tuple = await checkpointer(other).getTuple({ configurable: { thread_id: "t" } });
  const written = (tuple?.pendingWrites ?? []).filter(([, channel]) => channel === "messages");
  return [
    tuple?.checkpoint.channel_values["messages"],
    ...written.map(([, , value]) => value),
  ].flatMap(
    (messages) => (messages ?? []) as BaseMessage[], // the agent's own state
  );
}

const pay = (amount: number): Call => ({ name: "pay", args: { amount } });
const note: Call = { name: "note", args: {} };

test("what a step shows is on disk when it is shown", async () => {
  const file = await newFile();
  const { run, approve } = await setUp(`file:${file}`, [note, pay(1)]);
  const shown: { readonly seen: number; readonly kept: number }[] = [];
  const look = async ({ method, params }: AgentEvent): Promise<void> => {
    if (method !== "values") return;
    const { data } = params as { data?: { messages?: unknown[] } };
    shown.push({ seen: data?.messages?.length ?? 0, kept: (await onDisk(file)).length });
  };
  expect((await run("t", "go", look)).status).toBe("interrupted");
  await approve("t");
  expect((await run("t", undefined, look)).status).toBe("completed");
  expect(shown.map(({ seen }) => seen)).toEqual(expect.arrayContaining([1, 2, 5]));
  expect(shown.filter(({ seen, kept }) => kept < seen)).toEqual([]);
});

test("a tool that nobody has to approve starts when the message that calls it is on disk", async () => {
  const file = await newFile();
  const found: string[][] = [];
  const { run } = await setUp(`file:${file}`, [note], {
    onNote: async () => {
      found.push((await onDisk(file)).map((message) => message.getType()));
    },
  });
  expect((await run("t", "go")).status).toBe("completed");
  expect(found).toEqual([["human", "ai"]]);
});

test("a step that cannot be saved ends the run: no tool starts, and nothing of it is shown", async () => {
  const file = await newFile();
  let started = 0;
  const { run } = await setUp(`file:${file}`, [note], {
    onNote: async () => {
      started += 1;
    },
  });
  const raw = new DatabaseSync(file);
  raw.exec(
    `CREATE TRIGGER seeded BEFORE INSERT ON checkpoints BEGIN SELECT RAISE(ABORT, 'seeded failure'); END`,
  );
  const shown: string[] = [];
  const end = await run("t", "go", async ({ method }) => void shown.push(method));
  expect(end.status === "failed" && String(end.error)).toContain("seeded failure");
  expect([started, shown.includes("values")]).toEqual([0, false]);
  raw.exec("DROP TRIGGER seeded");
  raw.close();
  expect((await run("t", "go")).status).toBe("completed");
  expect(started).toBe(1);
});

test("without runAgent a graph is on disk when it returns", async () => {
  const file = await newFile();
  const engine = await open(`file:${file}`);
  const model = new ScriptedModel(callsOnce());
  const agent = holdAgent({ model, tools: [], holdpoint: engine, interruptOn: {} });
  const config = { configurable: { thread_id: "t" } };
  await agent.invoke({ messages: [new HumanMessage("go")] }, config);
  expect(await onDisk(file)).toHaveLength(2);
});

test.each([1, 10])(
  "on Postgres a pause and its resume save checkpoints twice, with %i parallel calls",
  async (count) => {
    const postgres = await startPostgres();
    onTestFinished(async () => {
      for (const engine of engines.splice(0)) await engine.close();
      await postgres.stop();
    });
    const calls = Array.from({ length: count }, (_, index) => pay(index));
    const { run, approve } = await setUp(postgres.url, calls, { patience: 60_000 });
    const cycle = async (threadId: string): Promise<void> => {
      expect((await run(threadId, "go")).status).toBe("interrupted");
      await approve(threadId);
      expect((await run(threadId, undefined)).status).toBe("completed");
    };
    await cycle("the first prepares what all share");
    const statements = await statementsOf(() => cycle("t"));
    const about = statements.filter((text) => /holdpoint\.checkpoint/.test(text));
    const saves = about.filter((text) => text.includes("INSERT INTO holdpoint.checkpoints"));
    // Where the thread stands is read once before each run, and once after it for whoever asked.
    expect({ saves: saves.length, reads: about.length - saves.length }).toEqual({
      saves: 2,
      reads: 4,
    });
  },
);
