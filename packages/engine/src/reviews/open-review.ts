import { type Deadline, provenanceOf, type Review, type ReviewDraft } from "@holdpoint/core";
import { appendAudit } from "../audit/chain.ts";
import type { Writing } from "../storage/storage.ts";
import { announceReviews } from "./announce-reviews.ts";

/**
 * Stores a new review with its first audit event; the same id, or the same interrupt, again returns the
 * first. A review that is raised again, after a vote that was refused, takes its new place along.
 */
export async function openReview(writing: Writing, draft: ReviewDraft): Promise<Review> {
  const known =
    (await writing.findReview(draft.id)) ??
    (await writing.findReviewOfInterrupt(draft.threadId, draft.interruptId));
  if (known !== undefined) return raiseAgain(writing, known, draft);
  const review: Review = {
    ...draft,
    ...(draft.deadline === undefined ? {} : { deadline: inOneForm(draft.deadline) }),
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
      ...provenanceOf(review),
      cause: review.cause,
      ...(review.deadline === undefined ? {} : { deadline: review.deadline.at }),
      actions: review.actions.map((action) => ({
        id: action.id,
        tool: action.call.name,
        digest: action.digest,
        rule: action.rule,
      })),
    },
  });
  await announceReviews(writing, "review.opened", [review]);
  return review;
}

/** Databases compare times as texts, so all have the form of the clock's. Throws when it is no time. */
function inOneForm(deadline: Deadline): Deadline {
  return { ...deadline, at: new Date(deadline.at).toISOString() };
}

async function raiseAgain(writing: Writing, known: Review, draft: ReviewDraft): Promise<Review> {
  const isNews = draft.id === known.id && draft.raised.votes > known.raised.votes;
  if (!isNews || known.state.status !== "open") return known;
  const { interruptId, raised } = draft;
  const review: Review = { ...known, version: known.version + 1, interruptId, raised };
  await writing.saveReviews([{ review, over: known.version }]);
  await appendAudit(writing, review.id, { type: "review.raised", body: { votes: raised.votes } });
  return review;
}
