import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { interrupt } from "@langchain/langgraph";
import { createMiddleware, tool, ToolMessage } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { resumeThread } from "../index.ts";
import type { Script } from "../testing/scripted-model.ts";
import {
  callMessage,
  cases,
  failureOf,
  heldAgent,
  notingTool,
  refusalOfFailure,
  sealedAgent,
  stockAgent,
  turns,
} from "./set-up.ts";

const approve = { decisions: [{ type: "approve" }] };

/** LangChain's middleware asks once for a whole turn, so several interrupts come from a gate like this. */
const asksPerCall = createMiddleware({
  name: "AsksPerCall",
  wrapToolCall: async (request, handler) => {
    const answer: unknown = interrupt({ tool: request.toolCall.name });
    if (answer === "approve") return handler(request);
    return new ToolMessage({ content: "rejected", tool_call_id: request.toolCall.id ?? "" });
  },
});

const threeCalls = turns([{ name: "a" }, { name: "b" }, { name: "c" }]);

test("H7: under LangGraph one value answers every interrupt that waits", async () => {
  const stock = stockAgent({}, { script: threeCalls, after: [asksPerCall] });
  await stock.ask();
  expect(await stock.pending()).toHaveLength(3);
  await stock.resume("approve");
  expect(stock.ran.toSorted()).toEqual(["a {}", "b {}", "c {}"]);
});

// In batched mode the calls of a turn wait under one interrupt, so several never wait in one agent.
const perCall = cases.filter(({ mode }) => mode === "per_call");

test.each(perCall)(
  "H7: ours gives an answer without an id to none of several, and lists their ids ($variant, $mode)",
  async ({ open, mode }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true, b: true, c: true }, interruptMode: mode },
      { script: threeCalls },
    );
    await ours.ask();
    const waiting = await ours.pending();
    expect(waiting).toHaveLength(3);
    for (const answer of [
      approve,
      { type: "approve" },
      { decisions: Array(3).fill({ type: "approve" }) },
    ]) {
      const { message } = await refusalOfFailure(ours.resume(answer));
      for (const { id } of waiting) expect(message).toContain(id);
      expect((await ours.pending()).map((one) => one.id)).toEqual(waiting.map((one) => one.id));
    }
    expect(ours.ran).toEqual([]);
    const [first, ...others] = waiting;
    await ours.resume({ [first?.id ?? ""]: approve });
    expect(ours.ran).toHaveLength(1);
    await ours.resume(Object.fromEntries(others.map(({ id }) => [id, approve])));
    expect(ours.ran.toSorted()).toEqual(["a {}", "b {}", "c {}"]);
    expect(await ours.dangling()).toEqual([]);
  },
);

/** Asks for calls once, after "go". */
const afterGo: Script = (messages) =>
  messages.at(-1)?.text === "go"
    ? callMessage([{ name: "c" }, { name: "a" }])
    : new AIMessage("done");

test("H8: under LangChain's middleware a message drops what waits, and a late approval looks accepted", async () => {
  const stock = stockAgent({ interruptOn: { a: true } }, { script: afterGo });
  await stock.ask();
  const { id } = await stock.onlyPending();
  await stock.ask("something else");
  expect(await stock.dangling()).toEqual(["call_0_0", "call_0_1"]);
  const late = await stock.resume({ [id]: approve });
  expect(late.messages.map((one: BaseMessage) => one.text)).toEqual([
    "go",
    "",
    "something else",
    "done",
  ]);
  expect(stock.ran).toEqual([]);
});

test.each(cases)(
  "H8: ours withdraws what waits, leaves no call without a result, and says so to a late answer ($variant, $mode)",
  async ({ open, mode }) => {
    const place = await open();
    const ours = heldAgent(
      place,
      { interruptOn: { a: true }, interruptMode: mode },
      { script: afterGo },
    );
    await ours.ask();
    const { id } = await ours.onlyPending();
    await ours.ask("something else");
    expect(await ours.dangling()).toEqual([]);
    expect((await ours.messages()).map((one) => one.getType())).toEqual([
      "human",
      "ai",
      "tool",
      "tool",
      "human",
      "ai",
    ]);
    const [free, withdrawn] = await ours.toolMessages();
    expect(withdrawn).toMatchObject({ status: "error", tool_call_id: "call_0_1" });
    expect(withdrawn?.text).toContain("withdrawn");
    // The free call ran at once in per_call mode, and never in batched mode.
    expect(free?.tool_call_id).toBe("call_0_0");
    expect(ours.ran).toEqual(mode === "per_call" ? ["c {}"] : []);
    const late = resumeThread(ours.agent, ours.config, { [id]: approve });
    expect((await refusalOfFailure(late)).code).toBe("review_closed");
    expect(ours.ran).not.toContain("a {}");
    const open_ = await place.holdpoint?.openReviewsOf("t1");
    expect(open_ ?? []).toEqual([]);
  },
);

