import { describe, expect, test } from "vitest";
import { decisionTypes } from "../contract/decision.ts";
import { HoldpointError } from "../contract/errors.ts";
import { compileInterruptOn } from "./interrupt-on.ts";

function errorOf(interruptOn: Record<string, unknown>): HoldpointError {
  try {
    compileInterruptOn(interruptOn, "review");
  } catch (error) {
    if (error instanceof HoldpointError) return error;
  }
  throw new Error("expected config_invalid");
}

describe("compiling interruptOn", () => {
  test("true holds with all four decisions, false lets run, an object says more", () => {
    const when = () => true;
    const description = () => "why";
    const { exact } = compileInterruptOn(
      {
        hold: true,
        run: false,
        some: { allowedDecisions: ["respond"], description, argsSchema: { type: "object" }, when },
        text: { allowedDecisions: ["approve", "reject"], description: "why" },
      },
      "deny",
    );
    expect([...exact.values()]).toEqual([
      { key: "hold", rule: { allowedDecisions: decisionTypes } },
      { key: "run", rule: "allow" },
      {
        key: "some",
        rule: { allowedDecisions: ["respond"], description, argsSchema: { type: "object" }, when },
      },
      { key: "text", rule: { allowedDecisions: ["approve", "reject"], description: "why" } },
    ]);
  });

  test.each<readonly [problem: string, rule: unknown, key: string, hint: string]>([
    [
      "H15: the other casing",
      { allowed_decisions: ["approve"] },
      "pay.allowed_decisions",
      "there is no such option (did you mean allowedDecisions?)",
    ],
    [
      "H15: a misspelt option",
      { allowedDecisions: ["approve"], wehn: () => true },
      "pay.wehn",
      "(did you mean when?)",
    ],
    [
      "H15: an unknown option",
      { allowedDecisions: ["approve"], timeout: 5 },
      "pay.timeout",
      "(there are allowedDecisions, description, argsSchema, when, deadline)",
    ],
    [
      "H15: an option named like a member of Object.prototype",
      JSON.parse('{"allowedDecisions":["approve"],"__proto__":{}}'),
      "pay.__proto__",
      "there is no such option",
    ],
    [
      "H15: a misspelt decision",
      { allowedDecisions: ["approve", "aprove"] },
      "pay.allowedDecisions.1",
      '"aprove" is not a decision (did you mean approve?)',
    ],
    [
      "H15: a decision in the other casing",
      { allowedDecisions: ["Reject"] },
      "pay.allowedDecisions.0",
      "(did you mean reject?)",
    ],
    [
      "H15: a decision under its earlier name",
      { allowedDecisions: ["accept"] },
      "pay.allowedDecisions.0",
      "(did you mean approve?)",
    ],
    [
      "H15: an unknown decision",
      { allowedDecisions: ["escalate"] },
      "pay.allowedDecisions.0",
      "(there are approve, edit, reject, respond)",
    ],
    [
      "a decision that is no text",
      { allowedDecisions: [null] },
      "pay.allowedDecisions.0",
      "a decision is one of approve",
    ],
    [
      "a deadline that is no duration",
      { allowedDecisions: ["approve"], deadline: "4 hours" },
      "pay.deadline",
      'must be how long a person has, at most a year: "90s", "30m", "4h", "7d", or milliseconds',
    ],
    [
      "no time at all",
      { allowedDecisions: ["approve"], deadline: 0 },
      "pay.deadline",
      "must be how",
    ],
    ["no allowedDecisions", { when: () => true }, "pay.allowedDecisions", "must be a list"],
    [
      "H16: no decision at all",
      { allowedDecisions: [] },
      "pay.allowedDecisions",
      "at least one decision",
    ],
    [
      "a when that is no function",
      { allowedDecisions: ["approve"], when: true },
      "pay.when",
      "must be a function",
    ],
    [
      "a description that is a number",
      { allowedDecisions: ["approve"], description: 5 },
      "pay.description",
      "must be a text or a function",
    ],
    [
      "a schema that is a list",
      { allowedDecisions: ["approve"], argsSchema: [] },
      "pay.argsSchema",
      "plain JSON object",
    ],
    ["a string", "yes", "pay", "expected object"],
    ["null", null, "pay", "expected object"],
    ["undefined", undefined, "pay", "expected object"],
    ["a list", ["approve"], "pay", "expected object"],
  ])("%s fails at once and names the key", (_problem, rule, key, hint) => {
    const error = errorOf({ fine: true, pay: rule });
    expect(error.code).toBe("config_invalid");
    expect(error.details).toEqual({ key });
    expect(error.message).toContain(`interruptOn.${key} is not valid: `);
    expect(error.message).toContain(hint);
    expect(error.message).toContain(
      "Expected true, false or { allowedDecisions, description, argsSchema, when, deadline }.",
    );
  });

  test.each<readonly [problem: string, key: string, hint: string]>([
    ["a space at its end", "pay ", "take the spaces away"],
    ["no character", "", "take the spaces away"],
    ["two stars alone", "**", 'write "*"'],
    ["braces", "mcp_{read,write}", "only * and ? are known"],
    ["a class of characters", "mcp_[a-z]", "only * and ? are known"],
    ["a way out of a star", "mcp_\\*", "only * and ? are known"],
    ["a negation", "!pay", "only * and ? are known"],
  ])("a key with %s can stand for no tool and fails at once", (_problem, key, hint) => {
    const error = errorOf({ fine: true, [key]: true });
    expect(error.code).toBe("config_invalid");
    expect(error.details).toEqual({ key });
    expect(error.message).toContain(`interruptOn.${key} is not valid: `);
    expect(error.message).toContain(hint);
  });

  test.each([[["pay"]], [new Map([["pay", true]])], [null], ["pay"], [true]])(
    "%o instead of an object fails, since it would hold nothing",
    (value) => {
      // What JavaScript callers can pass.
      const error = errorOf(value as unknown as Record<string, unknown>);
      expect(error.details).toEqual({ key: "interruptOn" });
    },
  );

  test("rules inherited from another object are not taken over", () => {
    const inherited = Object.create({ pay: false, "mcp_*": false, "*": false });
    expect(compileInterruptOn(inherited as Record<string, unknown>, "review")).toMatchObject({
      exact: new Map(),
      globs: [],
      catchAll: undefined,
    });
  });
});
