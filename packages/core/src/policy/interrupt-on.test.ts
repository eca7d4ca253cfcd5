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
    const { rules } = compileInterruptOn(
      {
        hold: true,
        run: false,
        some: { allowedDecisions: ["respond"], description, argsSchema: { type: "object" }, when },
        text: { allowedDecisions: ["approve", "reject"], description: "why" },
      },
      "deny",
    );
    expect(Object.fromEntries(rules)).toEqual({
      hold: { allowedDecisions: decisionTypes },
      run: "allow",
      some: { allowedDecisions: ["respond"], description, argsSchema: { type: "object" }, when },
      text: { allowedDecisions: ["approve", "reject"], description: "why" },
    });
  });

  test.each<readonly [problem: string, rule: unknown, key: string, hint: string]>([
    [
      "H15: the other casing",
      { allowed_decisions: ["approve"] },
      "pay.allowedDecisions",
      "expected array",
    ],
    [
      "H15: an unknown option",
      { allowedDecisions: ["approve"], wehn: () => true },
      "pay",
      "(wehn)",
    ],
    [
      "H15: an unknown decision",
      { allowedDecisions: ["approve", "accept"] },
      "pay.allowedDecisions.1",
      "approve",
    ],
    ["H16: no decision at all", { allowedDecisions: [] }, "pay.allowedDecisions", "Too small"],
    [
      "a when that is no function",
      { allowedDecisions: ["approve"], when: true },
      "pay.when",
      "Invalid",
    ],
    [
      "a description that is a number",
      { allowedDecisions: ["approve"], description: 5 },
      "pay.description",
      "Invalid",
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
      "Expected true, false or { allowedDecisions, description, argsSchema, when }.",
    );
  });

  test("H14: names of Object.prototype are found only when they are listed", () => {
    const { rules } = compileInterruptOn({ pay: true }, "allow");
    for (const name of ["constructor", "toString", "hasOwnProperty", "__proto__"]) {
      expect(rules.has(name)).toBe(false);
    }
    const listed = JSON.parse('{"constructor":true,"toString":false,"__proto__":true}');
    expect([...compileInterruptOn(listed, "allow").rules.keys()]).toEqual([
      "constructor",
      "toString",
      "__proto__",
    ]);
  });

  test("rules inherited from another object are not taken over", () => {
    const { rules } = compileInterruptOn(
      Object.create({ pay: false }) as Record<string, unknown>,
      "review",
    );
    expect(rules.size).toBe(0);
  });
});