test.each(cases)(
  "H8: ours withdraws what waits in a new process too ($variant, $mode)",
  async ({ open, mode }) => {
    const place = await open();
    const options = { interruptOn: { a: true }, interruptMode: mode };
    const before = heldAgent(place, options, { script: afterGo });
    await before.ask();
    const after = heldAgent(await place.restart(), options, { script: afterGo });
    await after.ask("something else");
    expect(await after.dangling()).toEqual([]);
    const [, left] = await after.toolMessages();
    // Without an engine a process cannot know whether another one had started a call of its own task.
    const isKnown = mode === "batched" || place.holdpoint !== undefined;
    expect(left?.text).toContain(isKnown ? "withdrawn" : "may have run");
    expect([...before.ran, ...after.ran]).toEqual(mode === "per_call" ? ["c {}"] : []);
  },
);

test.each(cases)(
  "H8: ours never says of an approved call that it did not run ($variant, $mode)",
  async ({ open, mode }) => {
    const place = await open();
    const options = { interruptOn: { a: true }, interruptMode: mode };
    const stop = new AbortController();
    const stopping = tool(
      async () => {
        stop.abort();
        return "ok";
      },
      { name: "a", description: "is stopped", schema: z.object({}) },
    );
    const surroundings = { script: afterGo, tools: [stopping, notingTool("c", [])] };
    const before = heldAgent(place, options, surroundings);
    await before.ask();
    const { id } = await before.onlyPending();
    await failureOf(before.resume({ [id]: approve }, { signal: stop.signal }));
    const after = heldAgent(await place.restart(), options, surroundings);
    await after.ask("something else");
    expect(await after.dangling()).toEqual([]);
    const [, left] = await after.toolMessages();
    expect(left?.text).not.toContain("withdrawn");
    expect(left?.text).not.toContain("not executed");
  },
);

test("H9: under LangChain's middleware a resume of a thread that never ran succeeds with nothing", async () => {
  const stock = stockAgent({ interruptOn: { a: true } }, { script: threeCalls });
  expect(await stock.resume(approve)).toEqual({ messages: [] });
  expect(stock.model.asked).toEqual([]);
});

test.each(cases)(
  "H9: ours says that there is no such thread ($variant, $mode)",
  async ({ open, mode }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script: threeCalls },
    );
    const resumed = resumeThread(ours.agent, ours.config, { ["0".repeat(32)]: approve });
    expect(await refusalOfFailure(resumed)).toMatchObject({
      code: "thread_not_found",
      details: { threadId: "t1" },
    });
  },
);

const ownCheckpointer = cases.filter(({ variant }) => variant === "our checkpointer");

test.each(ownCheckpointer)(
  "H8: under holdAgent a plain invoke tells a late answer so too ($mode)",
  async ({ open, mode }) => {
    const ours = sealedAgent(
      await open(),
      { interruptOn: { a: true, c: false }, interruptMode: mode },
      { script: afterGo },
    );
    await ours.ask();
    const { id } = await ours.onlyPending();
    await ours.ask("something else");
    expect((await refusalOfFailure(ours.resume({ [id]: approve }))).code).toBe("review_closed");
    expect(await ours.dangling()).toEqual([]);
  },
);

test.each(ownCheckpointer)(
  "H9: under holdAgent a plain invoke says so too ($mode)",
  async ({ open, mode }) => {
    const ours = sealedAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script: threeCalls },
    );
    expect((await refusalOfFailure(ours.resume(approve))).code).toBe("thread_not_found");
  },
);
