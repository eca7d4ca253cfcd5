import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { HumanMessage } from "@langchain/core/messages";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { createAgent, createMiddleware, tool } from "langchain";
import type { NamedDecision, ReviewView } from "@holdpoint/core";
import { type Engine, openEngine } from "@holdpoint/engine";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { holdAgent } from "../hold-agent.ts";
import { callsOnce, ScriptedModel } from "../testing/scripted-model.ts";
import { humanInTheLoopMiddleware } from "../gate/human-in-the-loop.ts";
import { recordedVote } from "./pause.ts";

const cleanUps: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).toReversed()) await cleanUp();
});

const anna = { id: "anna", name: "Anna" };
const config = { configurable: { thread_id: "t1" } };
const two = callsOnce({ name: "pay", args: { amount: 1 } }, { name: "pay", args: { amount: 2 } });
const once = callsOnce({ name: "pay", args: { amount: 1 } });

async function open(database = ":memory:"): Promise<Engine> {
  const engine = await openEngine({ database });
  cleanUps.push(() => engine.close());
  return engine;
}

function payTool(ran: number[]) {
  return tool(
    async ({ amount }) => {
      ran.push(amount);
      return `paid ${amount}`;
    },
    { name: "pay", description: "pays", schema: z.object({ amount: z.number() }) },
  );
}

async function openReviews(engine: Engine): Promise<readonly ReviewView[]> {
  return (await engine.reviews.list({ status: "open", order: "oldest", limit: 10 })).reviews;
}

async function first(
  engine: Engine,
): Promise<ReviewView & { readonly actionId: NamedDecision["actionId"] }> {
  const [review] = await openReviews(engine);
  const action = review?.actions[0];
  if (review === undefined || action === undefined) throw new Error("no open review");
  return { ...review, actionId: action.id };
}

function resume(value: Record<string, unknown>): Command {
  return new Command({ resume: value });
}

type Paused = { readonly __interrupt__?: readonly unknown[] };

test("a vote that was refused as ambiguous is not cast again when a sibling is resumed", async () => {
  const engine = await open();
  const ran: number[] = [];
  const agent = holdAgent({
    model: new ScriptedModel(two),
    tools: [payTool(ran)],
    holdpoint: engine,
    interruptOn: { pay: true },
  });
  await agent.invoke({ messages: [new HumanMessage("go")] }, config);
  await expect(agent.invoke(resume({ decisions: [{ type: "approve" }] }), config)).rejects.toThrow(
    "answers none of them",
  );
  const [a, b] = await openReviews(engine);
  const actionId = b?.actions[0]?.id;
  if (a === undefined || b === undefined || actionId === undefined)
    throw new Error("two reviews expected");
  await engine.decide({
    reviewId: b.id,
    decisions: [{ actionId, decision: { type: "reject" } }],
    reviewer: anna,
  });
  await agent.invoke(resume({ [b.interruptId]: recordedVote }), config);
  expect(ran).toEqual([]);
  expect((await engine.reviews.view(a.id))?.status).toBe("open");
});

test("an edit that policy refused is not accepted later without anybody sending it again", async () => {
  const engine = await open();
  const ran: number[] = [];
  let isStrict = true;
  const agent = holdAgent({
    model: new ScriptedModel(two),
    tools: [payTool(ran)],
    holdpoint: engine,
    interruptOn: { pay: true },
  });
  engine.registerAgent("agent", async () => ({
    type: isStrict ? "deny" : "allow",
    rule: "test",
    reason: "test",
  }));
  await agent.invoke({ messages: [new HumanMessage("go")] }, config);
  const [a, b] = await openReviews(engine);
  const actionId = b?.actions[0]?.id;
  if (a === undefined || b === undefined || actionId === undefined)
    throw new Error("two reviews expected");
  const edit = { type: "edit", editedAction: { name: "pay", args: { amount: 500 } } };
  await expect(
    agent.invoke(resume({ [a.interruptId]: { decisions: [edit] } }), config),
  ).rejects.toThrow("policy does not allow the edited call");
  isStrict = false;
  await engine.decide({
    reviewId: b.id,
    decisions: [{ actionId, decision: { type: "reject" } }],
    reviewer: anna,
  });
  await agent.invoke(resume({ [b.interruptId]: recordedVote }), config);
  expect(ran).toEqual([]);
});

test("a vote on the gate never answers the tool's own question", async () => {
  const engine = await open();
  const answers: unknown[] = [];
  const asking = tool(
    async () => {
      const answer: unknown = interrupt("really?");
      answers.push(answer);
      return `answered ${String(answer)}`;
    },
    { name: "pay", description: "pays", schema: z.object({ amount: z.number() }) },
  );
  const agent = holdAgent({
    model: new ScriptedModel(once),
    tools: [asking],
    holdpoint: engine,
    interruptOn: { pay: true },
  });
  await agent.invoke({ messages: [new HumanMessage("go")] }, config);
  const held = await first(engine);
  await expect(agent.invoke(resume({ [held.interruptId]: "yes" }), config)).rejects.toThrow(
    "was not understood",
  );
  await agent.invoke(resume({ [held.interruptId]: { decisions: [{ type: "approve" }] } }), config);
  const question = await first(engine);
  expect(question.actions[0]?.args).toEqual({ question: "really?" });
  await agent.invoke(resume({ [question.interruptId]: "the answer" }), config);
  expect(answers).toEqual(["the answer"]);
});

