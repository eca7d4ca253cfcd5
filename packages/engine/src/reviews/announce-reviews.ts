import { type JsonObject, outcomeOf, type Review } from "@holdpoint/core";
import { later } from "../clock.ts";
import { newId } from "../ids.ts";
import type { Delivery, Writing } from "../storage/storage.ts";

/** What is told of reviews, each once for each review: that it waits, and that it waits no more. */
export type ReviewTopic = "review.opened" | "review.settled";

/** Told when half of the time to the deadline has passed, unless the review is settled by then. */
const reminderTopic = "review.reminder";

/**
 * Tells the consumers of a topic of these reviews, in the caller's transaction; ids only, no arguments. What
 * opens is reminded of in time, and what settles no more.
 */
export async function announceReviews(
  writing: Writing,
  topic: ReviewTopic,
  reviews: readonly Review[],
): Promise<void> {
  if (reviews.length === 0) return;
  const { now } = writing;
  const limited = reviews.filter(({ deadline }) => deadline !== undefined);
  const reminders = topic === "review.opened" ? remindersOf(limited, now) : [];
  const settled = topic === "review.settled" ? limited.map(({ id }) => id) : [];
  await Promise.all([
    settled.length > 0 && writing.withdrawDeliveries(reminderTopic, settled),
    writing.insertDeliveries([
      ...reviews.map((review) => deliveryOf(topic, review, now)),
      ...reminders,
    ]),
  ]);
}

function remindersOf(reviews: readonly Review[], now: string): readonly DeliveryDraft[] {
  return reviews.flatMap((review) => {
    const left = Date.parse(review.deadline?.at ?? now) - Date.parse(now);
    return left > 0 ? [deliveryOf(reminderTopic, review, later(now, left / 2))] : [];
  });
}

type DeliveryDraft = Pick<Delivery, "id" | "topic" | "key" | "body" | "dueAt">;

function deliveryOf(topic: string, review: Review, dueAt: string): DeliveryDraft {
  return { id: newId("dlv"), topic, key: review.id, body: JSON.stringify(bodyOf(review)), dueAt };
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
