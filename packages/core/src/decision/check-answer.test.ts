import { describe, expect, test } from "vitest";
import { answerSchemaOf, readCard } from "../contract/card.ts";
import { decisionSchema } from "../contract/decision.ts";
import type { Json, JsonObject } from "../plain-json.ts";
import { transition } from "../review/transition.ts";
import type { Action, Review } from "../review/review.ts";
import { aReview, anAction, anna, noon } from "../testing/review-builder.ts";
import { answerValue } from "./check-answer.ts";
import { readAnswer } from "./read-answer.ts";

const card = readCard({
  formType: "refund",
  fields: [
    { name: "amount", type: "number", required: true },
    { name: "currency", options: ["EUR", "USD"] },
  ],
});
const cardSchema = card === undefined ? {} : answerSchemaOf(card);

function question(answerSchema?: JsonObject): Review {
  const overrides: Partial<Action> = {
    reasonCode: "question",
    allowedDecisions: ["respond"],
    ...(answerSchema === undefined ? {} : { answerSchema }),
  };
  return aReview([anAction(1, overrides)], { turnId: "" });
}

/** The whole way of an answer: read, checked, recorded. */
function answer(review: Review, response: unknown) {
  const read = readAnswer(review, response);
  if (read.type === "refused") return read.refusal;
  const { decisions } = read;
  const command = { type: "decide" as const, decisions, reviewer: anna, editVerdicts: new Map() };
  const result = transition(review, command, noon);
  if (result.type === "refused") return result.refusal;
  const [action] = result.review.actions;
  return action?.state.status === "decided" ? action.state.outcome : result;
}

describe("a tool's question", () => {
  test("a card is answered with the values of its fields", () => {
    const values = { amount: 5, currency: "EUR" };
    expect(answer(question(cardSchema), values)).toEqual({
      type: "answered",
      message: '{"amount":5,"currency":"EUR"}',
      value: values,
    });
  });

  test("a decision may carry the values, with a text for people", () => {
    const decision = { type: "respond", message: "five", value: { amount: 5 } };
    expect(answer(question(cardSchema), { decisions: [decision] })).toEqual({
      type: "answered",
      message: "five",
      value: { amount: 5 },
    });
  });

  test.each<readonly [string, unknown, string]>([
    ["a wrong type", { amount: "5" }, '"amount"'],
    ["a missing field", {}, "amount"],
    ["a value that is no option", { amount: 5, currency: "GBP" }, '"currency"'],
    ["a field that is not there", { amount: 5, tip: 1 }, "tip"],
    ["a text", "five", ""],
    ["a decision with a text alone", { decisions: [{ type: "respond", message: "five" }] }, ""],
  ])("%s is refused, and what was expected is said", (_, response, says) => {
    const refusal = answer(question(cardSchema), response);
    expect(refusal).toMatchObject({ code: "decision_invalid" });
    expect(refusal).toHaveProperty("message", expect.stringContaining(says));
    expect(refusal).toHaveProperty(
      "message",
      expect.stringContaining(
        'Expected: an object with "amount" (number, required), "currency" (one of "EUR" | "USD")',
      ),
    );
  });

  test.each<readonly [Json]>([[true], [false], [0], [null], [[1, "two"]], [{ approved: true }]])(
    "without a schema %j reaches the tool as it was sent",
    (value) => {
      const outcome = answer(question(), value);
      expect(outcome).toMatchObject({ type: "answered", value });
    },
  );

  test("a text stays a text", () => {
    expect(answer(question(), "the red one")).toEqual({ type: "answered", message: "the red one" });
    expect(answerValue({ message: "the red one" })).toBe("the red one");
  });

  test("a schema of a plain value takes the text itself", () => {
    expect(answer(question({ type: "string" }), "red")).toMatchObject({ message: "red" });
    expect(answer(question({ type: "boolean" }), "red")).toMatchObject({
      code: "decision_invalid",
    });
    expect(answer(question({ type: "boolean" }), false)).toMatchObject({ value: false });
  });

  test("values that look like decisions are values when the question has a field of that name", () => {
    const schema = { type: "object", properties: { decisions: { type: "array" } } };
    const values = { decisions: [{ type: "respond", message: "x" }] };
    expect(answer(question(schema), values)).toMatchObject({ value: values });
  });

  test.each([[undefined], [Number.NaN], [new Date(0)], [""]])(
    "%j is no answer at all",
    (response) => {
      expect(answer(question(), response)).toMatchObject({ code: "decision_invalid" });
    },
  );
});

test("a held call is answered with a text, never with a value alone", () => {
  const held = aReview([anAction(1)]);
  const decisions = [{ type: "respond", value: { amount: 5 } }];
  expect(answer(held, { decisions })).toMatchObject({
    code: "decision_invalid",
    message: expect.stringContaining('answered with a text, in "message"'),
  });
});

test("a decision to respond says something", () => {
  expect(decisionSchema.safeParse({ type: "respond" }).success).toBe(false);
  expect(decisionSchema.safeParse({ type: "respond", value: null }).success).toBe(true);
});

test("field names of a card are never taken for words of the wire format", () => {
  const schema = { type: "object", properties: { edited_action: { type: "number" } } };
  const decision = { type: "respond", value: { edited_action: 1 } };
  expect(answer(question(schema), { decisions: [decision] })).toMatchObject({
    value: { edited_action: 1 },
  });
});
