import { isUnknownInterruptError } from "@langchain/langgraph";
import { type BaseMessage, tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { resumeThread } from "../index.ts";
import {
  cases,
  failureOf,
  heldAgent,
  refusalOfFailure,
  sealedAgent,
  stockAgent,
  turns,
} from "./set-up.ts";

const approve = { decisions: [{ type: "approve" }] };
const reject = { decisions: [{ type: "reject", message: "no" }] };

/** A tool `a` that notes that it started and ends when the test says so. */
function slowTool(ran: string[]) {
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  const slow = tool(
    async () => {
      ran.push("a");
      await promise;
      return "ok";
    },
    { name: "a", description: "slow", schema: z.object({}) },
  );
  return { slow, finish };
}

const once = turns([{ name: "a" }]);

function textsOf(result: { readonly messages: readonly BaseMessage[] }): string[] {
  return result.messages.map((message) => message.text);
}

test("H4: under LangChain's middleware two identical approvals at once run the tool twice", async () => {
  const ran: string[] = [];
  const { slow, finish } = slowTool(ran);
  const stock = stockAgent({ interruptOn: { a: true } }, { script: once, tools: [slow] });
  await stock.ask();
  const both = Promise.allSettled([stock.resume(approve), stock.resume(approve)]);
  await expect.poll(() => ran).toEqual(["a", "a"]);
  finish();
  expect((await both).map((one) => one.status)).toEqual(["fulfilled", "fulfilled"]);
  expect(stock.model.asked).toHaveLength(3);
});

const namings = ["by position", "by id"] as const;
const twice = cases.flatMap((one) => namings.map((naming) => ({ ...one, naming })));

test.each(twice)(
  "H4: ours runs the tool once, and both callers get its result ($variant, $mode, $naming)",
  async ({ open, mode, naming }) => {
    const ran: string[] = [];
    const { slow, finish } = slowTool(ran);
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script: once, tools: [slow] },
    );
    await ours.ask();
    const { id } = await ours.onlyPending();
    const answer = naming === "by id" ? { [id]: approve } : approve;
    const both = Promise.all([ours.resume(answer), ours.resume(answer)]);
    await expect.poll(() => ran).toEqual(["a"]);
    finish();
    expect((await both).map(textsOf)).toEqual([
      ["go", "", "ok", "done"],
      ["go", "", "ok", "done"],
    ]);
    expect(ran).toEqual(["a"]);
    expect((await ours.messages()).map((one) => one.text)).toEqual(["go", "", "ok", "done"]);
  },
);

test.each(cases)(
  "H4: ours gives the result to a caller who comes while the tool runs ($variant, $mode)",
  async ({ open, mode }) => {
    const ran: string[] = [];
    const { slow, finish } = slowTool(ran);
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script: once, tools: [slow] },
    );
    await ours.ask();
    const first = ours.resume(approve);
    await expect.poll(() => ran).toEqual(["a"]);
    const second = ours.resume(approve);
    finish();
    expect(textsOf(await second)).toEqual(["go", "", "ok", "done"]);
    expect(textsOf(await first)).toEqual(["go", "", "ok", "done"]);
    expect(ran).toEqual(["a"]);
  },
);

const withFile = cases.filter(({ variant }) => variant === "our checkpointer");

test.each(withFile.flatMap((one) => namings.map((naming) => ({ ...one, naming }))))(
  "H4: two processes on one database run the tool once, and both get its result ($mode, $naming)",
  async ({ open, mode, naming }) => {
    const ran: string[] = [];
    const { slow, finish } = slowTool(ran);
    const place = await open();
    const options = { interruptOn: { a: true }, interruptMode: mode };
    const surroundings = { script: once, tools: [slow] };
    const one = heldAgent(place, options, surroundings);
    const other = heldAgent(await place.restart(), options, surroundings);
    await one.ask();
    const { id } = await one.onlyPending();
    const answer = naming === "by id" ? { [id]: approve } : approve;
    const both = Promise.all([one.resume(answer), other.resume(answer)]);
    await expect.poll(() => ran).toEqual(["a"]);
    finish();
    expect((await both).map(textsOf)).toEqual([
      ["go", "", "ok", "done"],
      ["go", "", "ok", "done"],
    ]);
    expect(ran).toEqual(["a"]);
  },
);

test("H5: under LangChain's middleware one caller is told no while the tool runs for the other", async () => {
  const stock = stockAgent({ interruptOn: { a: true } }, { script: once });
  await stock.ask();
  const [, rejecter] = await Promise.all([stock.resume(approve), stock.resume(reject)]);
  expect(textsOf(rejecter)).toEqual(["go", "", "no", "done"]);
  expect(stock.ran).toEqual(["a {}"]);
  expect((await stock.messages()).map((one) => one.text)).toEqual(["go", "", "ok", "done"]);
});

const contests = [
  ...twice.map((one) => ({ ...one, processes: 1 })),
  ...twice
    .filter(({ variant }) => variant === "our checkpointer")
    .map((one) => ({ ...one, processes: 2 })),
];

