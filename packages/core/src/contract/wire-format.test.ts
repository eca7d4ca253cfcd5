import { describe, expect, test } from "vitest";
import { toCamelCase } from "./casing.ts";
import interruptOfSubagent from "./fixtures/interrupt-of-subagent.json" with { type: "json" };
import interruptWithDeadline from "./fixtures/interrupt-with-deadline.json" with { type: "json" };
import interruptV1 from "./fixtures/interrupt-v1.json" with { type: "json" };
import reviewViewOfSubagent from "./fixtures/review-view-of-subagent.json" with { type: "json" };
import reviewViewV1 from "./fixtures/review-view-v1.json" with { type: "json" };
import reviewViewV2 from "./fixtures/review-view-v2.json" with { type: "json" };
import reviewViewV3 from "./fixtures/review-view-v3.json" with { type: "json" };
import { interruptPayloadSchema, readInterruptPayload } from "./interrupt.ts";
import { reviewPageSchema, reviewViewSchema } from "./review-view.ts";

// What was once sent or stored must be readable for ever. Never edit a fixture: add the next version.

/** The fields of LangChain Python's spelling in the interrupt. */
function toSnakeCase(text: string): string {
  const names = [
    "actionRequests",
    "reviewConfigs",
    "actionName",
    "allowedDecisions",
    "argsSchema",
    "actionId",
    "toolCallId",
  ];
  return names.reduce(
    (left, name) =>
      left.replaceAll(
        `"${name}"`,
        `"${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}"`,
      ),
    text,
  );
}

describe("wire format v1", () => {
  test("an interrupt payload is read whole", () => {
    expect(readInterruptPayload(interruptV1)).toEqual(interruptV1);
  });

  test("an interrupt payload in snake_case is the same, but for what belongs to the tool", () => {
    const snake: unknown = JSON.parse(toSnakeCase(JSON.stringify(interruptV1)));
    expect(interruptPayloadSchema.parse(toCamelCase(snake))).toEqual(interruptV1);
  });

  test("a review view is read whole", () => {
    expect(reviewViewSchema.parse(reviewViewV1)).toEqual(reviewViewV1);
    expect(reviewPageSchema.parse({ reviews: [reviewViewV1], next: "1" }).reviews).toEqual([
      reviewViewV1,
    ]);
  });

  test("a subagent's interrupt and review are read whole, with the path and the outer call", () => {
    expect(readInterruptPayload(interruptOfSubagent)).toEqual(interruptOfSubagent);
    expect(reviewViewSchema.parse(reviewViewOfSubagent)).toEqual(reviewViewOfSubagent);
    expect(readInterruptPayload(interruptV1)).not.toHaveProperty("agentPath");
  });

  test("fields of a later version are ignored, not refused", () => {
    const later = {
      ...reviewViewV1,
      claimedBy: "anna",
      actions: reviewViewV1.actions.map((one) => ({ ...one, risk: "high" })),
    };
    expect(reviewViewSchema.parse(later)).toEqual(reviewViewV1);
  });

  test.each([
    ["LangChain's own request", { actionRequests: [{ name: "x", args: {} }], reviewConfigs: [] }],
    ["a custom card", { formType: "confirm", fields: [] }],
    ["a text", "May I?"],
    ["null", null],
  ])("%s is somebody else's interrupt", (_name, value) => {
    expect(readInterruptPayload(value)).toBeUndefined();
  });

  test.each([
    ["a time that is no UTC time", { ...reviewViewV1, createdAt: "2026-11-30 11:00" }],
    ["a review without actions", { ...reviewViewV1, actions: [] }],
    ["another kind of id", { ...reviewViewV1, id: "act_1" }],
    ["an unknown status", { ...reviewViewV1, status: "pending" }],
  ])("%s is refused", (_name, view) => {
    expect(reviewViewSchema.safeParse(view).success).toBe(false);
  });
});

describe("wire format v2", () => {
  test("a review view of an answered card is read whole", () => {
    expect(reviewViewSchema.parse(reviewViewV2)).toEqual(reviewViewV2);
  });
});

describe("wire format v3", () => {
  test("a review view that expired is read whole: nobody recorded a decision", () => {
    expect(reviewViewSchema.parse(reviewViewV3)).toEqual(reviewViewV3);
    expect(reviewViewV3.actions[0]).not.toHaveProperty("recorded");
  });

  test("an interrupt payload with a deadline is read whole", () => {
    expect(readInterruptPayload(interruptWithDeadline)).toEqual(interruptWithDeadline);
  });

  test.each([
    ["approves", { at: "2026-11-30T16:00:00.000Z", outcome: "approved" }],
    ["has no time", { at: "tomorrow", outcome: "rejected" }],
  ])("a deadline that %s is refused", (_name, deadline) => {
    expect(reviewViewSchema.safeParse({ ...reviewViewV3, deadline }).success).toBe(false);
    expect(readInterruptPayload({ ...interruptWithDeadline, deadline })).toBeUndefined();
  });
});
