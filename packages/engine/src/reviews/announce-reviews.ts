import { type JsonObject, outcomeOf, type Review } from "@holdpoint/core";
import { newId } from "../ids.ts";
import type { Writing } from "../storage/storage.ts";

/** What is told of reviews, each once for each review: that it waits, and that it waits no more. */
export type ReviewTopic = "review.opened" | "review.settled";

/** Tells the consumers of a topic of these reviews, in the caller's transaction; ids only, no arguments. */
export async function announceReviews(
  writing: Writing,
  topic: ReviewTopic,
  reviews: readonly Review[],
): Promise<void> {
  if (reviews.length === 0) return;
  await writing.insertDeliveries(
    reviews.map((review) => ({
      id: newId("dlv"),
      topic,
      key: review.id,
      body: JSON.stringify(bodyOf(review)),
      dueAt: writing.now,
    })),
  );
}

function bodyOf(review: Review): JsonObject {
  const { id: reviewId, threadId, agent, deadline, state } = review;
  return {
    reviewId,
    threadId,
    agent,
    status: state.status,
    ...(deadline === undefined ? {} : { deadline: deadline.at }),
    ...(isExpired(review) ? { cause: "deadline" } : {}),
  };
}

function isExpired({ actions }: Review): boolean {
  return actions.some((action) => {
    const outcome = outcomeOf(action);
    return outcome?.type === "rejected" && outcome.cause === "deadline";
  });
}
