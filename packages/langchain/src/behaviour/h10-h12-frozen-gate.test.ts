import { MemorySaver } from "@langchain/langgraph";
import { expect, test } from "vitest";
import { cases, failureOf, heldAgent, stockAgent, turns } from "./set-up.ts";

const rejected = { type: "reject", message: "never" };
const once = turns([{ name: "a" }]);

/** A rule whose condition can be switched. */
function switchable() {
  const condition = { holds: true };
  const rule = {
    allowedDecisions: ["approve", "reject"] as const,
    when: () => condition.holds,
  };
  return { condition, rule };
}

test("H10: under LangChain's middleware a rejected call runs when its condition no longer holds it", async () => {
  const { condition, rule } = switchable();
  const stock = stockAgent({ interruptOn: { a: rule } }, { script: once });
  await stock.ask();
  condition.holds = false;
  await stock.answer(rejected);
  expect(stock.ran).toEqual(["a {}"]);
});

test("H10: under LangChain's middleware a rejected call runs when the agent was deployed without its rule", async () => {
  const saver = new MemorySaver();
  const before = stockAgent({ interruptOn: { a: true } }, { script: once, saver });
  await before.ask();
  const after = stockAgent({ interruptOn: { a: false } }, { script: once, saver });
  await after.answer(rejected);
  expect(after.ran).toEqual(["a {}"]);
});

test.each(cases)(
  "H10: under ours a rejected call does not run, whatever its condition says now ($variant, $mode)",
  async ({ open, mode }) => {
    const { condition, rule } = switchable();
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: rule }, interruptMode: mode },
      { script: once },
    );
    await ours.ask();
    condition.holds = false;
    await ours.answer(rejected);
    expect(ours.ran).toEqual([]);
    expect((await ours.toolMessages()).map((one) => one.status)).toEqual(["error"]);
  },
);

const rulesNow = [
  ["says false", { a: false }],
  ["is gone", {}],
] as const;

test.each(cases.flatMap((one) => rulesNow.map(([now, rules]) => ({ ...one, now, rules }))))(
  "H10: under ours a rejected call does not run in a new process where its rule $now ($variant, $mode)",
  async ({ open, mode, rules }) => {
    const place = await open();
    const before = heldAgent(
      place,
      { interruptOn: { a: true }, interruptMode: mode },
      { script: once },
    );
    await before.ask();
    const after = heldAgent(
      await place.restart(),
      { interruptOn: rules, interruptMode: mode },
      { script: once },
    );
    await after.answer(rejected);
    expect([...before.ran, ...after.ran]).toEqual([]);
    expect((await after.toolMessages()).map((one) => one.status)).toEqual(["error"]);
  },
);

const both = turns([{ name: "a" }, { name: "b" }]);

test("H11: under LangChain's middleware neither decision applies when one of two calls is no longer held", async () => {
  const { condition, rule } = switchable();
  const stock = stockAgent({ interruptOn: { a: rule, b: true } }, { script: both });
  await stock.ask();
  condition.holds = false;
  const failure = await failureOf(stock.answer({ type: "approve" }, { type: "approve" }));
  expect(failure.message).toContain(
    "Number of human decisions (2) does not match number of hanging tool calls (1).",
  );
  expect(stock.ran).toEqual([]);
  condition.holds = true;
  await stock.answer({ type: "approve" }, { type: "approve" });
  expect(stock.ran).toEqual(["a {}", "b {}"]);
});

test.each(cases)(
  "H11: under ours both decisions apply ($variant, $mode)",
  async ({ open, mode }) => {
    const { condition, rule } = switchable();
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: rule, b: true }, interruptMode: mode },
      { script: both },
    );
    await ours.ask();
    condition.holds = false;
    await ours.decide({ a: rejected, b: { type: "approve" } });
    expect(ours.ran).toEqual(["b {}"]);
    expect((await ours.toolMessages()).map((one) => [one.name, one.status])).toEqual([
      ["a", "error"],
      ["b", "success"],
    ]);
  },
);

/** Rules for a and b that note each time their functions are asked. */
function noted() {
  const asked: string[] = [];
  const rules = Object.fromEntries(
    ["a", "b"].map((name) => [
      name,
      {
        allowedDecisions: ["approve"] as const,
        when: () => {
          asked.push(`when ${name}`);
          return true;
        },
        description: async () => {
          asked.push(`describe ${name}`);
          return name;
        },
      },
    ]),
  );
  return { asked, rules };
}

const eachOnce = ["describe a", "describe b", "when a", "when b"];

test("H12: LangChain's middleware asks condition and description again on every resume", async () => {
  const { asked, rules } = noted();
  const stock = stockAgent({ interruptOn: rules }, { script: both });
  await stock.ask();
  expect(asked.toSorted()).toEqual(eachOnce);
  await stock.answer({ type: "approve" }, { type: "approve" });
  expect(asked.toSorted()).toEqual([...eachOnce, ...eachOnce].toSorted());
});

test.each(cases)(
  "H12: ours asks each once for each call, a new process included ($variant, $mode)",
  async ({ open, mode }) => {
    const place = await open();
    const { asked, rules } = noted();
    const options = { interruptOn: rules, interruptMode: mode };
    const before = heldAgent(place, options, { script: both });
    await before.ask();
    expect(asked.toSorted()).toEqual(eachOnce);
    const after = heldAgent(await place.restart(), options, { script: both });
    await after.decide({ a: { type: "approve" }, b: { type: "approve" } });
    expect(after.ran.toSorted()).toEqual(["a {}", "b {}"]);
    expect(asked.toSorted()).toEqual(eachOnce);
  },
);
