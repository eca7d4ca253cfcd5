import { interrupt } from "@langchain/langgraph";
import { createMiddleware, tool, toolRetryMiddleware } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { answerEach, heldCalls } from "./answer-each.ts";
import { cases, heldAgent, sealedAgent, stockAgent, turns, variants } from "./set-up.ts";

const script = turns([{ name: "a", args: { x: 1 } }]);
const approve = { type: "approve" };
const retry = () => toolRetryMiddleware({ maxRetries: 2, initialDelayMs: 0, jitter: false });
const places = ["before", "after"] as const;
const everywhere = cases.flatMap((one) => places.map((where) => ({ ...one, where })));

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

test.each(everywhere)(
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

test.each(everywhere)(
  "H31: a tool's own pause survives a retry $where the gate, and it starts once for each resume ($variant, $mode)",
  async ({ open, mode, where }) => {
    const ran: string[] = [];
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script, ran, tools: [askingTool(ran)], [where]: [retry()] },
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

test.each(everywhere)(
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
