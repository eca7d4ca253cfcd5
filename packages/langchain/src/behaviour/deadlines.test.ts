import { expiredText } from "@holdpoint/core";
import { openEngine } from "@holdpoint/engine";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { explainGate, humanInTheLoopMiddleware, recordedVote } from "../index.ts";
import { answerEach } from "./answer-each.ts";
import {
  cases,
  heldAgent,
  type Place,
  sealedAgent,
  type TestAgent,
  turns,
  variants,
} from "./set-up.ts";

// Time is set, never waited for; timers run as ever.
const noon = Date.parse("2026-11-30T12:00:00.000Z");
const at = "2026-11-30T16:00:00.000Z";
const pass = (milliseconds: number): unknown => vi.setSystemTime(Date.now() + milliseconds);
const fourHours = 4 * 60 * 60 * 1000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: noon }));
afterEach(() => void vi.useRealTimers());

const approve = { type: "approve" } as const;
const rule = { allowedDecisions: ["approve", "reject"], deadline: "4h" } as const;
const one = turns([{ name: "a", args: { x: 1 } }]);

/** Goes on as a host does that has heard that the review is settled. */
async function goOn(agent: TestAgent, { holdpoint }: Place): Promise<void> {
  await holdpoint?.deadlines.expire();
  const pending = (await agent.pending()).map(({ id }) => [id, recordedVote]);
  if (pending.length > 0) await agent.resume(Object.fromEntries(pending));
}

async function expectExpired(agent: TestAgent, name = "a"): Promise<void> {
  const results = await agent.toolMessages();
  expect(results.filter((result) => result.name === name)).toMatchObject([
    { status: "error", content: expiredText(name) },
  ]);
  expect(agent.ran.filter((ran) => ran.startsWith(name))).toEqual([]);
  expect(await agent.dangling()).toEqual([]);
  expect((await agent.messages()).at(-1)?.text).toBe("done");
}

describe.each(cases)("with a deadline ($variant, $mode)", ({ open, mode }) => {
  test("the interrupt says until when; then the model hears that nobody decided", async () => {
    const place = await open();
    const agent = heldAgent(
      place,
      { interruptOn: { a: rule }, interruptMode: mode },
      { script: one },
    );
    await agent.ask();
    const { value } = await agent.onlyPending();
    expect(value["deadline"]).toEqual({ at, outcome: "rejected" });
    pass(fourHours);
    await goOn(agent, place);
    await expectExpired(agent);
  });

  test("a decision in time counts, and is not undone by the deadline", async () => {
    const place = await open();
    const agent = heldAgent(
      place,
      { interruptOn: { a: rule }, interruptMode: mode },
      { script: one },
    );
    await agent.ask();
    pass(fourHours - 1);
    await answerEach(agent, () => approve);
    pass(fourHours);
    await goOn(agent, place);
    expect(agent.ran).toEqual(['a {"x":1}']);
  });

  test("F12: an approval that comes too late is told so, runs nothing, and the thread can go on", async () => {
    const place = await open();
    const agent = heldAgent(
      place,
      { interruptOn: { a: rule }, interruptMode: mode },
      { script: one },
    );
    await agent.ask();
    pass(fourHours);
    await answerEach(agent, () => approve);
    const { value } = await agent.onlyPending();
    expect(value).toMatchObject({
      conflict: { by: "deadline", at, decision: "reject" },
      problem: expect.stringMatching(
        /^The deadline of review rev_\w+ passed at .* will not run\.$/,
      ),
    });
    expect(agent.ran).toEqual([]);
    await goOn(agent, place);
    await expectExpired(agent);
  });

  test("a message sent after it finds the call answered as expired", async () => {
    const place = await open();
    const agent = heldAgent(
      place,
      { interruptOn: { a: rule }, interruptMode: mode },
      { script: one },
    );
    await agent.ask();
    pass(fourHours);
    await place.holdpoint?.deadlines.expire();
    await agent.ask("never mind").catch(() => undefined);
    const [first] = await agent.toolMessages();
    expect(first).toMatchObject({ content: expiredText("a") });
    expect(agent.ran).toEqual([]);
  });
});

