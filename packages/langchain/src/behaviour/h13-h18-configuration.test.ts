import { AIMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { z } from "zod";
import { humanInTheLoopMiddleware, type InterruptOnConfig, type WhenRequest } from "../index.ts";
import { cases, failureOf, heldAgent, notingTool, stockAgent, turns } from "./set-up.ts";

const once = turns([{ name: "a" }]);
const both = turns([{ name: "a" }, { name: "b" }]);

test("H13: under LangChain's middleware whoever invokes can switch the gate off", async () => {
  const stock = stockAgent({ interruptOn: { a: true } }, { script: once });
  await stock.ask("go", { context: { interruptOn: {} } });
  expect(stock.ran).toEqual(["a {}"]);
});

const loosenings = [
  {},
  { a: false },
  { a: { allowedDecisions: ["approve"], when: () => false } },
  { "*": false },
];
const loosened = cases.flatMap((one) => loosenings.map((interruptOn) => ({ ...one, interruptOn })));

test.each(loosened)(
  "H13: under ours a caller cannot loosen with $interruptOn ($variant, $mode)",
  async ({ open, mode, interruptOn }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script: once },
    );
    await ours.ask("go", { context: { interruptOn } });
    expect(ours.ran).toEqual([]);
    expect(await ours.pending()).toHaveLength(1);
  },
);

test.each(cases)(
  "H13: under ours a caller can have more held, and less where that is allowed ($variant, $mode)",
  async ({ open, mode }) => {
    const options = { interruptOn: { a: true }, interruptMode: mode };
    const tightened = heldAgent(await open(), options, { script: both });
    await tightened.ask("go", { context: { interruptOn: { b: true } } });
    expect(tightened.ran).toEqual([]);
    await tightened.decide({ a: { type: "approve" }, b: { type: "approve" } });
    expect(tightened.ran.toSorted()).toEqual(["a {}", "b {}"]);
    const loose = heldAgent(await open(), { ...options, contextMayLoosen: true }, { script: both });
    await loose.ask("go", { context: { interruptOn: {} } });
    expect(loose.ran.toSorted()).toEqual(["a {}", "b {}"]);
  },
);

const namesOfObjects = ["toString", "constructor", "hasOwnProperty", "valueOf"];

test.each(namesOfObjects)(
  "H14: LangChain's middleware holds a tool named %s for no decision at all",
  async (name) => {
    const ran: string[] = [];
    const stock = stockAgent(
      { interruptOn: { a: true } },
      { script: turns([{ name }]), tools: [notingTool(name, ran)] },
    );
    await stock.ask();
    const { value } = await stock.onlyPending();
    expect(value["reviewConfigs"]).toEqual([{ actionName: name, allowedDecisions: undefined }]);
    expect(ran).toEqual([]);
  },
);

test.each(cases)(
  "H14: ours lets such tools run, and holds them where a rule names them ($variant, $mode)",
  async ({ open, mode }) => {
    for (const name of [...namesOfObjects, "__proto__"]) {
      const ran: string[] = [];
      const surroundings = { script: turns([{ name }]), tools: [notingTool(name, ran)] };
      const free = heldAgent(
        await open(),
        { interruptOn: { a: true }, interruptMode: mode },
        surroundings,
      );
      await free.ask();
      expect(ran).toEqual([`${name} {}`]);
      const rules = Object.fromEntries([[name, true]]);
      const held = heldAgent(
        await open(),
        { interruptOn: rules, interruptMode: mode },
        surroundings,
      );
      await held.ask();
      expect(ran).toHaveLength(1);
      await held.answer({ type: "approve" });
      expect(ran).toHaveLength(2);
    }
  },
);

