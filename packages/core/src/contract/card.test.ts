import { describe, expect, test } from "vitest";
import { problemWithArgs } from "../decision/check-args.ts";
import type { Json, JsonObject } from "../plain-json.ts";
import { answerSchemaOf, type Card, readCard } from "./card.ts";

const refund = {
  formType: "refund",
  title: "Refund order 17?",
  context: { customer: "Ada", paid: 120 },
  fields: [
    { name: "amount", label: "Amount", type: "number", required: true, min: 1, max: 120 },
    { name: "reason", type: "text", required: true, maxLength: 40 },
    { name: "notify", type: "boolean", default: true },
    { name: "currency", type: "select", options: ["EUR", "USD"] },
  ],
};

function cardOf(value: unknown): Card {
  const card = readCard(value);
  if (card === undefined) throw new Error("this is a card");
  return card;
}

test("a card is read whole, keys of its own included", () => {
  const own = { ...refund, accent: "red", fields: [{ ...refund.fields[0], width: 3 }] };
  expect(readCard(own)).toEqual(own);
});

test.each<readonly [string, unknown]>([
  ["a text", "Which one?"],
  ["no form type", { title: "x", fields: [] }],
  ["no fields", { formType: "x" }],
  ["a field without a name", { formType: "x", fields: [{ type: "text" }] }],
  [
    "two fields of one name, which no object can answer",
    { formType: "x", fields: [{ name: "a" }, { name: "a" }] },
  ],
  ["a choice among nothing", { formType: "x", fields: [{ name: "a", options: [] }] }],
  ["what JSON cannot carry", { formType: "x", fields: [], context: { at: new Date(0) } }],
])("%s is no card", (_, value) => {
  expect(readCard(value)).toBeUndefined();
});

test("the answer's schema has a property for each field and allows no other", () => {
  expect(answerSchemaOf(cardOf(refund))).toEqual({
    type: "object",
    title: "Refund order 17?",
    properties: {
      amount: { title: "Amount", type: "number", minimum: 1, maximum: 120 },
      reason: { type: "string", minLength: 1, maxLength: 40 },
      notify: { default: true, type: "boolean" },
      currency: { enum: ["EUR", "USD"] },
    },
    required: ["amount", "reason"],
    additionalProperties: false,
  });
});

test("labelled options become constants with a title", () => {
  const options = [{ value: "eur", label: "Euro" }, "usd"];
  const schema = answerSchemaOf(cardOf({ formType: "x", fields: [{ name: "a", options }] }));
  expect(schema["properties"]).toEqual({
    a: { oneOf: [{ const: "eur", title: "Euro" }, { const: "usd" }] },
  });
});

describe("fits", () => {
  const fits = (field: JsonObject, value: Json): boolean => {
    const schema = answerSchemaOf(cardOf({ formType: "x", fields: [{ name: "a", ...field }] }));
    return problemWithArgs(schema, { a: value }) === undefined;
  };

  test.each<readonly [JsonObject, Json, Json]>([
    [{ type: "text" }, "x", 5],
    [{}, "x", 5],
    [{ type: "text", required: true }, "x", ""],
    [{ type: "textarea", minLength: 3 }, "abc", "ab"],
    [{ type: "email" }, "a@b.c", "a"],
    [{ type: "date" }, "2026-11-30", "tomorrow"],
    [{ type: "number" }, 1.5, "1.5"],
    [{ type: "number", max: 5 }, 5, 6],
    [{ type: "integer" }, 2, 2.5],
    [{ type: "boolean" }, false, "false"],
    [{ type: "select", options: ["a", 2, true] }, 2, "2"],
    [{ type: "radio", options: [{ value: "a", label: "A" }] }, "a", "A"],
    [{ options: ["a"] }, "a", "b"],
    [{ type: "multiselect", options: ["a", "b"] }, ["b"], ["c"]],
    [{ type: "multiselect", options: ["a", "b"] }, [], ["a", "a"]],
    [{ type: "multiselect", options: ["a"], required: true }, ["a"], []],
  ])("%j takes %j and not %j", (field, right, wrong) => {
    expect(fits(field, right)).toBe(true);
    expect(fits(field, wrong)).toBe(false);
  });

  test("a type that only its own user interface knows takes any value, so that it can be answered", () => {
    expect(fits({ type: "colour-wheel" }, { hue: 20 })).toBe(true);
  });

  test("an optional field may be left out and a required one may not", () => {
    const schema = answerSchemaOf(cardOf(refund));
    expect(problemWithArgs(schema, { amount: 5, reason: "late" })).toBeUndefined();
    expect(problemWithArgs(schema, { amount: 5 })?.message).toContain("reason");
    expect(problemWithArgs(schema, { amount: 5, reason: "late", extra: 1 })).toBeDefined();
  });
});
