import type { Client, Failure, ReviewsQuery } from "@holdpoint/client";
import type { ReviewView } from "@holdpoint/core";

/** Reviews from the top of a list, and the cursor of what follows. */
export type FetchedReviews = {
  readonly type: "ok";
  readonly reviews: readonly ReviewView[];
  readonly next: string | undefined;
};

const pageLimit = 100;

/** Reads the first `count` reviews of a list, in as many pages as that takes. */
export async function fetchReviews(
  client: Pick<Client, "reviews">,
  list: Pick<ReviewsQuery, "status" | "order">,
  count: number,
): Promise<FetchedReviews | Failure> {
  const reviews: ReviewView[] = [];
  let cursor: string | undefined;
  do {
    const reply = await client.reviews({
      ...list,
      limit: Math.min(pageLimit, count - reviews.length),
      ...(cursor === undefined ? {} : { cursor }),
    });
    if (reply.type !== "ok") return reply;
    reviews.push(...reply.value.reviews);
    cursor = reply.value.next;
  } while (cursor !== undefined && reviews.length < count);
  return { type: "ok", reviews, next: cursor };
}
