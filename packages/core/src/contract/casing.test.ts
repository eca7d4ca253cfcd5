import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { anyJson } from "../testing/arbitrary-json.ts";
import { toCamelCase } from "./casing.ts";

describe("the two casings of the wire format", () => {
  test("snake_case becomes camelCase at every depth", () => {
    const snake = {
      action_requests: [{ action_id: "act_1", tool_call_id: "c", name: "x", args: {} }],
      review_configs: [{ action_name: "x", allowed_decisions: ["approve"], args_schema: {} }],
      decisions: [
        { action_id: "act_1", decision: { type: "edit", edited_action: { name: "x", args: {} } } },
      ],
      idempotency_key: "k",
    };
    expect(toCamelCase(snake)).toEqual({
      actionRequests: [{ actionId: "act_1", toolCallId: "c", name: "x", args: {} }],
      reviewConfigs: [{ actionName: "x", allowedDecisions: ["approve"], argsSchema: {} }],
      decisions: [
        { actionId: "act_1", decision: { type: "edit", editedAction: { name: "x", args: {} } } },
      ],
      idempotencyKey: "k",
    });
  });

  test("camelCase stays as it is, and wins when both are there", () => {
    const camel = { actionRequests: [], reviewId: "rev_1" };
    expect(toCamelCase(camel)).toEqual(camel);
    expect(toCamelCase({ action_id: "old", actionId: "new" })).toEqual({ actionId: "new" });
    expect(toCamelCase({ actionId: "new", action_id: "old" })).toEqual({ actionId: "new" });
  });

  test("names that are not of the wire format are left alone", () => {
    const other = { user_id: 1, thread_id: "t", action_request: {} };
    expect(toCamelCase(other)).toEqual(other);
  });

  test("the arguments of a tool and its schema are never touched, whatever they hold", () => {
    fc.assert(
      fc.property(anyJson, (inside) => {
        const args = { action_id: inside, edited_action: { args_schema: inside }, inside };
        const read = toCamelCase({
          decisions: [{ edited_action: { name: "x", args } }],
          args_schema: args,
        });
        expect(read).toEqual({
          decisions: [{ editedAction: { name: "x", args } }],
          argsSchema: args,
        });
      }),
    );
  });

  test("anything else comes out as it went in", () => {
    for (const value of [null, 1, "action_id", true, undefined, []])
      expect(toCamelCase(value)).toEqual(value);
  });

  test("a __proto__ key stays an ordinary key (found by test: it became the prototype of the decision)", () => {
    const read = toCamelCase(JSON.parse('{"decision":{"__proto__":{"type":"approve"}}}')) as {
      decision: { type?: string };
    };
    expect(read.decision.type).toBeUndefined();
    expect(Object.getPrototypeOf(read.decision)).toBe(Object.prototype);
  });

  test("a value of any depth can be given (found by test: it overflowed the stack)", () => {
    const deep: unknown = JSON.parse("[".repeat(100_000) + "]".repeat(100_000));
    expect(() => toCamelCase({ decisions: deep })).not.toThrow();
  });
});