test.each(contests)(
  "H5: ours counts the first, and tells the other who decided what, and when ($variant, $mode, $naming, processes: $processes)",
  async ({ open, mode, naming, processes }) => {
    const place = await open();
    const ran: string[] = [];
    const options = { interruptOn: { a: true }, interruptMode: mode };
    const ours = heldAgent(place, options, { script: once, ran });
    const elsewhere = processes === 1 ? place : await place.restart();
    const theirs = heldAgent(elsewhere, options, { script: once, ran });
    await ours.ask();
    const { id } = await ours.onlyPending();
    const named = (answer: unknown) => (naming === "by id" ? { [id]: answer } : answer);
    const results = await Promise.all([ours.resume(named(approve)), theirs.resume(named(reject))]);
    const [winner, ...others] = results.filter((one) => one["__interrupt__"] === undefined);
    const loser = results.find((one) => one["__interrupt__"] !== undefined);
    expect(others).toEqual([]);
    const approved = winner === results[0];
    expect(loser?.["__interrupt__"]).toMatchObject([
      {
        id,
        value: {
          conflict: {
            by: expect.any(String),
            at: expect.stringMatching(/^\d{4}-/),
            decision: approved ? "approve" : "reject",
          },
          problem: expect.any(String),
        },
      },
    ]);
    expect(ran).toEqual(approved ? ["a {}"] : []);
    expect(await ours.dangling()).toEqual([]);
    expect((await ours.toolMessages()).map((one) => one.status)).toEqual([
      approved ? "success" : "error",
    ]);
  },
);

const two = turns([{ name: "a", args: { n: 1 } }], [{ name: "a", args: { n: 2 } }]);

test("H6: under LangChain's middleware an answer to what was answered before is silently dropped", async () => {
  const stock = stockAgent({ interruptOn: { a: true } }, { script: two });
  await stock.ask();
  const first = await stock.onlyPending();
  await stock.answerById(first.id, { type: "approve" });
  const second = await stock.onlyPending();
  expect(second.id).not.toBe(first.id);
  const result = await stock.resume({ [first.id]: reject });
  expect(result["__interrupt__"]).toMatchObject([{ id: second.id }]);
  expect(stock.ran).toEqual(['a {"n":1}']);
  const strict = { ...stock.config.configurable, __pregel_strict_resume: true };
  const failure = await failureOf(stock.resume({ [first.id]: reject }, { configurable: strict }));
  expect(isUnknownInterruptError(failure)).toBe(true);
});

test.each(cases)(
  "H6: ours says that it was decided already, and gives a repeat the result ($variant, $mode)",
  async ({ open, mode }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script: two },
    );
    await ours.ask();
    const first = await ours.onlyPending();
    await resumeThread(ours.agent, ours.config, { [first.id]: approve });
    const second = await ours.onlyPending();
    const other = resumeThread(ours.agent, ours.config, { [first.id]: reject });
    expect(await refusalOfFailure(other)).toMatchObject({
      code: "already_decided",
      details: { by: expect.any(String), at: expect.any(String), decision: "approve" },
    });
    const repeat = await resumeThread(ours.agent, ours.config, { [first.id]: approve });
    expect(repeat).toMatchObject({ __interrupt__: [{ id: second.id }] });
    expect((await ours.onlyPending()).id).toBe(second.id);
    // While another call waits, a plain invoke gets as far as the gate, which says so too.
    expect((await refusalOfFailure(ours.resume({ [first.id]: reject }))).code).toBe(
      "already_decided",
    );
    expect(ours.ran).toEqual(['a {"n":1}']);
    const unknown = resumeThread(ours.agent, ours.config, { ["0".repeat(32)]: approve });
    expect((await refusalOfFailure(unknown)).message).toContain("0".repeat(32));
  },
);

test.each(withFile)(
  "H6: under holdAgent a plain invoke says so too ($mode)",
  async ({ open, mode }) => {
    const ours = sealedAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script: two },
    );
    await ours.ask();
    const first = await ours.onlyPending();
    await ours.resume({ [first.id]: approve });
    const second = await ours.onlyPending();
    const refusal = await refusalOfFailure(ours.resume({ [first.id]: reject }));
    expect(refusal).toMatchObject({ code: "already_decided", details: { decision: "approve" } });
    const repeat = await ours.resume({ [first.id]: approve });
    expect(repeat).toMatchObject({ __interrupt__: [{ id: second.id }] });
    expect(ours.ran).toEqual(['a {"n":1}']);
  },
);

const turnOfTwo = turns(
  [{ name: "a", args: { n: 1 } }, { name: "b" }],
  [{ name: "a", args: { n: 2 } }],
);

test.each(cases)(
  "H6: ours holds all of this when every step is a new process ($variant, $mode)",
  async ({ open, mode }) => {
    let place = await open();
    const ran: string[] = [];
    const inNewProcess = async () => {
      place = await place.restart();
      const options = { interruptOn: { a: true, b: true }, interruptMode: mode };
      return heldAgent(place, options, { script: turnOfTwo, ran });
    };
    const starting = await inNewProcess();
    await starting.ask();
    const first = await starting.pending();
    await refusalOfFailure((await inNewProcess()).answer({ type: "maybe" }));
    const deciding = await inNewProcess();
    expect((await deciding.pending()).map(({ id }) => id)).toEqual(first.map(({ id }) => id));
    await deciding.decide({ a: { type: "approve" }, b: { type: "reject" } });
    expect(ran).toEqual(['a {"n":1}']);
    const late = await inNewProcess();
    const next = await late.onlyPending();
    const old = first.find(({ value }) => value.actionRequests[0]?.name === "a");
    const decisions = old?.value.actionRequests.map(() => ({ type: "reject" }));
    const { code } = await refusalOfFailure(late.resume({ [old?.id ?? ""]: { decisions } }));
    // Only the record knows what was decided; without an engine it ended with its process.
    expect(code).toBe(place.holdpoint === undefined ? "decision_invalid" : "already_decided");
    expect((await late.onlyPending()).id).toBe(next.id);
    await (await inNewProcess()).decide({ a: { type: "approve" } });
    expect(ran).toEqual(['a {"n":1}', 'a {"n":2}']);
    expect(await late.dangling()).toEqual([]);
  },
);
