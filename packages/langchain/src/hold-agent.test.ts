import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HumanMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { Command, InMemoryStore, isInvalidResume } from "@langchain/langgraph";
import { tool } from "langchain";
import type { NamedDecision } from "@holdpoint/core";
import { openEngine } from "@holdpoint/engine";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { holdAgent } from "./hold-agent.ts";
import { recordedVote } from "./pause/pause.ts";
import { callsOnce, ScriptedModel, type Script } from "./testing/scripted-model.ts";

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const anna = { id: "anna", name: "Anna" };

async function setUp(
  script: Script,
  database = `file:${join(mkdtempSync(join(tmpdir(), "hold-")), "db.sqlite")}`,
) {
  const ran: string[] = [];
  const write = tool(
    async ({ path, text }) => {
      ran.push(`${path}=${text}`);
      return `wrote ${path}`;
    },
    {
      name: "write",
      description: "writes",
      schema: z.object({ path: z.string(), text: z.string() }),
    },
  );
  const read = tool(async ({ path }) => `read ${path}`, {
    name: "read",
    description: "reads",
    schema: z.object({ path: z.string() }),
  });
  const engine = await openEngine({ database });
  closers.push(engine.close);
  const model = new ScriptedModel(script);
  const agent = holdAgent({
    model,
    tools: [write, read],
    holdpoint: engine,
    interruptOn: { write: true, read: false },
  });
  const config = { configurable: { thread_id: "t1" } };
  return {
    ran,
    engine,
    model,
    database,
    ask: (text: string) => agent.invoke({ messages: [new HumanMessage(text)] }, config),
    resume: (id: string, value: unknown = recordedVote) =>
      agent.invoke(new Command({ resume: { [id]: value } }), config),
    open: async () =>
      (await engine.reviews.list({ status: "open", order: "oldest", limit: 10 })).reviews,
    decide: async (decision: NamedDecision["decision"]) => {
      const [review] = (await engine.reviews.list({ status: "open", order: "oldest", limit: 1 }))
        .reviews;
      if (review === undefined) throw new Error("no open review");
      const decisions = review.actions.map((action) => ({ actionId: action.id, decision }));
      const result = await engine.decide({ reviewId: review.id, decisions, reviewer: anna });
      return { review, result };
    },
  };
}

function results(messages: readonly BaseMessage[]): string[] {
  return messages
    .filter((message) => ToolMessage.isInstance(message))
    .map((message) => message.text);
}

const two: Script = callsOnce(
  { name: "read", args: { path: "a" } },
  { name: "write", args: { path: "b", text: "x" } },
);

test("a held call waits, survives a restart, and runs once after approval", async () => {
  const first = await setUp(two);
  await first.ask("go");
  expect(first.ran).toEqual([]);
  expect(await first.open()).toHaveLength(1);
  const second = await setUp(two, first.database);
  const { review, result } = await second.decide({ type: "approve" });
  expect(result.type).toBe("recorded");
  const state = await second.resume(review.interruptId);
  expect(second.ran).toEqual(["b=x"]);
  expect(results(state.messages)).toEqual(["read a", "wrote b"]);
  expect(state.messages.at(-1)?.text).toBe("done");
  const settled = await second.engine.reviews.view(review.id);
  expect(settled?.actions[0]?.permit).toBe("succeeded");
});

test("resuming twice at once runs the tool once, and both callers get the result", async () => {
  const agent = await setUp(two);
  await agent.ask("go");
  const { review } = await agent.decide({ type: "approve" });
  await Promise.all([agent.resume(review.interruptId), agent.resume(review.interruptId)]);
  expect(agent.ran).toEqual(["b=x"]);
});

test("an edit runs the edited call, and the model's history shows it", async () => {
  const agent = await setUp(two);
  await agent.ask("go");
  const { review } = await agent.decide({
    type: "edit",
    editedAction: { name: "write", args: { path: "b", text: "y" } },
  });
  const state = await agent.resume(review.interruptId);
  expect(agent.ran).toEqual(["b=y"]);
  const asked = agent.model.asked.at(-1)?.find((message) => message.getType() === "ai");
  expect(JSON.stringify(asked)).toContain('"text":"y"');
  expect(
    JSON.stringify(state.messages.find((message: BaseMessage) => message.getType() === "ai")),
  ).toContain('"text":"y"');
});

test("a rejection with a reason reaches the model, and nothing runs", async () => {
  const agent = await setUp(two);
  await agent.ask("go");
  const { review } = await agent.decide({ type: "reject", message: "wrong file" });
  const state = await agent.resume(review.interruptId);
  expect(agent.ran).toEqual([]);
  expect(results(state.messages)[1]).toContain(
    "wrong file. The tool was not executed. Adjust accordingly",
  );
});

test("a bare resume is a vote: a wrong one changes nothing and the right one still works", async () => {
  const agent = await setUp(two);
  await agent.ask("go");
  const [review] = await agent.open();
  if (review === undefined) throw new Error("no open review");
  const refused: unknown = await agent
    .resume(review.interruptId, { decisions: [] })
    .catch((error: unknown) => error);
  expect(isInvalidResume(refused)).toBe(true);
  expect(String(refused)).toContain("holds 1 action(s) but 0");
  expect(agent.ran).toEqual([]);
  await agent.resume(review.interruptId, { decisions: [{ type: "approve" }] });
  expect(agent.ran).toEqual(["b=x"]);
});

test("a call whose arguments do not fit its schema goes back to the model without asking anybody", async () => {
  const agent = await setUp(callsOnce({ name: "write", args: { path: 7 } }));
  const state = await agent.ask("go");
  expect(results(state.messages)[0]).toContain("do not fit its schema");
  expect(await agent.open()).toEqual([]);
});

test.each([
  ["unlistd", "unlisted"],
  ["interrupt_on", "interruptOn"],
  ["interruptmode", "interruptMode"],
])("H15: %s is refused when the agent is built, and %s proposed", async (written, meant) => {
  const engine = await openEngine({ database: ":memory:" });
  closers.push(engine.close);
  const model = new ScriptedModel(two);
  const build = () => holdAgent({ model, tools: [], holdpoint: engine, [written]: "allow" });
  expect(build).toThrow(
    expect.objectContaining({
      code: "config_invalid",
      details: { key: written },
      message: `The option ${written} is not known; did you mean ${meant}?`,
    }),
  );
});

test("every option of createAgent is taken", async () => {
  const engine = await openEngine({ database: ":memory:" });
  closers.push(engine.close);
  const model = new ScriptedModel(two);
  const signal = new AbortController().signal;
  const plain = { systemPrompt: "Be brief.", description: "d", version: "v2", signal } as const;
  const more = { includeAgentName: "inline", name: "a", stateSchema: z.object({}) } as const;
  const rest = { contextSchema: z.object({}), store: new InMemoryStore(), streamTransformers: [] };
  expect(() =>
    holdAgent({ model, tools: [], holdpoint: engine, ...plain, ...more, ...rest }),
  ).not.toThrow();
});
