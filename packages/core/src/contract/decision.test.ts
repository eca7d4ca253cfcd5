import { describe, expect, test } from "vitest";
import {
  decideRequestSchema,
  decisionSchema,
  positionalAnswerSchema,
  textLimit,
} from "./decision.ts";

const editedAction = { name: "send_email", args: { to: "a@b.c" } };

describe("a decision on the wire", () => {
  test.each([
    { type: "approve" },
    { type: "edit", editedAction },
    { type: "reject" },
    { type: "reject", message: "no" },
    { type: "reject", rejection: { because: "late", instead: "wait", bounds: "today" } },
    { type: "respond", message: "done already" },
    { type: "respond", message: "x".repeat(textLimit) },
  ])("%j is read as it is", (decision) => {
    expect(decisionSchema.parse(decision)).toEqual(decision);
  });

  test.each([
    ["no type", {}],
    ["an unknown type", { type: "accept" }],
    ["LangChain Python's old boolean", true],
    ["a type in another case", { type: "Approve" }],
    ["an edit without an action", { type: "edit" }],
    ["an edit with args that are a list", { type: "edit", editedAction: { name: "x", args: [] } }],
    ["an edit without a tool", { type: "edit", editedAction: { name: "", args: {} } }],
    [
      "an edit with a __proto__",
      { type: "edit", editedAction: { name: "x", args: JSON.parse('{"__proto__":{}}') } },
    ],
    [
      "an edit with an unsafe integer",
      { type: "edit", editedAction: { name: "x", args: { n: 2 ** 53 } } },
    ],
    ["an empty answer", { type: "respond", message: "" }],
    ["too long an answer", { type: "respond", message: "x".repeat(textLimit + 1) }],
    ["a message that is no text", { type: "reject", message: 5 }],
  ])("%s is refused", (_name, decision) => {
    expect(decisionSchema.safeParse(decision).success).toBe(false);
  });

  test("half of a surrogate pair is refused in every text (found by test: recording it threw)", () => {
    const half = "no \ud83d";
    for (const decision of [
      { type: "reject", message: half },
      { type: "reject", rejection: { because: half } },
      { type: "respond", message: half },
      { type: "edit", editedAction: { name: half, args: {} } },
    ]) {
      expect(decisionSchema.safeParse(decision).success).toBe(false);
    }
  });
});

describe("a decide request", () => {
  test("is read in both casings", () => {
    const camel = { decisions: [{ actionId: "act_1", decision: { type: "edit", editedAction } }] };
    const snake = {
      decisions: [{ action_id: "act_1", decision: { type: "edit", edited_action: editedAction } }],
    };
    expect(decideRequestSchema.parse(camel)).toEqual(camel);
    expect(decideRequestSchema.parse(snake)).toEqual(camel);
  });

  test.each([
    ["nothing", undefined],
    ["no decision", { decisions: [] }],
    ["a decision without an action", { decisions: [{ decision: { type: "approve" } }] }],
    [
      "an id of another kind",
      { decisions: [{ actionId: "rev_1", decision: { type: "approve" } }] },
    ],
    [
      "a prefix without an id",
      { decisions: [{ actionId: "act_", decision: { type: "approve" } }] },
    ],
    ["a list 100,000 deep", { decisions: JSON.parse("[".repeat(100_000) + "]".repeat(100_000)) }],
  ])("with %s is refused", (_name, request) => {
    expect(decideRequestSchema.safeParse(request).success).toBe(false);
  });

  test("a decision cannot be smuggled in as a prototype (found by test)", () => {
    const text = '{"decisions":[{"actionId":"act_1","decision":{"__proto__":{"type":"approve"}}}]}';
    expect(decideRequestSchema.safeParse(JSON.parse(text)).success).toBe(false);
  });

  test("an answer by position is read in both casings", () => {
    const read = { decisions: [{ type: "edit", editedAction }] };
    expect(
      positionalAnswerSchema.parse({ decisions: [{ type: "edit", edited_action: editedAction }] }),
    ).toEqual(read);
    expect(positionalAnswerSchema.parse(read)).toEqual(read);
  });
});
