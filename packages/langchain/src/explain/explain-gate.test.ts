import { type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { openEngine } from "@holdpoint/engine";
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  humanInTheLoopMiddleware as stockMiddleware,
  tool,
  toolRetryMiddleware,
} from "langchain";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { humanInTheLoopMiddleware } from "../gate/human-in-the-loop.ts";
import type { HumanInTheLoopOptions } from "../gate/options.ts";
import { holdAgent } from "../hold-agent.ts";
import { callsOnce, ScriptedModel } from "../testing/scripted-model.ts";
import { explainGate } from "./explain-gate.ts";

const engine = await openEngine({ database: ":memory:" });
afterAll(() => engine.close());

type Args = Readonly<Record<string, unknown>>;

const toolNamed = (name: string) =>
  tool(async ({ amount }) => `did ${name} ${amount}`, {
    name,
    description: "does",
    schema: z.object({ amount: z.number() }),
    metadata: { risky: true },
  });
const tools = ["mcp_pay", "mcp_read", "send_email"].map(toolNamed);
const thread = { configurable: { thread_id: "t" } };

function gated(
  options: HumanInTheLoopOptions,
  call: { readonly name: string; readonly args: Args },
  more: {
    readonly before?: AgentMiddleware[];
    readonly after?: AgentMiddleware[];
    readonly checkpointer?: MemorySaver | false;
    readonly version?: "v1" | "v2";
  } = {},
) {
  const { before = [], after = [], checkpointer = new MemorySaver(), version = "v2" } = more;
  return createAgent({
    model: new ScriptedModel(callsOnce({ ...call })),
    tools,
    version,
    middleware: [...before, humanInTheLoopMiddleware(options), ...after],
    ...(checkpointer === false ? {} : { checkpointer }),
  });
}

const held = (name: string, args: Args, options?: Omit<HumanInTheLoopOptions, "holdpoint">) =>
  holdAgent({
    model: new ScriptedModel(callsOnce({ name, args })),
    tools,
    holdpoint: engine,
    ...options,
  });

let threads = 0;

/** What really becomes of the call that the agent's model makes. */
async function observe(agent: Pick<ReturnType<typeof createAgent>, "invoke">, context?: object) {
  threads += 1;
  const config = {
    configurable: { thread_id: `observed-${threads}` },
    ...(context && { context }),
  };
  try {
    const state = await agent.invoke({ messages: [new HumanMessage("go")] }, config);
    const [interrupt] = (state as { __interrupt__?: unknown[] }).__interrupt__ ?? [];
    if (interrupt !== undefined) return "waits";
    const result = state.messages.find((one: BaseMessage) => ToolMessage.isInstance(one));
    return result?.text.startsWith("did ") === true ? "runs" : "is answered";
  } catch (error) {
    return `fails: ${error instanceof Error ? error.message : ""}`;
  }
}

const overHundred: HumanInTheLoopOptions = {
  interruptOn: {
    mcp_read: false,
    "mcp_*": {
      allowedDecisions: ["approve", "reject"],
      when: ({ toolCall }) => toolCall.args.amount > 100,
    },
    "*": true,
  },
};

