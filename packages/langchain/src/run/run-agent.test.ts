import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  RemoveMessage,
  ToolMessage,
} from "@langchain/core/messages";
import { interrupt, MemorySaver } from "@langchain/langgraph";
import { type AgentMiddleware, createAgent, createMiddleware, tool } from "langchain";
import type { NamedDecision, Permit } from "@holdpoint/core";
import { type Engine, openEngine } from "@holdpoint/engine";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { holdAgent } from "../hold-agent.ts";
import { callsOnce, ScriptedModel, type Script } from "../testing/scripted-model.ts";
import { graphOf, type HostedAgent } from "./hosted-agent.ts";
import { nextInput } from "./next-input.ts";
import { type AgentRunEnd, runAgent } from "./run-agent.ts";

const engines: Engine[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

function temporaryFile(): string {
  return join(mkdtempSync(join(tmpdir(), "run-")), "db.sqlite");
}

async function open(path = temporaryFile()): Promise<Engine> {
  const engine = await openEngine({ database: `file:${path}` });
  engines.push(engine);
  return engine;
}

const card = { formType: "pay", fields: [{ name: "amount", type: "number", required: true }] };

type Asked = { readonly runId?: string; readonly signal?: AbortSignal };

/** An agent with one thread, whose tools tell the test when they run. */
async function setUp(
  script: Script,
  options: {
    middleware?: AgentMiddleware[];
    interruptMode?: "batched";
    onNote?: () => unknown;
  } = {},
) {
  const ran: string[] = [];
  const pay = tool(
    async ({ amount }) => {
      ran.push(`pay ${amount}`);
      return `paid ${amount}`;
    },
    { name: "pay", description: "pays", schema: z.object({ amount: z.number() }) },
  );
  const note = tool(
    async ({ text }) => {
      ran.push(`note ${text}`);
      await options.onNote?.();
      return `noted ${text}`;
    },
    { name: "note", description: "notes", schema: z.object({ text: z.string() }) },
  );
  const ask = tool(async () => `got ${JSON.stringify(interrupt(card))}`, {
    name: "ask",
    description: "asks",
    schema: z.object({}),
  });
  const path = temporaryFile();
  const engine = await open(path);
  const model = new ScriptedModel(script);
  const agent = holdAgent({
    model,
    tools: [pay, note, ask],
    holdpoint: engine,
    interruptOn: { pay: true, note: false, ask: false },
    interruptMode: options.interruptMode,
    middleware: options.middleware ?? [],
  });
  const run = (input: { id: string; content: string } | undefined, asked: Asked = {}) =>
    toEnd(agent, engine, input, asked);
  return {
    path,
    ran,
    engine,
    model,
    run,
    next: () => nextInput(graphOf(agent), engine, { threadId: "t1", input: undefined }),
    ask: (id: string, asked?: Asked) => run({ id, content: id }, asked),
    messages: async (): Promise<BaseMessage[]> => {
      const { values } = await graphOf(agent).getState({ configurable: { thread_id: "t1" } });
      return (values as { messages?: BaseMessage[] }).messages ?? []; // the agent's own state
    },
    decide: async (decision: NamedDecision["decision"]) => {
      for (const review of await engine.openReviewsOf("t1")) {
        const decisions = review.actions.map(({ id }) => ({ actionId: id, decision }));
        const reviewer = { id: "anna", name: "Anna" };
        await engine.decide({ reviewId: review.id, decisions, reviewer });
      }
    },
  };
}

async function toEnd(
  agent: HostedAgent,
  engine: Engine,
  message: { id: string; content: string } | undefined,
  asked: Asked = {},
): Promise<AgentRunEnd> {
  const input = message === undefined ? undefined : { messages: [{ type: "human", ...message }] };
  const events = runAgent({ agent, engine, threadId: "t1", input, ...asked });
  for (;;) {
    const next = await events.next();
    if (next.done === true) return next.value;
  }
}

function told(messages: readonly BaseMessage[]): string[] {
  return messages.map((message) =>
    ToolMessage.isInstance(message)
      ? `tool ${message.tool_call_id}: ${message.text}`
      : `${message.getType()} ${message.text}`.trim(),
  );
}

const both = callsOnce({ name: "pay", args: { amount: 1 } }, { name: "note", args: { text: "a" } });

test("a call that was waiting when its run was given up gets one result before the next message", async () => {
  const agent = await setUp(both);
  expect((await agent.ask("first")).status).toBe("interrupted");
  await agent.ask("second");
  expect(told(await agent.messages()).slice(0, 5)).toEqual([
    "human first",
    "ai",
    expect.stringContaining("tool call_1_0: This call to `pay` was stopped before it ran"),
    "tool call_1_1: noted a",
    "human second",
  ]);
  expect(agent.ran.filter((one) => one.startsWith("pay"))).toEqual([]);
});

const started = async ({ engine, permit }: Waiting) =>
  engine.startPermit(permit.actionId, permit.digest);
const recorded = async ({ engine, permit }: Waiting) => {
  const start = await engine.startPermit(permit.actionId, permit.digest);
  if (start.type === "refused") throw new Error(start.refusal.message);
  const message = { content: "paid 1", status: "success", name: "pay" };
  await engine.closePermit(permit.actionId, start.permit.fence, { status: "succeeded", message });
};

type Waiting = { readonly engine: Engine; readonly permit: Permit };

test.each([
  ["with a receipt keeps what the receipt says", recorded, /^paid 1$/],
  ["that had started may have run", started, /it may have run/],
  ["that was approved and had not started never ran", async () => undefined, /before it ran/],
])("a call of a stopped run %s", async (_, before, text) => {
  const agent = await setUp(both);
  await agent.ask("first");
  const [review] = await agent.engine.openReviewsOf("t1");
  const toolCallId = review?.actions[0]?.toolCallId ?? "";
  const key = { threadId: "t1", turnId: review?.turnId ?? "", toolCallId };
  await agent.decide({ type: "approve" });
  const permit = (await agent.engine.findAction(key))?.permit;
  if (permit === undefined) throw new Error("no permit");
  await before({ engine: agent.engine, permit });
  await agent.ask("second");
  const results = (await agent.messages()).filter((message) => ToolMessage.isInstance(message));
  const ofFirst = results.map((message) => message.tool_call_id).slice(0, 2);
  expect(ofFirst).toEqual(["call_1_0", "call_1_1"]);
  expect(results[0]?.text).toMatch(text);
});

test("a rejection that no run has read yet is told before the next message", async () => {
  const agent = await setUp(both);
  await agent.ask("first");
  await agent.decide({ type: "reject", message: "too much" });
  await agent.ask("second");
  expect(told(await agent.messages())[2]).toContain("too much");
});

test("an answered card after the calls hides none of them when a new message ends the turn", async () => {
  const agent = await setUp(
    callsOnce({ name: "pay", args: { amount: 1 } }, { name: "ask", args: {} }),
  );
  await agent.ask("first");
  const open = await agent.engine.openReviewsOf("t1");
  const question = open.find((review) => review.actions[0]?.reasonCode === "question");
  const actionId = question?.actions[0]?.id;
  if (question === undefined || actionId === undefined) throw new Error("no open question");
  await agent.engine.decide({
    reviewId: question.id,
    decisions: [{ actionId, decision: { type: "respond", value: { amount: 5 } } }],
    reviewer: { id: "anna", name: "Anna" },
    addMessages: [{ type: "ai", id: "card", content: "5 it is" }],
  });
  expect(await agent.run(undefined)).toMatchObject({ status: "interrupted" });
  await agent.ask("second");
  expect(told(await agent.messages()).slice(0, 6)).toEqual([
    "human first",
    "ai",
    "ai 5 it is",
    expect.stringContaining("tool call_1_0: This call to `pay` was stopped before it ran"),
    'tool call_1_1: got {"amount":5}',
    "human second",
  ]);
});

test("a free call that was cut off by a cancel may have run, and the thread goes on", async () => {
  const controller = new AbortController();
  let rounds = 0;
  const agent = await setUp(callsOnce({ name: "note", args: { text: "a" } }), {
    onNote: () => {
      rounds += 1;
      if (rounds > 1) return undefined;
      controller.abort();
      return new Promise(() => undefined); // never ends
    },
  });
  expect((await agent.ask("first", { signal: controller.signal })).status).toBe("failed");
  expect((await agent.ask("second")).status).toBe("completed");
  const history = told(await agent.messages());
  expect(history[2]).toMatch(/^tool call_1_0: .*it may have run/);
  expect(history.slice(3)).toEqual(["human second", "ai", "tool call_4_0: noted a", "ai done"]);
});

/** Replaces the person's message by a summary, as a summarizing middleware does. */
const forgetful = createMiddleware({
  name: "Forgetful",
  beforeModel: ({ messages }) =>
    messages.length > 1 && messages.some(({ id }) => id === "first")
      ? {
          messages: [
            new RemoveMessage({ id: "first" }),
            new HumanMessage({ id: "summary", content: "the user asked to pay" }),
          ],
        }
      : undefined,
});

test("a turn that waits as a whole has nothing to continue, and one answer lets all its calls run in order", async () => {
  const calls = [
    { name: "note", args: { text: "first" } },
    { name: "pay", args: { amount: 1 } },
    { name: "pay", args: { amount: 2 } },
  ];
  const { ask, run, decide, ran, next } = await setUp(callsOnce(...calls), {
    interruptMode: "batched",
  });
  const paused = await ask("go");
  expect(paused).toMatchObject({
    status: "interrupted",
    open: [{ review: { actions: [{}, {}] } }],
  });
  expect(await next()).toEqual({ type: "nothing" });
  expect(ran).toEqual([]);
  await decide({ type: "approve" });
  expect(await run(undefined)).toEqual({ status: "completed" });
  expect(ran).toEqual(["note first", "pay 1", "pay 2"]);
});

test("a recovered run is not given its input again when the agent has summarized it away", async () => {
  let turn = 0;
  const script: Script = () => {
    turn += 1;
    const name = turn === 1 ? "note" : "pay";
    const args = turn === 1 ? { text: "a" } : { amount: turn };
    const call = { name, args, id: `call_${turn}`, type: "tool_call" as const };
    return new AIMessage({ content: "", tool_calls: [call] });
  };
  const agent = await setUp(script, { middleware: [forgetful] });
  expect((await agent.ask("first", { runId: "run_1" })).status).toBe("interrupted");
  const again = await agent.ask("first", { runId: "run_1" });
  expect(again).toMatchObject({ status: "interrupted", open: [expect.anything()] });
  expect(await agent.engine.openReviewsOf("t1")).toHaveLength(1);
  expect(turn).toBe(2);
});

test("a run that died right after its input was saved continues with it", async () => {
  const agent = await setUp(callsOnce());
  await agent.ask("first", { runId: "run_1" });
  const database = new DatabaseSync(agent.path, { timeout: 5000 });
  database.exec("DELETE FROM checkpoints WHERE id > (SELECT min(id) FROM checkpoints)");
  database.exec("DELETE FROM checkpoint_writes");
  database.close();
  expect(told(await agent.messages())).toEqual([]);
  expect((await agent.ask("first", { runId: "run_1" })).status).toBe("completed");
  expect(told(await agent.messages())).toEqual(["human first", "ai"]);
  expect((await agent.ask("second", { runId: "run_2" })).status).toBe("completed");
  expect(told(await agent.messages()).slice(2)).toEqual(["human second", "ai"]);
});

test.each([1, 2, 3, 4])(
  "a run that died when all tasks of a step had written, before the step was saved, goes on: %i of 5 steps",
  async (saved) => {
    const agent = await setUp(callsOnce({ name: "note", args: { text: "a" } }));
    await agent.ask("first", { runId: "run_1" });
    const whole = told(await agent.messages());
    const database = new DatabaseSync(agent.path, { timeout: 5000 });
    database.exec(
      `DELETE FROM checkpoints WHERE id NOT IN (SELECT id FROM checkpoints ORDER BY id LIMIT ${saved})`,
    );
    database.exec(
      "DELETE FROM checkpoint_writes WHERE checkpoint_id NOT IN (SELECT id FROM checkpoints)",
    );
    database.close();
    expect((await agent.ask("first", { runId: "run_1" })).status).toBe("completed");
    expect(told(await agent.messages())).toEqual(whole);
    expect((await agent.ask("second", { runId: "run_2" })).status).toBe("completed");
    expect(told(await agent.messages()).slice(4)).toEqual([
      "human second",
      "ai",
      "tool call_5_0: noted a",
      "ai done",
    ]);
  },
);

test("an agent with another checkpointer ends as failed and says what to do", async () => {
  const engine = await open();
  const model = new ScriptedModel(callsOnce());
  const agent = createAgent({ model, tools: [], checkpointer: new MemorySaver() });
  const end = await toEnd(agent, engine, { id: "first", content: "first" });
  expect(end.status === "failed" && String(end.error)).toContain("build it with holdAgent");
});

test("a database that is gone ends the run as failed", async () => {
  const agent = await setUp(callsOnce());
  for (const engine of engines.splice(0)) await engine.close();
  expect((await agent.ask("first")).status).toBe("failed");
  expect((await agent.run(undefined)).status).toBe("failed");
});
