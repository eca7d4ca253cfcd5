import {
  type DecideResult,
  type Holdpoint,
  type JudgeCall,
  type ReviewId,
  reviewNotFound,
  type ReviewView,
  transition,
} from "@holdpoint/core";
import type { Reading, ReviewQuery, Storage } from "../storage/storage.ts";
import type { DecideRequest } from "./decide-request.ts";
import { createDeciding, type DecideAllResult, type Recorded } from "./decide-reviews.ts";
import { openReview } from "./open-review.ts";
import { saveReviews } from "./save-review.ts";
import { viewById, views } from "./views.ts";

/** What reviews tell the rest of the process after a commit. */
export type ReviewSignals = {
  readonly threadResumable: (threadId: string) => void;
  /** Somebody decided a review that is overdue and has not been expired yet. */
  readonly overdue?: () => void;
};

/** Opening, reading and deciding reviews. */
export type Reviews = Pick<
  Holdpoint,
  | "now"
  | "openReview"
  | "findAction"
  | "readReview"
  | "openReviewsOf"
  | "findReviewOfInterrupt"
  | "findReviewOfAction"
  | "decide"
  | "closeReview"
  | "registerAgent"
> & {
  readonly view: (id: ReviewId) => Promise<ReviewView | undefined>;
  readonly list: (
    query: ReviewQuery,
  ) => Promise<{ readonly reviews: readonly ReviewView[]; readonly next?: string }>;
  readonly openOf: (threadId: string) => Promise<readonly ReviewView[]>;
  readonly findOfInterrupt: (
    threadId: string,
    interruptId: string,
  ) => Promise<ReviewView | undefined>;
  /** Decides several reviews in one transaction: all of them or, with a refusal, none. */
  readonly decideAll: (requests: readonly DecideRequest[]) => Promise<DecideAllResult>;
};

/** Each change is load → transition → save, with its audit event and effects, in one transaction. */
export function createReviews(storage: Storage, signals: ReviewSignals): Reviews {
  const judges = new Map<string, JudgeCall>();
  const decideAll = createDeciding(storage, judges);
  return {
    now: () => storage.read(async (reading) => reading.now),
    openReview: (draft) => storage.write((writing) => openReview(writing, draft)),
    findAction: (key) => storage.look((reading) => reading.findAction(key)),
    readReview: (id) => storage.look((reading) => reading.findReview(id)),
    openReviewsOf: (threadId) => storage.look((reading) => reading.openReviewsOf(threadId)),
    findReviewOfInterrupt: (threadId, interruptId) =>
      storage.look((reading) => reading.findReviewOfInterrupt(threadId, interruptId)),
    findReviewOfAction: (threadId, name) =>
      storage.look((reading) => reading.findReviewOfAction(threadId, name)),
    view: (id) => storage.read((reading) => viewById(reading, id)),
    list: async (query) => {
      const page = await storage.look((reading) => reading.listReviews(query));
      const findPermits: Reading["findPermits"] = (ids) =>
        storage.read((reading) => reading.findPermits(ids));
      const reviews = await views({ findPermits }, page.reviews);
      return page.next === undefined ? { reviews } : { reviews, next: page.next };
    },
    openOf: (threadId) =>
      storage.read(async (reading) => views(reading, await reading.openReviewsOf(threadId))),
    findOfInterrupt: (threadId, interruptId) =>
      storage.read(async (reading) => {
        const review = await reading.findReviewOfInterrupt(threadId, interruptId);
        return review === undefined ? undefined : (await views(reading, [review]))[0];
      }),
    decide: async (request) => {
      const result = await decideAll([request]);
      announce(result, signals);
      return result.type === "refused" ? result : firstOf(result.results, request.reviewId);
    },
    decideAll: async (requests) => {
      const result = await decideAll(requests);
      announce(result, signals);
      return result;
    },
    closeReview: async (id, because) => {
      await storage.write(async (writing) => {
        const review = await writing.findReview(id);
        if (review === undefined) return;
        const change = transition(review, { type: "close", because }, writing.now);
        if (change.type !== "changed") return;
        const { review: after, effects } = change;
        await saveReviews(writing, [{ before: review, after, effects }]);
      });
    },
    registerAgent: (agent, judge) => void judges.set(agent, judge),
  };
}

function announce(result: DecideAllResult, signals: ReviewSignals): void {
  if (result.type === "refused") {
    if (result.refusal.code === "deadline_passed") signals.overdue?.();
    return;
  }
  for (const { review, repeated } of result.results) {
    if (!repeated && review.state.status === "decided") signals.threadResumable(review.threadId);
  }
}

function firstOf(results: readonly Recorded[], reviewId: ReviewId): DecideResult {
  return results[0] ?? { type: "refused", refusal: reviewNotFound(reviewId) };
}