describe("an explanation says what really happens", () => {
  test.each([
    ["mcp_pay", 101, { fate: "held", key: "mcp_*", condition: { answer: true } }, "waits"],
    ["mcp_pay", 100, { fate: "free", key: "mcp_*", condition: { answer: false } }, "runs"],
    ["mcp_read", 500, { fate: "free", key: "mcp_read" }, "runs"],
    ["send_email", 1, { fate: "held", key: "*" }, "waits"],
    ["send_email", "x", { fate: "returned", key: "*" }, "is answered"],
  ])("of %s with %s", async (name, amount, expected, really) => {
    for (const agent of [
      gated(overHundred, { name, args: { amount } }),
      gated({ ...overHundred, interruptMode: "per_call" }, { name, args: { amount } }),
      held(name, { amount }, overHundred),
    ]) {
      expect(await explainGate(agent, { name, args: { amount } })).toMatchObject(expected);
      expect(await observe(agent)).toBe(really);
    }
  });

  test.each([
    ["allow", "free", "runs"],
    ["review", "held", "waits"],
    ["deny", "denied", "is answered"],
  ] as const)("of a tool that is not listed, with unlisted: %s", async (unlisted, fate, really) => {
    const call = { name: "send_email", args: { amount: 1 } };
    const options = { interruptOn: { "mcp_*": true }, unlisted };
    for (const agent of [gated(options, call), held(call.name, call.args, options)]) {
      const explanation = await explainGate(agent, call);
      expect(explanation).toMatchObject({ fate, unlisted, verdict: { rule: "unlisted" } });
      expect(explanation).not.toHaveProperty("key");
      expect(explanation.text).toContain(
        `No key of interruptOn matches it, and unlisted is "${unlisted}".`,
      );
      expect(await observe(agent)).toBe(really);
    }
  });

  test("of a condition that fails, with what went wrong", async () => {
    const call = { name: "mcp_pay", args: { amount: 1 } };
    const options: HumanInTheLoopOptions = {
      interruptOn: {
        mcp_pay: {
          allowedDecisions: ["approve"],
          when: () => {
            throw new Error("no connection");
          },
        },
      },
    };
    const agent = gated(options, call);
    const explanation = await explainGate(agent, call);
    expect(explanation).toMatchObject({
      fate: "held",
      condition: { type: "failed", problem: "it threw: no connection" },
    });
    expect(explanation.text).toContain("its condition failed (it threw: no connection)");
    expect(await observe(agent)).toBe("waits");
  });

  test("of a call to no tool of the agent", async () => {
    const call = { name: "delete_all", args: {} };
    const closed = await explainGate(held("delete_all", {}), call);
    expect(closed).toMatchObject({
      fate: "no_such_tool",
      tool: { isRegistered: false, isWrapped: "never" },
    });
    expect(closed.text).toContain("(mcp_pay, mcp_read, send_email)");
    expect(await observe(held("delete_all", {}))).toBe("is answered");
    const open = await explainGate(gated({ interruptOn: { "*": true } }, call), call);
    expect(open).toMatchObject({ fate: "held", tool: { isRegistered: false } });
    expect(open.warnings).toContainEqual(
      expect.stringContaining("delete_all is not registered with the agent"),
    );
  });

  test.each([
    ["no checkpointer", "batched", { checkpointer: false }, "has no checkpointer"],
    ["no checkpointer", "per_call", { checkpointer: false }, "has no checkpointer"],
    ["version v1", "per_call", { version: "v1" }, 'version "v2"'],
  ] as const)("of a call that cannot wait: %s, %s", async (_, interruptMode, more, why) => {
    const call = { name: "mcp_pay", args: { amount: 1 } };
    const agent = gated({ interruptOn: { mcp_pay: true }, interruptMode }, call, more);
    const explanation = await explainGate(agent, call);
    expect(explanation.fate).toBe("cannot_wait");
    expect(explanation.text).toContain(why);
    expect(await observe(agent)).toContain(why);
  });

  test("of a call that was rejected too often", async () => {
    const agent = gated(
      { interruptOn: { mcp_pay: true }, maxRejections: 1 },
      {
        name: "mcp_pay",
        args: { amount: 1 },
      },
    );
    await agent.invoke({ messages: [new HumanMessage("go")] }, thread);
    const reject = new Command({ resume: { decisions: [{ type: "reject" }] } });
    const state = await agent.invoke(reject, thread);
    const again = { id: "another", name: "mcp_pay", args: { amount: 1 } };
    expect(await explainGate(agent, again, { state })).toMatchObject({
      fate: "not_asked_again",
      problem: "the same call was rejected before (times: 1)",
    });
    expect(await explainGate(agent, { ...again, args: { amount: 2 } }, { state })).toMatchObject({
      fate: "held",
    });
  });
});

test("a condition is told the state, the context, the runtime and the tool of the moment", async () => {
  const told: unknown[] = [];
  const agent = gated(
    {
      agent: "payer",
      interruptOn: {
        mcp_pay: {
          allowedDecisions: ["approve"],
          when: ({ tool: called, state, context, runtime, agent: { name } }) => {
            told.push(
              called === tools[0],
              state.messages.length,
              context,
              runtime.configurable,
              name,
            );
            return false;
          },
        },
      },
    },
    { name: "mcp_pay", args: {} },
  );
  const state = { messages: [new HumanMessage("go")] };
  const context = { userId: "anna" };
  const call = { name: "mcp_pay", args: { amount: 1 } };
  await explainGate(agent, call, { state, context, threadId: "t" });
  expect(told).toEqual([true, 1, context, { thread_id: "t" }, "payer"]);
});

