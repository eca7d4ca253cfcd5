import { ToolMessage } from "@langchain/core/messages";
import { interrupt } from "@langchain/langgraph";
import { createMiddleware, tool, toolRetryMiddleware } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { answerEach, heldCalls, refusalIn } from "./answer-each.ts";
import { cases, failureOf, heldAgent, sealedAgent, stockAgent, turns, variants } from "./set-up.ts";

const script = turns([{ name: "a", args: { x: 1 } }]);
const approve = { type: "approve" };
const retry = () => toolRetryMiddleware({ maxRetries: 2, initialDelayMs: 0, jitter: false });
const places = ["before", "after"] as const;
const everywhere = cases.flatMap((one) => places.map((where) => ({ ...one, where })));
/** In per_call mode the gate pauses around the tool, which a retry before it would catch. */
const outOfReach = everywhere.filter((one) => one.where === "after" || one.mode === "batched");

/** The tool a, which asks a person by itself; it notes each start and each answer. */
function askingTool(ran: string[]) {
  return tool(
    async () => {
      ran.push("started");
      const answer: unknown = interrupt({ question: "which?" });
      ran.push(`got ${String(answer)}`);
      return `took ${String(answer)}`;
    },
    { name: "a", description: "asks", schema: z.looseObject({}) },
  );
}

/** The tool a, which fails so many times. */
function failingTool(ran: string[], failures: number) {
  return tool(
    async () => {
      ran.push("started");
      if (ran.length <= failures) throw new Error("no connection");
      return "ok";
    },
    { name: "a", description: "fails", schema: z.looseObject({}) },
  );
}

/** Stock has no interrupt around a tool; a per-call gate in its manner shows what befalls one. */
const perCallGate = createMiddleware({
  name: "PerCallGate",
  wrapToolCall: (request, handler) => {
    interrupt({ ask: request.toolCall.name });
    return handler(request);
  },
});

test("H31: a retry before a gate around the tool swallows the pause, and nobody is asked", async () => {
  const stock = stockAgent({}, { script, before: [retry(), perCallGate] });
  await stock.ask();
  expect(await stock.pending()).toEqual([]);
  expect((await stock.toolMessages())[0]?.text).toBe(
    "Tool 'a' failed after 3 attempts with GraphInterrupt",
  );
});

test.each(places)(
  "H31: a retry %s the stock gate starts a tool that asks three times, and nobody is asked",
  async (where) => {
    const ran: string[] = [];
    const stock = stockAgent(
      { interruptOn: { a: true } },
      { script, ran, tools: [askingTool(ran)], [where]: [retry()] },
    );
    await stock.ask();
    await answerEach(stock, () => approve);
    expect(ran).toEqual(["started", "started", "started"]);
    expect(await stock.pending()).toEqual([]);
  },
);

test.each(outOfReach)(
  "H31: the gate's pause survives a retry $where it, and the approved tool runs once ($variant, $mode)",
  async ({ open, mode, where }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script, [where]: [retry()] },
    );
    await ours.ask();
    expect(ours.ran).toEqual([]);
    expect(await heldCalls(ours)).toMatchObject([{ name: "a" }]);
    await answerEach(ours, () => approve);
    expect(ours.ran).toEqual(['a {"x":1}']);
    expect((await ours.toolMessages()).map((one) => one.text)).toEqual(["ok"]);
  },
);

test.each(cases)(
  "H31: a tool's own pause survives a retry after the gate, and it starts once for each resume ($variant, $mode)",
  async ({ open, mode }) => {
    const ran: string[] = [];
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script, ran, tools: [askingTool(ran)], after: [retry()] },
    );
    await ours.ask();
    await answerEach(ours, () => approve);
    expect(ran).toEqual(["started"]);
    const { id, value } = await ours.onlyPending();
    expect(value).toEqual({ question: "which?" });
    await ours.resume({ [id]: "the red one" });
    expect(ran).toEqual(["started", "started", "got the red one"]);
    expect((await ours.toolMessages()).map((one) => one.text)).toEqual(["took the red one"]);
  },
);

/** What makes a result of an error as a retry does, without trying again. */
const forgiving = createMiddleware({
  name: "Forgiving",
  wrapToolCall: async (request, handler) => {
    try {
      return await handler(request);
    } catch {
      return new ToolMessage({ tool_call_id: request.toolCall.id ?? "", content: "never mind" });
    }
  },
});
const catching = [
  ["a retry", retry],
  ["a middleware that forgives every error", () => forgiving],
] as const;

