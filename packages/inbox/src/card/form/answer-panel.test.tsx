import { answerSchemaOf, type Json, readCard } from "@holdpoint/core";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { AnswerPanel } from "./answer-panel.tsx";

const card = readCard({
  formType: "refund",
  fields: [
    { name: "amount", label: "Amount to pay back", type: "number", required: true, max: 120 },
    {
      name: "currency",
      required: true,
      options: [
        { value: "eur", label: "Euro" },
        { value: "usd", label: "US dollar" },
      ],
    },
    { name: "note", label: "Note for the customer", type: "text" },
  ],
});

function panelOf(value?: Json): string {
  return renderToStaticMarkup(
    <AnswerPanel
      schema={card === undefined ? {} : answerSchemaOf(card)}
      value={value}
      sendsAtOnce
      onDecide={() => undefined}
      onBack={() => undefined}
    />,
  );
}

test("a card's fields go by their labels, choices by theirs with the value beside", () => {
  const html = panelOf();
  expect(html).toContain("Amount to pay back");
  expect(html).toContain("US dollar (usd)");
  expect(html).toContain('data-testid="add:note"');
  expect(html).toContain("Add Note for the customer");
});

test("a choice is made by a person, not by its place in the list", () => {
  expect(panelOf()).toContain("Choose…");
  expect(panelOf({ amount: 50, currency: "usd" })).not.toContain("Choose…");
});

test("nothing can be sent until the answer fits", () => {
  const isDisabled = /<button[^>]*data-testid="send-respond"[^>]*disabled=""/;
  expect(panelOf()).toMatch(isDisabled);
  expect(panelOf({ amount: 500, currency: "eur" })).toMatch(isDisabled);
  expect(panelOf({ amount: 50, currency: "eur" })).not.toMatch(isDisabled);
});