test("the rules of an invocation's context are asked too, and named as what they are", async () => {
  const call = { name: "mcp_pay", args: { amount: 1 } };
  const context = { interruptOn: { "mcp_*": true } };
  const tight = gated({ interruptOn: { mcp_pay: false } }, call);
  const explanation = await explainGate(tight, call, { context });
  expect(explanation).toMatchObject({ fate: "held", isOfContext: true, key: "mcp_*" });
  expect(explanation.text).toContain('context.interruptOn["mcp_*"] holds it.');
  expect(await observe(tight, context)).toBe("waits");
  const loosening = { interruptOn: { mcp_pay: false } };
  const strict = gated({ interruptOn: { mcp_pay: true } }, call);
  expect(await explainGate(strict, call, { context: loosening })).toMatchObject({
    fate: "held",
    isOfContext: false,
  });
  const loose = gated({ interruptOn: { mcp_pay: true }, contextMayLoosen: true }, call);
  expect(await explainGate(loose, call, { context: loosening })).toMatchObject({ fate: "free" });
});

test.each([
  ["in this process", {}],
  ["by an engine", { holdpoint: engine }],
])("a call of a thread is explained by its record, kept %s", async (_, options) => {
  const agent = gated(
    { interruptOn: { mcp_pay: true }, ...options },
    {
      name: "mcp_pay",
      args: { amount: 1 },
    },
  );
  const threadId = `recorded ${_}`;
  const config = { configurable: { thread_id: threadId } };
  const paused = await agent.invoke({ messages: [new HumanMessage("go")] }, config);
  const call = { id: "call_1_0", name: "mcp_pay", args: { amount: 1 } };
  const waiting = await explainGate(agent, call, { state: paused, threadId });
  expect(waiting).toMatchObject({ fate: "recorded", record: { status: "open" } });
  expect(waiting.text).toContain("waits for a person now");
  const approve = new Command({ resume: { decisions: [{ type: "approve" }] } });
  const state = await agent.invoke(approve, config);
  const decided = await explainGate(agent, call, { state, threadId });
  expect(decided).toMatchObject({ fate: "recorded", record: { status: "decided" } });
  expect(decided.text).toContain("held and decided: approve, by Command({ resume }) at 20");
  expect(await explainGate(agent, { ...call, id: "other" }, { state, threadId })).toMatchObject({
    fate: "held",
  });
});

describe("without a gate of Holdpoint", () => {
  const agentOf = (...middleware: AgentMiddleware[]) =>
    createAgent({ model: new ScriptedModel(callsOnce()), tools, middleware });

  test("it says so", async () => {
    const explanation = await explainGate(agentOf(), { name: "mcp_pay" });
    expect(explanation).toEqual({
      fate: "ungated",
      tool: { isRegistered: true, isWrapped: "never" },
      checkpointer: { type: "none" },
      warnings: [],
      text: "This agent has no gate of Holdpoint, so a call to mcp_pay runs without asking anybody.",
    });
  });

  test("LangChain's own middleware is not taken for one, nor is a copy of ours", async () => {
    const options: never = { interruptOn: { mcp_pay: true } } as never; // what its types make of options under ours
    const copy = { ...humanInTheLoopMiddleware({ interruptOn: { mcp_pay: true } }) };
    for (const middleware of [stockMiddleware(options) as AgentMiddleware, copy]) {
      const explanation = await explainGate(agentOf(middleware), { name: "mcp_pay" });
      expect(explanation.fate).toBe("ungated");
      expect(explanation.text).toContain("Its HumanInTheLoopMiddleware is not Holdpoint's");
    }
  });
});