/** Mistakes in the options, the key that is wrong, and whether LangChain notices at the first model turn. */
const mistakes = [
  { mistake: { interupt_on: { a: true } }, key: "interupt_on", noticed: false },
  {
    mistake: { interruptOn: { a: true }, interruptmode: "batched" },
    key: "interruptmode",
    noticed: false,
  },
  { mistake: { interruptOn: { a: "yes" } }, key: "a", noticed: true },
  {
    mistake: { interruptOn: { a: { allowedDecisions: ["Approve"] } } },
    key: "a.allowedDecisions",
    noticed: true,
  },
  {
    mistake: { interruptOn: { a: { allowedDecisions: ["accept"] } } },
    key: "a.allowedDecisions",
    noticed: true,
  },
  {
    mistake: { interruptOn: { a: { allowed_decisions: ["approve"] } } },
    key: "allowed_decisions",
    noticed: true,
  },
  {
    mistake: { interruptOn: { a: { allowedDecisions: ["approve"], wen: () => true } } },
    key: "wen",
    noticed: false,
  },
];

test.each(mistakes)(
  "H15: LangChain's middleware takes $mistake, and says so at the first model turn: $noticed",
  async ({ mistake, noticed }) => {
    const stock = stockAgent(mistake as never, { script: () => new AIMessage("nothing to call") });
    if (noticed) expect((await failureOf(stock.ask())).name).toBe("ZodError");
    else await stock.ask();
  },
);

test.each(mistakes)("H15: ours refuses $mistake at once and names $key", ({ mistake, key }) => {
  expect(() => humanInTheLoopMiddleware(mistake as never)).toThrow(
    expect.objectContaining({ code: "config_invalid", message: expect.stringContaining(key) }),
  );
});

test("H15: respond is a decision for ours, and none for LangChain's middleware", async () => {
  const options = { interruptOn: { a: { allowedDecisions: ["respond"] as const } } };
  const stock = stockAgent(options, { script: () => new AIMessage("nothing to call") });
  expect((await failureOf(stock.ask())).message).toContain("received 'respond'");
  expect(humanInTheLoopMiddleware(options).name).toBe("HumanInTheLoopMiddleware");
});

const noAnswer = { interruptOn: { a: { allowedDecisions: [] } } };

test("H16: LangChain's middleware asks for an answer that can never be given", async () => {
  for (const type of ["approve", "reject"]) {
    const stock = stockAgent(noAnswer, { script: once });
    await stock.ask();
    expect((await stock.onlyPending()).value["reviewConfigs"]).toEqual([
      { actionName: "a", allowedDecisions: [] },
    ]);
    expect((await failureOf(stock.answer({ type }))).message).toContain("Expected one of []");
  }
});

test("H16: ours refuses such a rule at once and names its key", () => {
  expect(() => humanInTheLoopMiddleware(noAnswer)).toThrow(
    expect.objectContaining({
      code: "config_invalid",
      message: expect.stringContaining("a.allowedDecisions"),
    }),
  );
});

const failing = [
  {
    fails: "throws",
    when: () => {
      throw new Error("no connection");
    },
  },
  { fails: "rejects", when: () => Promise.reject(new Error("no connection")) },
  { fails: "answers with a text", when: () => "no" as never },
  { fails: "answers with nothing", when: () => undefined as never },
];

const freeAndHeld = turns([{ name: "c" }, { name: "a" }]);

test.each(failing)(
  "H17: under LangChain's middleware the run dies when a condition $fails",
  async ({ when }) => {
    const stock = stockAgent(
      { interruptOn: { a: { allowedDecisions: ["approve"], when } } },
      { script: freeAndHeld },
    );
    await failureOf(stock.ask());
    expect(await stock.pending()).toEqual([]);
    expect((await stock.state()).next).toEqual(["HumanInTheLoopMiddleware.after_model"]);
    expect(stock.ran).toEqual([]);
  },
);

