import { AIMessage, HumanMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  tool,
  toolRetryMiddleware,
} from "langchain";
import { type Engine, openEngine } from "@holdpoint/engine";
import { afterEach, expect, test } from "vitest";
import { z } from "zod";
import { holdAgent } from "../hold-agent.ts";
import { humanInTheLoopMiddleware } from "../gate/human-in-the-loop.ts";
import { recordedVote } from "../pause/pause.ts";
import { callsOnce, ScriptedModel, type Script } from "../testing/scripted-model.ts";

const engines: Engine[] = [];
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

const anna = { id: "anna", name: "Anna" };
const one: Script = callsOnce({ name: "pay", args: { amount: 1 } });
const config = { configurable: { thread_id: "t1" } };

function payTool(ran: number[], fails = false) {
  return tool(
    async ({ amount }) => {
      ran.push(amount);
      if (fails) throw new Error("the bank said no\n    at Bank.pay (/srv/app/bank.ts:3:1)");
      return `paid ${amount}`;
    },
    { name: "pay", description: "pays", schema: z.object({ amount: z.number() }) },
  );
}

async function held(
  options: { script?: Script; middleware?: AgentMiddleware[]; fails?: boolean } = {},
) {
  const engine = await openEngine({ database: ":memory:" });
  engines.push(engine);
  const ran: number[] = [];
  const agent = holdAgent({
    model: new ScriptedModel(options.script ?? one),
    tools: [payTool(ran, options.fails)],
    holdpoint: engine,
    interruptOn: { pay: true },
    middleware: options.middleware ?? [],
  });
  return { engine, agent, ran };
}

async function approveAll(engine: Engine): Promise<Record<string, unknown>> {
  const { reviews } = await engine.reviews.list({ status: "open", order: "oldest", limit: 10 });
  for (const review of reviews) {
    const decisions = review.actions.map((action) => ({
      actionId: action.id,
      decision: { type: "approve" as const },
    }));
    await engine.decide({ reviewId: review.id, decisions, reviewer: anna });
  }
  return Object.fromEntries(reviews.map((review) => [review.interruptId, recordedVote]));
}

function lastResult(state: { messages: BaseMessage[] }): string {
  return state.messages.findLast((message) => ToolMessage.isInstance(message))?.text ?? "";
}

/** Changes the arguments between the approval and the tool, as a careless middleware might (H30). */
const mutating = createMiddleware({
  name: "Mutating",
  wrapToolCall: (request, handler) =>
    handler({ ...request, toolCall: { ...request.toolCall, args: { amount: 999 } } }),
});

test("F28: arguments changed after the approval do not run, and the refusal is on record", async () => {
  const { engine, agent, ran } = await held({ middleware: [mutating] });
  await agent.invoke({ messages: [new HumanMessage("go")] }, config);
  const resume = await approveAll(engine);
  const state = await agent.invoke(new Command({ resume }), config);
  expect(ran).toEqual([]);
  expect(lastResult(state)).toContain("not the call that was approved");
});

test("negative control: without the guard on the tool, the changed arguments do run", async () => {
  const ran: number[] = [];
  const agent = createAgent({
    model: new ScriptedModel(one),
    tools: [payTool(ran)],
    middleware: [mutating],
  });
  await agent.invoke({ messages: [new HumanMessage("go")] });
  expect(ran).toEqual([999]);
});

test("a call that a middleware adds after the model spoke is held like any other", async () => {
  const adding = createMiddleware({
    name: "Adding",
    afterModel: (state) => {
      const last = state.messages.at(-1);
      if (!AIMessage.isInstance(last) || (last.tool_calls ?? []).length !== 1) return undefined;
      const added = {
        name: "pay",
        args: { amount: 7 },
        id: "call_added",
        type: "tool_call" as const,
      };
      return {
        messages: [
          new AIMessage({
            id: last.id ?? "",
            content: "",
            tool_calls: [...(last.tool_calls ?? []), added],
          }),
        ],
      };
    },
  });
  const { engine, agent, ran } = await held({ middleware: [adding] });
  await agent.invoke({ messages: [new HumanMessage("go")] }, config);
  expect(ran).toEqual([]);
  expect(
    (await engine.reviews.list({ status: "open", order: "oldest", limit: 10 })).reviews,
  ).toHaveLength(2);
});

test("a middleware that puts another tool in place of the registered one does not get it run", async () => {
  const ran: number[] = [];
  const other = payTool(ran);
  const swapping = createMiddleware({
    name: "Swapping",
    wrapToolCall: (request, handler) => handler({ ...request, tool: other }),
  });
  const { engine, agent, ran: registered } = await held({ middleware: [swapping] });
  await agent.invoke({ messages: [new HumanMessage("go")] }, config);
  await agent.invoke(new Command({ resume: await approveAll(engine) }), config);
  expect(ran).toEqual([]);
  expect(registered).toEqual([1]);
});

test("a retry inside a permit does not start the tool twice", async () => {
  const { engine, agent, ran } = await held({
    fails: true,
    middleware: [toolRetryMiddleware({ maxRetries: 2, initialDelayMs: 1 })],
  });
  await agent.invoke({ messages: [new HumanMessage("go")] }, config);
  const state = await agent.invoke(new Command({ resume: await approveAll(engine) }), config);
  expect(ran).toEqual([1]);
  expect(lastResult(state)).toBe("Error: `pay` failed: the bank said no");
});

test("a call to a tool that does not exist goes back to the model without asking anybody", async () => {
  const { engine, agent } = await held({ script: callsOnce({ name: "toString", args: {} }) });
  const state = await agent.invoke({ messages: [new HumanMessage("go")] }, config);
  expect(lastResult(state)).toContain("not a valid tool");
  expect(
    (await engine.reviews.list({ status: "open", order: "oldest", limit: 10 })).reviews,
  ).toEqual([]);
});

