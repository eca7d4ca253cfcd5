import type { Review, ReviewDraft } from "@holdpoint/core";
import { appendAudit } from "../audit.ts";
import type { Writing } from "../storage/storage.ts";

/** Stores a new review with its first audit event; the same id, or the same interrupt, again returns the first. */
export async function openReview(writing: Writing, draft: ReviewDraft): Promise<Review> {
  const known =
    (await writing.findReview(draft.id)) ??
    (await writing.findReviewOfInterrupt(draft.threadId, draft.interruptId));
  if (known !== undefined) return known;
  const review: Review = {
    ...draft,
    version: 1,
    createdAt: writing.now,
    state: { status: "open" },
  };
  await writing.insertReview(review);
  await appendAudit(writing, review.id, {
    type: "review.opened",
    body: {
      threadId: review.threadId,
      agent: review.agent,
      cause: review.cause,
      actions: review.actions.map((action) => ({
        id: action.id,
        tool: action.call.name,
        digest: action.digest,
        rule: action.rule,
      })),
    },
  });
  return review;
}
