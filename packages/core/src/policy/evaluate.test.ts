import { describe, expect, test } from "vitest";
import { evaluate, explain } from "./evaluate.ts";
import { compileInterruptOn, type Unlisted } from "./interrupt-on.ts";

type Ask = (request: { amount: number }) => unknown;

function ask(rule: unknown, amount = 5, unlisted: Unlisted = "allow") {
  return evaluate(compileInterruptOn<{ amount: number }, never>({ pay: rule }, unlisted), "pay", {
    amount,
  });
}

const conditional = (when: Ask) => ({ allowedDecisions: ["approve", "reject"], when });
const fails: Ask = () => {
  throw new Error("broken");
};

describe("evaluating a rule", () => {
  test("true always asks, false never does", async () => {
    expect(await ask(true)).toEqual({
      type: "review",
      rule: "interruptOn.pay",
      reason: "pay always asks a person first.",
      reasonCode: "always",
      allowedDecisions: ["approve", "edit", "reject", "respond"],
    });
    expect(await ask(false)).toEqual({
      type: "allow",
      rule: "interruptOn.pay",
      reason: "pay may run without asking.",
    });
  });

  test("a rule's deadline goes with its verdict, in milliseconds", async () => {
    const rule = { allowedDecisions: ["approve"], deadline: "4h" };
    expect(await ask(rule)).toMatchObject({ type: "review", deadlineIn: 14_400_000 });
    expect(await ask({ ...rule, deadline: 250 })).toMatchObject({ deadlineIn: 250 });
    expect(await ask(true)).not.toHaveProperty("deadlineIn");
  });

  test("a condition is asked about the request, also when it answers later", async () => {
    for (const when of [
      ({ amount }: { amount: number }) => amount > 100,
      async ({ amount }: { amount: number }) => amount > 100,
    ]) {
      expect(await ask(conditional(when), 101)).toMatchObject({
        type: "review",
        reasonCode: "condition",
      });
      expect(await ask(conditional(when), 100)).toMatchObject({ type: "allow" });
    }
  });

  test.each<readonly [string, Ask]>([
    ["throws", fails],
    ["rejects", () => Promise.reject(new Error("broken"))],
    ["answers undefined", () => undefined],
    ["answers null", () => null],
    ["answers 0", () => 0],
    ["answers an empty text", () => ""],
    ["answers 'false'", () => "false"],
    ["answers an object", () => new Boolean(false)],
    ["promises undefined", async () => undefined],
  ])("H17: a condition that %s holds the call for a person", async (_name, when) => {
    expect(await ask(conditional(when))).toEqual({
      type: "review",
      rule: "interruptOn.pay",
      reason: "The condition of interruptOn.pay did not answer yes or no, so a person is asked.",
      reasonCode: "condition_failed",
      allowedDecisions: ["approve", "reject"],
    });
  });
});

describe("a verdict", () => {
  const when = ({ amount }: { amount: number }) => amount > 100;
  const rules = compileInterruptOn<{ amount: number }, never>(
    { "mcp_*": conditional(when), mcp_read: false, "*": true },
    "deny",
  );

  test.each([
    ["mcp_pay", 101, "mcp_*", "review"],
    ["mcp_pay", 100, "mcp_*", "allow"],
    ["mcp_read", 101, "mcp_read", "allow"],
    ["constructor", 0, "*", "review"],
  ])("on %s names the key that decided", async (tool, amount, key, type) => {
    const rule = `interruptOn.${key}`;
    expect(await evaluate(rules, tool, { amount })).toMatchObject({ type, rule });
    expect(await explain(rules, tool, { amount })).toMatchObject({ key, verdict: { type, rule } });
  });

  test("is explained by the condition's own answer, or by what went wrong with it", async () => {
    const conditionOf = async (answer: Ask) =>
      (await explain(compileInterruptOn({ pay: conditional(answer) }, "allow"), "pay", {}))
        .condition;
    expect(await conditionOf(() => true)).toEqual({ type: "answered", answer: true });
    expect(await conditionOf(async () => false)).toEqual({ type: "answered", answer: false });
    expect(await conditionOf(fails)).toEqual({ type: "failed", problem: "it threw: broken" });
    expect(await conditionOf(() => null)).toEqual({
      type: "failed",
      problem: "it answered null, not true or false",
    });
    const bare = await explain(compileInterruptOn({ pay: true }, "allow"), "pay", {});
    expect(bare).not.toHaveProperty("condition");
  });
});

describe("a tool that is not listed", () => {
  const verdict = (unlisted: Unlisted, tool: string) =>
    evaluate(compileInterruptOn<object, never>({ pay: true }, unlisted), tool, {});

  test.each<readonly [Unlisted, object]>([
    ["allow", { type: "allow" }],
    [
      "review",
      { type: "review", reasonCode: "unlisted", allowedDecisions: ["approve", "edit", "reject"] },
    ],
    ["deny", { type: "deny" }],
  ])(
    "is treated as %s says, also when it is called like a member of Object.prototype (H14)",
    async (mode, expected) => {
      for (const tool of ["delete_all", "constructor", "toString", "__proto__", ""]) {
        expect(await verdict(mode, tool)).toMatchObject({ ...expected, rule: "unlisted" });
      }
    },
  );
});
