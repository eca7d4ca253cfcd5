import {
  type ActionId,
  type DecideResult,
  type JudgeCall,
  judgeEdits,
  type Refusal,
  type Review,
  type ReviewId,
  reviewNotFound,
  transition,
  type Verdict,
} from "@holdpoint/core";
import { createBatches } from "../batches.ts";
import { failpoint } from "../failpoint.ts";
import type { DecideRequest } from "./decide-request.ts";
import type { Storage, Writing } from "../storage/storage.ts";
import { type Replies, repliesTo } from "./replies.ts";
import { type ReviewChange, saveReviews } from "./save-review.ts";
import { viewById } from "./views.ts";

/** A decision that was recorded, now or before. */
export type Recorded = Extract<DecideResult, { type: "recorded" }>;

/** What became of decisions on several reviews. */
export type DecideAllResult =
  | { readonly type: "recorded"; readonly results: readonly Recorded[] }
  | { readonly type: "refused"; readonly refusal: Refusal };

/** Decides several reviews in one transaction: all of them or, with a refusal, none. */
export type DecideAll = (requests: readonly DecideRequest[]) => Promise<DecideAllResult>;

/** What one caller decides, and what policy says of its edits. */
type Job = {
  readonly requests: readonly DecideRequest[];
  readonly verdicts: ReadonlyMap<ActionId, Verdict>;
};

type Changes = ReadonlyMap<ReviewId, ReviewChange>;

/** So many callers share a transaction at most: it stays short, and its locks with it. */
const jobsAtMost = 128;

/**
 * Callers who decide at the same moment share one transaction. Each is judged after those before it, as if
 * they had come one after the other; one that is refused leaves nothing behind. A decision may be tried
 * again whatever became of it before: the same one of the same reviewer is a repeat.
 */
export function createDeciding(
  storage: Storage,
  judges: ReadonlyMap<string, JudgeCall>,
): DecideAll {
  const decide = createBatches<Job, DecideAllResult>(jobsAtMost, async (jobs) => {
    const results = await storage.write((writing) => decideJobs(writing, jobs));
    failpoint("decide.after_commit");
    return results;
  });
  return async (requests) => {
    const verdicts = new Map<ActionId, Verdict>();
    for (const { reviewId, decisions } of requests) {
      if (!decisions.some(({ decision }) => decision.type === "edit")) continue;
      const review = await storage.read((reading) => reading.findReview(reviewId));
      if (review === undefined) return refused(reviewNotFound(reviewId));
      for (const [id, verdict] of await judgeEdits(judges.get(review.agent), review, decisions))
        verdicts.set(id, verdict);
    }
    return decide({ requests, verdicts });
  };
}

async function decideJobs(
  writing: Writing,
  jobs: readonly Job[],
): Promise<readonly DecideAllResult[]> {
  const ids = new Set(jobs.flatMap(({ requests }) => requests.map(({ reviewId }) => reviewId)));
  const stored = await writing.findReviews([...ids]);
  const replies = await repliesTo(
    writing,
    jobs.flatMap(({ requests }) => requests),
  );
  const changes = new Map<ReviewId, ReviewChange>();
  const results = jobs.map((job) => {
    const decided = decideJob(
      job,
      replies,
      (id) => changes.get(id) ?? unchanged(stored.get(id)),
      writing.now,
    );
    for (const [id, change] of decided.changes) changes.set(id, change);
    return decided.result;
  });
  await saveReviews(writing, [...changes.values()]);
  await replies.keep(writing, (id) => viewById(writing, id));
  return results.map((result, index) => withReplies(result, jobs[index]?.requests ?? [], replies));
}

/** The changes of one caller, on top of what those before it have changed. */
function decideJob(
  { requests, verdicts }: Job,
  replies: Replies,
  find: (id: ReviewId) => ReviewChange | undefined,
  now: string,
): { readonly result: DecideAllResult; readonly changes: Changes } {
  const changes = new Map<ReviewId, ReviewChange>();
  const results: Recorded[] = [];
  const nothing = (refusal: Refusal) => ({ result: refused(refusal), changes: new Map() });
  for (const request of requests) {
    const { reviewId, decisions, reviewer, addMessages = [] } = request;
    const found = changes.get(reviewId) ?? find(reviewId);
    if (found === undefined) return nothing(reviewNotFound(reviewId));
    const { before, after, effects } = found;
    const problem = replies.problemWith(request);
    if (problem !== undefined) return nothing(problem);
    if (replies.of(request) !== undefined) {
      results.push({ type: "recorded", review: after, repeated: true });
      continue;
    }
    const change = transition(
      after,
      { type: "decide", decisions, reviewer, editVerdicts: verdicts, addMessages },
      now,
    );
    if (change.type === "refused") return nothing(change.refusal);
    const { review } = change;
    results.push({ type: "recorded", review, repeated: change.type === "repeated" });
    if (change.type === "changed")
      changes.set(reviewId, { before, after: review, effects: [...effects, ...change.effects] });
  }
  for (const request of requests) replies.expect(request);
  return { result: { type: "recorded", results }, changes };
}

/** Whoever sent a key gets what is kept under it, the first time as well. */
function withReplies(
  result: DecideAllResult,
  requests: readonly DecideRequest[],
  replies: Replies,
): DecideAllResult {
  if (result.type === "refused") return result;
  const results = result.results.map((recorded, index) => {
    const request = requests[index];
    const reply = request === undefined ? undefined : replies.of(request);
    return reply === undefined ? recorded : { ...recorded, reply };
  });
  return { type: "recorded", results };
}

function unchanged(review: Review | undefined): ReviewChange | undefined {
  return review === undefined ? undefined : { before: review, after: review, effects: [] };
}

function refused(refusal: Refusal): DecideAllResult {
  return { type: "refused", refusal };
}