describe("the agent's parts are told", () => {
  const call = { name: "mcp_pay", args: { amount: 1 } };

  test("mode, engine, checkpointer, and how far the tool is wrapped", async () => {
    expect(await explainGate(gated({ interruptOn: { "*": true } }, call), call)).toMatchObject({
      mode: "batched",
      hasEngine: false,
      checkpointer: { type: "foreign", name: "MemorySaver" },
      tool: { isRegistered: true, isWrapped: "in_passing" },
    });
    expect(await explainGate(held("mcp_pay", {}), call)).toMatchObject({
      mode: "per_call",
      hasEngine: true,
      checkpointer: { type: "holdpoint" },
      tool: { isRegistered: true, isWrapped: "always" },
    });
  });

  test("in sentences", async () => {
    const agent = gated(overHundred, call);
    const { text } = await explainGate(agent, { name: "mcp_pay", args: { amount: 101 } });
    expect(text).toBe(
      'A call to mcp_pay waits for a person. interruptOn["mcp_*"] holds it, and its condition answered true. ' +
        'In "batched" mode nothing of the turn runs until every held call of it is decided. ' +
        "MemorySaver keeps the pause, and this process the decision. " +
        'interruptOn["*"] matches mcp_pay too, but comes later.',
    );
  });
});

describe("warnings", () => {
  const call = { name: "mcp_pay", args: { amount: 1 } };
  const wraps = (name: string) =>
    createMiddleware({ name, wrapToolCall: (request, handler) => handler(request) });
  const warn = async (
    options: HumanInTheLoopOptions,
    more: Parameters<typeof gated>[2] = {},
    name = "mcp_pay",
  ) => (await explainGate(gated(options, call, more), { name })).warnings;

  test("name a key that matches no tool, with the tool that was probably meant", async () => {
    expect(await warn({ interruptOn: { sendEmail: true, mcp_pay: true, archive: true } })).toEqual([
      'interruptOn["sendEmail"] matches no tool of the agent; did you mean send_email?',
      'interruptOn["archive"] matches no tool of the agent.',
    ]);
  });

  test("name a middleware before the gate that takes a pause for an error, but none behind it", async () => {
    const retry = toolRetryMiddleware({ maxRetries: 0 }) as AgentMiddleware;
    const options = { interruptOn: { mcp_pay: true }, interruptMode: "per_call" } as const;
    const before = { before: [retry] };
    expect(await warn(options, before)).toEqual([
      expect.stringContaining("toolRetryMiddleware stands before the gate"),
    ]);
    // Not an idle warning.
    expect(await observe(gated(options, call, before))).toMatch(
      /^fails: .*made a result of the pause/,
    );
    expect(await observe(gated(options, call, { after: [retry] }))).toBe("waits");
    expect(await warn(options, { after: [retry] })).toEqual([]);
  });

  test("name other middlewares around the gate's calls, but none that only watches the model", async () => {
    const watches = createMiddleware({ name: "watches", afterModel: () => undefined });
    expect(
      await warn(
        { interruptOn: { mcp_pay: true } },
        { before: [wraps("outer"), watches], after: [wraps("inner")] },
      ),
    ).toEqual([
      expect.stringContaining("outer stands before the gate: it must let GraphInterrupt through"),
      expect.stringContaining("inner stands between the gate and the tools"),
    ]);
    const closed = holdAgent({
      model: new ScriptedModel(callsOnce()),
      tools,
      holdpoint: engine,
      middleware: [wraps("inner")],
    });
    expect((await explainGate(closed, call)).warnings).toEqual([]);
  });

  test("name a middleware that may jump to the tools past the gate, but not one that runs after it", async () => {
    const jumps = createMiddleware({
      name: "jumps",
      afterModel: { canJumpTo: ["tools"], hook: () => undefined },
    });
    const options = { interruptOn: { mcp_pay: true } };
    expect(await warn(options, { after: [jumps] })).toEqual([
      expect.stringContaining("jumps may jump to the tools before the gate has seen the turn"),
    ]);
    expect(await warn(options, { before: [jumps] })).toEqual([]);
  });

  test("name a tool that runs at the model's provider", async () => {
    const agent = createAgent({
      model: new ScriptedModel(callsOnce()),
      tools: [{ type: "web_search" }],
      middleware: [humanInTheLoopMiddleware({ interruptOn: { "*": true } })],
    });
    const explanation = await explainGate(agent, { name: "web_search" });
    expect(explanation.tool).toEqual({ isRegistered: true, isWrapped: "never" });
    expect(explanation.warnings).toEqual([
      "web_search runs at the model's provider, where no gate of this process can hold it.",
    ]);
  });
});
