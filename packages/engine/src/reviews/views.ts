import {
  type ActionId,
  outcomeOf,
  type Permit,
  type Review,
  type ReviewId,
  type ReviewView,
  viewOf,
} from "@holdpoint/core";
import type { Reading } from "../storage/storage.ts";

/** Reviews as a reviewer sees them. Only what was approved has a permit; open reviews ask for none. */
export async function views(
  reading: Pick<Reading, "findPermits">,
  reviews: readonly Review[],
): Promise<readonly ReviewView[]> {
  const permits = new Map<ActionId, Permit>();
  const approved = reviews
    .flatMap((review) => review.actions)
    .filter((action) => outcomeOf(action)?.type === "approved")
    .map((action) => action.id);
  if (approved.length > 0)
    for (const [id, { permit }] of await reading.findPermits(approved)) permits.set(id, permit);
  return reviews.map((review) => viewOf(review, permits));
}

/** One review as a reviewer sees it, or `undefined` when there is none. */
export async function viewById(reading: Reading, id: ReviewId): Promise<ReviewView | undefined> {
  const review = await reading.findReview(id);
  return review === undefined ? undefined : (await views(reading, [review]))[0];
}