test("a second review of a task takes a right answer after a wrong one, by the record and by a vote", async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-votes-"));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  const database = `file:${join(folder, "db.sqlite")}`;
  const ran: number[] = [];
  const build = async () => {
    const engine = await openEngine({ database });
    const agent = holdAgent({
      model: new ScriptedModel(once),
      tools: [payTool(ran)],
      holdpoint: engine,
      interruptOn: { pay: true },
    });
    return { engine, agent };
  };
  const before = await build();
  await before.agent.invoke({ messages: [new HumanMessage("go")] }, config);
  const held = await first(before.engine);
  const decisions = [{ actionId: held.actionId, decision: { type: "approve" as const } }];
  await before.engine.decide({ reviewId: held.id, decisions, reviewer: anna });
  // As if the process had died in the tool.
  const permit = await before.engine.startPermit(
    held.actionId,
    held.actions[0]?.digest as `sha256:${string}`,
  );
  expect(permit.type).toBe("done");
  await before.engine.close();

  const after = await build();
  cleanUps.push(() => after.engine.close());
  await after.agent.invoke(resume({ [held.interruptId]: recordedVote }), config);
  const asked = await first(after.engine);
  expect(asked.cause).toBe("unknown_receipt");
  await expect(
    after.agent.invoke(resume({ [asked.interruptId]: { decisions: [] } }), config),
  ).rejects.toThrow("but 0 decision(s)");
  const again = await first(after.engine);
  expect(again.id).toBe(asked.id);
  const answer = { decisions: [{ type: "respond", message: "it ran, I checked" }] };
  const done = (await after.agent.invoke(
    resume({ [again.interruptId]: answer }),
    config,
  )) as Paused;
  expect(done.__interrupt__).toBeUndefined();
  expect(ran).toEqual([]);
});

test("decisions that name their actions are matched by name, not by place", async () => {
  const engine = await open();
  const ran: number[] = [];
  const agent = createAgent({
    model: new ScriptedModel(two),
    tools: [payTool(ran)],
    checkpointer: new MemorySaver(),
    middleware: [humanInTheLoopMiddleware({ holdpoint: engine, interruptOn: { pay: true } })],
  });
  await agent.invoke({ messages: [new HumanMessage("go")] }, config);
  const [one, other] = (await first(engine)).actions;
  const decisions = [
    { type: "approve", actionId: other?.id },
    { type: "reject", action_id: one?.id },
  ];
  await agent.invoke(resume({ decisions }), config);
  expect(ran).toEqual([2]);
});

test("a tool that a middleware brings is held like any other", async () => {
  const engine = await open();
  const ran: number[] = [];
  const bringing = createMiddleware({ name: "Bringing", tools: [payTool(ran)] });
  const agent = holdAgent({
    model: new ScriptedModel(once),
    tools: [],
    middleware: [bringing],
    holdpoint: engine,
    interruptOn: { pay: true },
  });
  await agent.invoke({ messages: [new HumanMessage("go")] }, config);
  expect(ran).toEqual([]);
  const held = await first(engine);
  await agent.invoke(resume({ [held.interruptId]: { decisions: [{ type: "approve" }] } }), config);
  expect(ran).toEqual([1]);
});

test("batched: a malformed call and a call to no tool are not asked about", async () => {
  const engine = await open();
  const script = callsOnce(
    { name: "pay", args: { amount: "seven" } },
    { name: "nowhere", args: {} },
  );
  const agent = holdAgent({
    model: new ScriptedModel(script),
    tools: [payTool([])],
    holdpoint: engine,
    interruptOn: { pay: true },
    interruptMode: "batched",
  });
  await agent.invoke({ messages: [new HumanMessage("go")] }, config);
  expect(await openReviews(engine)).toEqual([]);
});

test("F32: batched: a tool redeployed with another schema does not run on the old approval", async () => {
  const engine = await open();
  const ran: number[] = [];
  const build = (amount: z.ZodNumber) =>
    holdAgent({
      model: new ScriptedModel(once),
      tools: [
        tool(
          async (args: { amount: number }) => {
            ran.push(args.amount);
            return "paid";
          },
          { name: "pay", description: "pays", schema: z.object({ amount }) },
        ),
      ],
      holdpoint: engine,
      interruptOn: { pay: true },
      interruptMode: "batched",
    });
  await build(z.number()).invoke({ messages: [new HumanMessage("go")] }, config);
  const held = await first(engine);
  expect(held.actions[0]?.argsSchema).toBeDefined();
  const decisions = [{ actionId: held.actionId, decision: { type: "approve" as const } }];
  await engine.decide({ reviewId: held.id, decisions, reviewer: anna });
  await build(z.number().max(5)).invoke(resume({ [held.interruptId]: recordedVote }), config);
  expect(ran).toEqual([]);
});

test("a tool that is stopped while it works leaves an unknown receipt, never a failed one", async () => {
  const engine = await open();
  const stop = new AbortController();
  const slow = tool(
    async () => {
      stop.abort();
      await new Promise((resolve) => setImmediate(resolve));
      return "paid after all";
    },
    { name: "pay", description: "pays", schema: z.object({ amount: z.number() }) },
  );
  const agent = holdAgent({
    model: new ScriptedModel(once),
    tools: [slow],
    holdpoint: engine,
    interruptOn: { pay: true },
  });
  await agent.invoke({ messages: [new HumanMessage("go")] }, config);
  const held = await first(engine);
  const answer = resume({ [held.interruptId]: { decisions: [{ type: "approve" }] } });
  await agent.invoke(answer, { ...config, signal: stop.signal }).catch(() => undefined);
  await expect
    .poll(async () => (await engine.reviews.view(held.id))?.actions[0]?.permit)
    .toBe("unknown");
});
