import {
  type ActionId,
  type DecideResult,
  type Holdpoint,
  type JudgeCall,
  judgeEdits,
  type Refusal,
  reviewNotFound,
  transition,
  type Verdict,
} from "@holdpoint/core";
import { failpoint } from "../failpoint.ts";
import type { Storage, Writing } from "../storage/storage.ts";
import { saveReview } from "./save-review.ts";

/** Decisions on the actions of one review. */
export type DecideRequest = Parameters<Holdpoint["decide"]>[0];

/** A decision that was recorded, now or before. */
export type Recorded = Extract<DecideResult, { type: "recorded" }>;

/** What became of decisions on several reviews. */
export type DecideAllResult =
  | { readonly type: "recorded"; readonly results: readonly Recorded[] }
  | { readonly type: "refused"; readonly refusal: Refusal };

/** Decides several reviews in one transaction: all of them or, with a refusal, none. */
export async function decideAll(
  storage: Storage,
  judges: ReadonlyMap<string, JudgeCall>,
  requests: readonly DecideRequest[],
): Promise<DecideAllResult> {
  const verdicts = new Map<ActionId, Verdict>();
  for (const { reviewId, decisions } of requests) {
    const review = await storage.read((reading) => reading.findReview(reviewId));
    if (review === undefined) return refused(reviewNotFound(reviewId));
    for (const [id, verdict] of await judgeEdits(judges.get(review.agent), review, decisions))
      verdicts.set(id, verdict);
  }
  try {
    const results = await storage.write(async (writing) => {
      const recorded: Recorded[] = [];
      for (const request of requests) {
        const result = await decideOne(writing, request, verdicts);
        if (result.type === "refused") throw new RefusedBatch(result.refusal);
        recorded.push(result);
      }
      return recorded;
    });
    failpoint("decide.after_commit");
    return { type: "recorded", results };
  } catch (error) {
    if (error instanceof RefusedBatch) return refused(error.refusal);
    throw error;
  }
}

/** Takes a transaction back because one of its decisions was refused. Never leaves this file. */
class RefusedBatch extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

async function decideOne(
  writing: Writing,
  { reviewId, decisions, reviewer, addMessages = [] }: DecideRequest,
  editVerdicts: ReadonlyMap<ActionId, Verdict>,
): Promise<DecideResult> {
  const review = await writing.findReview(reviewId);
  if (review === undefined) return refused(reviewNotFound(reviewId));
  const change = transition(
    review,
    { type: "decide", decisions, reviewer, editVerdicts, addMessages },
    writing.now,
  );
  switch (change.type) {
    case "refused":
      return change;
    case "repeated":
      return { type: "recorded", review: change.review, repeated: true };
    case "changed":
      await saveReview(writing, review, change.review, change.effects);
      return { type: "recorded", review: change.review, repeated: false };
    default:
      return change satisfies never;
  }
}

function refused(refusal: Refusal): { readonly type: "refused"; readonly refusal: Refusal } {
  return { type: "refused", refusal };
}