// Nothing can be raised any more behind a middleware that has caught it; so the run ends with the reason.
test.each(cases.flatMap((one) => catching.map(([what, build]) => ({ ...one, what, build }))))(
  "H31: $what before the gate that catches a pause ends the run before the model is told ($variant, $mode)",
  async ({ open, mode, build }) => {
    const ran: string[] = [];
    const place = await open();
    const ours = heldAgent(
      place,
      { interruptOn: { a: true }, interruptMode: mode },
      { script, ran, tools: [askingTool(ran)], before: [build()] },
    );
    const failure =
      mode === "per_call"
        ? failureOf(ours.ask()) // the gate's own pause
        : ours.ask().then(() => failureOf(answerEach(ours, () => approve))); // the tool's
    const refusal = refusalIn(await failure);
    expect(refusal).toMatchObject({ code: "config_invalid", details: { key: "middleware" } });
    expect(refusal.message).toContain("list humanInTheLoopMiddleware first");
    expect(ran).toEqual(mode === "per_call" ? [] : ["started"]);
    expect(ours.model.asked).toHaveLength(1);
    expect((await place.holdpoint?.openReviewsOf("t1")) ?? []).toEqual([]);
  },
);

test.each(cases)("H31: after that the thread goes on ($variant, $mode)", async ({ open, mode }) => {
  const place = await open();
  const setUp = { script, tools: [askingTool([])] };
  const options = { interruptOn: { a: true }, interruptMode: mode };
  const wrong = heldAgent(place, options, { ...setUp, before: [retry()] });
  await (mode === "per_call"
    ? failureOf(wrong.ask())
    : wrong.ask().then(() => failureOf(answerEach(wrong, () => approve))));
  const right = heldAgent(place, options, { ...setUp, after: [retry()] });
  await right.ask("again");
  expect(await heldCalls(right)).toMatchObject([{ name: "a" }]);
  expect(await right.dangling()).toHaveLength(1);
});

test.each(places)(
  "H31: a retry %s the stock gate starts an approved tool again after it failed",
  async (where) => {
    const ran: string[] = [];
    const stock = stockAgent(
      { interruptOn: { a: true } },
      { script, ran, tools: [failingTool(ran, 9)], [where]: [retry()] },
    );
    await stock.ask();
    await answerEach(stock, () => approve);
    expect(ran).toEqual(["started", "started", "started"]);
  },
);

test.each(outOfReach)(
  "H31: a retry $where the gate does not start an approved tool twice ($variant, $mode)",
  async ({ open, mode, where }) => {
    const ran: string[] = [];
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script, ran, tools: [failingTool(ran, 9)], [where]: [retry()] },
    );
    await ours.ask();
    await answerEach(ours, () => approve);
    expect(ran).toEqual(["started"]);
    expect(await ours.dangling()).toEqual([]);
    expect((await ours.toolMessages()).map((one) => one.status)).toEqual(["error"]);
  },
);

test.each(everywhere)(
  "H31: a retry $where the gate still repeats a free tool that failed ($variant, $mode)",
  async ({ open, mode, where }) => {
    const ran: string[] = [];
    const ours = heldAgent(
      await open(),
      { interruptOn: { b: true }, interruptMode: mode },
      { script, ran, tools: [failingTool(ran, 2)], [where]: [retry()] },
    );
    await ours.ask();
    expect(ran).toEqual(["started", "started", "started"]);
    expect((await ours.toolMessages()).map((one) => one.text)).toEqual(["ok"]);
  },
);

test.each(variants.slice(-1))(
  "H31: under holdAgent both pauses survive a retry, and nothing starts twice ($variant)",
  async ({ open }) => {
    const ran: string[] = [];
    const ours = sealedAgent(
      await open(),
      { interruptOn: { a: true } },
      { script, ran, tools: [askingTool(ran)], after: [retry()] },
    );
    await ours.ask();
    await answerEach(ours, () => approve);
    expect(ran).toEqual(["started"]);
    const { id } = await ours.onlyPending();
    await ours.resume({ [id]: "the red one" });
    expect(ran).toEqual(["started", "started", "got the red one"]);
  },
);