test.each(cases.flatMap((one) => failing.map((failure) => ({ ...one, ...failure }))))(
  "H17: ours holds the call, and says of which tool the condition failed, when it $fails ($variant, $mode)",
  async ({ open, mode, when }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: { allowedDecisions: ["approve"], when } }, interruptMode: mode },
      { script: freeAndHeld },
    );
    await ours.ask();
    expect(ours.ran).not.toContain("a {}");
    const { value } = await ours.onlyPending();
    expect(value.actionRequests).toMatchObject([
      {
        name: "a",
        reasonCode: "condition_failed",
        reason: expect.stringContaining("interruptOn.a"),
      },
    ]);
    await ours.answer({ type: "approve" });
    expect(ours.ran.toSorted()).toEqual(["a {}", "c {}"]);
  },
);

test.each(cases.flatMap((one) => failing.map((failure) => ({ ...one, ...failure }))))(
  "H17: ours holds the call under the usual description when the description $fails ($variant, $mode)",
  async ({ open, mode, when }) => {
    const description = when as never;
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: { allowedDecisions: ["approve"], description } }, interruptMode: mode },
      { script: once },
    );
    await ours.ask();
    const { value } = await ours.onlyPending();
    const text = value.actionRequests[0]?.["description"];
    // A text is a description like any other.
    if (text !== "no") expect(text).toContain("Tool execution requires approval");
    await ours.answer({ type: "approve" });
    expect(ours.ran).toEqual(["a {}"]);
  },
);

const userContext = { contextSchema: z.object({ userId: z.string() }) };

test.each(cases)(
  "H17: a condition and a description find a context object where the invocation gave none ($variant, $mode)",
  async ({ open, mode }) => {
    const seen: unknown[] = [];
    const see = (runtime: { readonly context?: unknown }) => void seen.push(runtime.context);
    const rule: InterruptOnConfig = {
      allowedDecisions: ["approve"],
      when: ({ runtime }) => {
        see(runtime);
        return true;
      },
      description: (_call, _state, runtime) => {
        see(runtime);
        return "look";
      },
    };
    const options = { interruptOn: { a: rule }, interruptMode: mode };
    await heldAgent(await open(), options, { script: once }).ask();
    expect(seen).toEqual([{}, {}]);
  },
);

test("H18: LangChain's middleware shows a condition neither the tool nor the agent's context", async () => {
  const seen: Record<string, unknown>[] = [];
  const when = ({ tool, runtime }: { tool: unknown; runtime: { context?: object } }) => {
    seen.push({ tool, context: { ...runtime.context } });
    return true;
  };
  const stock = stockAgent(
    { interruptOn: { a: { allowedDecisions: ["approve"], when } } },
    { script: once, agent: userContext },
  );
  await stock.ask("go", { context: { userId: "anna" } });
  expect(seen).toEqual([
    {
      tool: undefined,
      context: { descriptionPrefix: "Tool execution requires approval" },
    },
  ]);
});

test.each(cases)(
  "H18: ours shows a condition the tool, the agent's context and the agent ($variant, $mode)",
  async ({ open, mode }) => {
    const seen: unknown[] = [];
    const when = ({ tool, context, agent, toolCall }: WhenRequest) => {
      seen.push({ tool, context, agent, call: toolCall.name });
      return true;
    };
    const ours = heldAgent(
      await open(),
      {
        interruptOn: { a: { allowedDecisions: ["approve"], when } },
        interruptMode: mode,
        agent: "support",
      },
      { script: once, agent: userContext },
    );
    await ours.ask("go", { context: { userId: "anna" } });
    expect(seen).toMatchObject([
      {
        tool: { name: "a", description: "tool a" },
        context: { userId: "anna" },
        agent: { name: "support" },
        call: "a",
      },
    ]);
  },
);

test.each(cases.filter(({ mode }) => mode === "batched"))(
  "H18: in legacy mode ours shows no tool, as LangChain's middleware ($variant)",
  async ({ open }) => {
    const seen: unknown[] = [];
    const when = (request: WhenRequest) => {
      seen.push(request.tool);
      return true;
    };
    const ours = heldAgent(
      await open(),
      {
        interruptOn: { a: { allowedDecisions: ["approve"], when } },
        mixedDecisions: "legacy",
      },
      { script: once },
    );
    await ours.ask();
    expect(seen).toEqual([undefined]);
  },
);
