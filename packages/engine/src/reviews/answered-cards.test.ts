import type { JsonObject } from "@holdpoint/core";
import { expect, test } from "vitest";
import { aDraft, aDraftAction, anna, ben } from "../testing/review-draft.ts";
import { openTestEngine, temporaryFile } from "../testing/temporary-engine.ts";

const answerSchema: JsonObject = {
  type: "object",
  properties: { amount: { type: "number" } },
  required: ["amount"],
};
const card = { type: "ai", id: "card_1", content: "Paid back 5." };

async function openCard() {
  const engine = await openTestEngine(temporaryFile());
  const action = aDraftAction({
    answerSchema,
    reasonCode: "question",
    allowedDecisions: ["respond"],
  });
  const review = await engine.openReview(aDraft(1, { turnId: "", actions: [action] }));
  const answer = (value: JsonObject, addMessages: readonly JsonObject[], reviewer = anna) =>
    engine.decide({
      reviewId: review.id,
      decisions: [{ actionId: action.id, decision: { type: "respond", value } }],
      reviewer,
      addMessages,
    });
  return { engine, review, answer };
}

test("a card keeps the schema of its answer, and shows it", async () => {
  const { engine, review } = await openCard();
  expect((await engine.readReview(review.id))?.actions[0]?.answerSchema).toEqual(answerSchema);
  expect((await engine.reviews.view(review.id))?.actions[0]?.answerSchema).toEqual(answerSchema);
});

test("a wrong answer changes nothing, and the right one still works", async () => {
  const { engine, review, answer } = await openCard();
  expect(await answer({ amount: "5" }, [card])).toMatchObject({
    type: "refused",
    refusal: { code: "decision_invalid", details: { path: "amount" } },
  });
  expect(await engine.readReview(review.id)).toEqual(review);
  expect(await answer({ amount: 5 }, [card])).toMatchObject({ type: "recorded", repeated: false });
  expect(await engine.readReview(review.id)).toMatchObject({
    addedMessages: [card],
    state: { status: "decided" },
    actions: [{ state: { outcome: { type: "answered", value: { amount: 5 } } } }],
  });
});

test("neither a repeat nor a loser adds messages", async () => {
  const { engine, review, answer } = await openCard();
  await answer({ amount: 5 }, [card]);
  const other = { ...card, id: "card_2" };
  expect(await answer({ amount: 5 }, [other])).toMatchObject({ repeated: true });
  expect(await answer({ amount: 6 }, [other], ben)).toMatchObject({
    refusal: { code: "already_decided" },
  });
  expect((await engine.readReview(review.id))?.addedMessages).toEqual([card]);
});
