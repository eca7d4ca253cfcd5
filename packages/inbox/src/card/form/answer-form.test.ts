import { answerSchemaOf, readCard } from "@holdpoint/core";
import { expect, test } from "vitest";
import { answerForm } from "./answer-form.ts";
import { problemsWithTexts } from "./form-state.ts";

const card = readCard({
  formType: "refund",
  fields: [
    { name: "amount", type: "number", required: true },
    { name: "reason", type: "text" },
    { name: "notify", type: "boolean", default: true },
  ],
});
const schema = card === undefined ? {} : answerSchemaOf(card);

test("a card begins with its required fields and its defaults, and a number that nobody typed is blank", () => {
  const { start } = answerForm(schema, undefined);
  expect(start.args).toEqual({ amount: 0, notify: true });
  expect(problemsWithTexts(start)).toEqual([{ path: ["amount"], problem: "not_a_number" }]);
});

test("an earlier answer is taken up as it was", () => {
  const earlier = { amount: 7, reason: "late" };
  const { start, answerOf } = answerForm(schema, earlier);
  expect(answerOf(start.args)).toEqual(earlier);
  expect(problemsWithTexts(start)).toEqual([]);
});

test("an answer that is no object is the one field of its form", () => {
  const { root, start, answerOf } = answerForm(
    { $ref: "#/$defs/Yes", $defs: { Yes: { type: "boolean" } } },
    undefined,
  );
  expect(root).toMatchObject({ type: "object", $defs: { Yes: { type: "boolean" } } });
  expect(answerOf(start.args)).toBe(false);
  expect(answerOf({ answer: true })).toBe(true);
  expect(answerOf(answerForm({ type: "string" }, "red").start.args)).toBe("red");
});