test("an unlisted tool of holdAgent is held", async () => {
  const engine = await openEngine({ database: ":memory:" });
  engines.push(engine);
  const ran: number[] = [];
  const agent = holdAgent({
    model: new ScriptedModel(one),
    tools: [payTool(ran)],
    holdpoint: engine,
    interruptOn: {},
  });
  await agent.invoke({ messages: [new HumanMessage("go")] }, config);
  expect(ran).toEqual([]);
});

test("a guarded tool that is called outside its agent refuses", async () => {
  const { agent, ran } = await held();
  const registered = agent.options.tools?.[0] as { invoke: (input: unknown) => Promise<unknown> };
  await expect(registered.invoke({ amount: 5 })).rejects.toThrow("outside its agent");
  expect(ran).toEqual([]);
});

test("the drop-in in batched mode holds a whole turn in one review, over LangGraph's own checkpointer", async () => {
  const engine = await openEngine({ database: ":memory:" });
  engines.push(engine);
  const ran: number[] = [];
  const script = callsOnce(
    { name: "pay", args: { amount: 1 } },
    { name: "pay", args: { amount: 2 } },
    { name: "pay", args: { amount: 3 } },
  );
  const agent = createAgent({
    model: new ScriptedModel(script),
    tools: [payTool(ran)],
    checkpointer: new MemorySaver(),
    middleware: [
      humanInTheLoopMiddleware({
        holdpoint: engine,
        interruptOn: {
          pay: {
            allowedDecisions: ["approve", "reject"],
            when: ({ toolCall }) => toolCall.args["amount"] !== 1,
          },
        },
      }),
    ],
  });
  const paused = (await agent.invoke(
    { messages: [new HumanMessage("go")] },
    config,
  )) as unknown as { __interrupt__: { value: { actionRequests: unknown[] } }[] };
  expect(paused.__interrupt__[0]?.value.actionRequests).toHaveLength(2);
  expect(ran).toEqual([]);
  const decisions = [{ type: "approve" }, { type: "reject" }];
  const state = await agent.invoke(new Command({ resume: { decisions } }), config);
  expect(ran.toSorted((a, b) => a - b)).toEqual([1, 2]);
  const results = state.messages.filter((message: BaseMessage) => ToolMessage.isInstance(message));
  expect(results.map((message: BaseMessage) => message.text.slice(0, 12))).toEqual([
    "paid 1",
    "paid 2",
    "The reviewer",
  ]);
});

test("the condition of a call that may run is asked once", async () => {
  const engine = await openEngine({ database: ":memory:" });
  engines.push(engine);
  const ran: number[] = [];
  let asked = 0;
  const when = () => {
    asked += 1;
    return false;
  };
  const agent = holdAgent({
    model: new ScriptedModel(one),
    tools: [payTool(ran)],
    holdpoint: engine,
    interruptOn: { pay: { allowedDecisions: ["approve"], when } },
  });
  await agent.invoke({ messages: [new HumanMessage("go")] }, config);
  expect({ asked, ran }).toEqual({ asked: 1, ran: [1] });
});

test("F32: a tool that was redeployed with another schema during the pause does not run on the old approval", async () => {
  const { engine, agent, ran } = await held();
  await agent.invoke({ messages: [new HumanMessage("go")] }, config);
  const resume = await approveAll(engine);
  const payInCents = tool(
    async ({ cents }) => {
      ran.push(cents);
      return "paid";
    },
    {
      name: "pay",
      description: "pays",
      schema: z.object({ amount: z.number().int(), cents: z.number().default(0) }),
    },
  );
  const redeployed = holdAgent({
    model: new ScriptedModel(one),
    tools: [payInCents],
    holdpoint: engine,
    interruptOn: { pay: true },
  });
  const state = await redeployed.invoke(new Command({ resume }), config);
  expect(ran).toEqual([]);
  expect(lastResult(state)).toContain("not the call that was approved");
});

test("one bare value answers none of several reviews; named by interrupt each is answered", async () => {
  const script = callsOnce(
    { name: "pay", args: { amount: 1 } },
    { name: "pay", args: { amount: 2 } },
  );
  const { engine, agent, ran } = await held({ script });
  await agent.invoke({ messages: [new HumanMessage("go")] }, config);
  const answer = { decisions: [{ type: "approve" }] };
  await expect(agent.invoke(new Command({ resume: answer }), config)).rejects.toThrow(
    "answers none of them",
  );
  expect(ran).toEqual([]);
  const { reviews } = await engine.reviews.list({ status: "open", order: "oldest", limit: 10 });
  await agent.invoke(new Command({ resume: { [reviews[1]?.interruptId ?? ""]: answer } }), config);
  expect(ran).toEqual([2]);
});

test("the drop-in accepts an edit, and asks its own rules about it", async () => {
  const engine = await openEngine({ database: ":memory:" });
  engines.push(engine);
  const ran: number[] = [];
  const agent = createAgent({
    model: new ScriptedModel(one),
    tools: [payTool(ran)],
    checkpointer: new MemorySaver(),
    middleware: [humanInTheLoopMiddleware({ holdpoint: engine, interruptOn: { pay: true } })],
  });
  await agent.invoke({ messages: [new HumanMessage("go")] }, config);
  const edit = { type: "edit", editedAction: { name: "pay", args: { amount: 5 } } };
  await agent.invoke(new Command({ resume: { decisions: [edit] } }), config);
  expect(ran).toEqual([5]);
});