describe.each(variants)("several calls of a turn ($variant)", ({ open }) => {
  const script = turns([{ name: "a" }, { name: "b" }, { name: "c" }]);
  const interruptOn = { a: rule, b: { ...rule, deadline: 60_000 }, c: true };

  test("batched: they wait as one, until the earliest of their deadlines", async () => {
    const place = await open();
    const agent = heldAgent(place, { interruptOn, interruptMode: "batched" }, { script });
    await agent.ask();
    const { value } = await agent.onlyPending();
    expect(value["deadline"]).toMatchObject({ at: "2026-11-30T12:01:00.000Z" });
    pass(60_000);
    await goOn(agent, place);
    for (const name of ["a", "b", "c"]) await expectExpired(agent, name);
  });

  test("per_call: each has its own, or none", async () => {
    const place = await open();
    const agent = heldAgent(place, { interruptOn, interruptMode: "per_call" }, { script });
    await agent.ask();
    const deadlines = (await agent.pending()).map(({ value }) => value["deadline"]);
    expect(deadlines).toEqual([
      { at, outcome: "rejected" },
      { at: "2026-11-30T12:01:00.000Z", outcome: "rejected" },
      undefined,
    ]);
    pass(fourHours);
    await place.holdpoint?.deadlines.expire();
    const [a, b, c] = (await agent.pending()).map(({ id }) => id);
    await agent.resume({ [a ?? ""]: recordedVote, [b ?? ""]: recordedVote });
    await agent.answerById(c ?? "", approve);
    for (const name of ["a", "b"]) await expectExpired(agent, name);
    expect(agent.ran).toEqual(["c {}"]);
  });
});

test("under holdAgent the deadline is the engine's clock's, whatever this machine's says", async () => {
  const clock = () => "2030-01-01T00:00:00.000Z";
  const holdpoint = await openEngine({ database: ":memory:", clock });
  onTestFinished(() => holdpoint.close());
  const place = { holdpoint, checkpointer: {} } as unknown as Place; // a sealed agent has its own
  const agent = sealedAgent(place, { interruptOn: { a: rule } }, { script: one });
  await agent.ask();
  expect((await agent.onlyPending()).value["deadline"]).toMatchObject({
    at: "2030-01-01T04:00:00.000Z",
  });
  const [review] = await holdpoint.openReviewsOf("t1");
  expect(review?.deadline?.at).toBe("2030-01-01T04:00:00.000Z");
});

test("of two rules that both hold the call, the agent's and the context's, the earlier deadline counts", async () => {
  const [memory] = variants;
  const place = await memory?.open();
  if (place === undefined) throw new Error("there is a first variant");
  const agent = heldAgent(place, { interruptOn: { a: rule } }, { script: one });
  await agent.ask("go", { context: { interruptOn: { a: { ...rule, deadline: "1h" } } } });
  expect((await agent.onlyPending()).value["deadline"]).toMatchObject({
    at: "2026-11-30T13:00:00.000Z",
  });
});

test("the gate is not made with a deadline that is none, and the error names the key", async () => {
  const wrong = { a: { ...rule, deadline: "4 hours" } };
  const make = () => humanInTheLoopMiddleware({ interruptOn: wrong });
  expect(make).toThrow(/^interruptOn\.a\.deadline is not valid: must be how long/);
  expect(make).toThrow(expect.objectContaining({ code: "config_invalid" }));
});

test("explainGate says of an expired call that nobody decided it", async () => {
  const place = await variants.at(-1)?.open();
  if (place?.holdpoint === undefined) throw new Error("the last variant has an engine");
  const agent = sealedAgent(place, { interruptOn: { a: rule } }, { script: one });
  await agent.ask();
  pass(fourHours);
  await place.holdpoint.deadlines.expire();
  const call = { name: "a", args: { x: 1 }, id: "call_0_0_0" };
  const state = { messages: await agent.messages() };
  const { text } = await explainGate(agent.agent, call, { threadId: "t1", state });
  expect(text).toContain("its deadline passed before anybody decided it");
});
