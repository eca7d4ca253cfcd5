import {
  type ActionId,
  type CallKey,
  type DecideResult,
  type Holdpoint,
  type JudgeCall,
  isOverdue,
  judgeEdits,
  type Permit,
  type PermitResult,
  type Refusal,
  type Review,
  type ReviewDraft,
  type ReviewEffect,
  type ReviewId,
  reviewNotFound,
  readAnswer,
  transition,
  transitionPermit,
  type Verdict,
} from "@holdpoint/core";
import { resumer } from "../pause/resumer.ts";
import { createReviewTable, type ReviewTable } from "./review-table.ts";

type PermitCommand = Parameters<typeof transitionPermit>[1];

/** A record that lives in this process; it takes back what a checkpoint kept of an earlier process's. */
export type ProcessRecord = Holdpoint & {
  /**
   * Puts a review back that was answered before this process began, its permits as `unknown`: nobody here
   * knows whether the calls ran.
   */
  readonly restoreAnswered: (draft: ReviewDraft, answer: unknown) => void;
};

/**
 * The record without an engine: the same rules of `core`, in memory. One winner in this process; what
 * must outlive it is in the checkpoints, as the interrupt's value and as sealed outcomes.
 */
export function createProcessRecord(clock: () => string): ProcessRecord {
  const table = createReviewTable();
  const judges = new Map<string, JudgeCall>();
  const current = (review: Review | undefined): Review | undefined =>
    review === undefined ? undefined : expired(table, review, clock());
  return {
    now: async () => clock(),
    openReview: async (draft) => open(table, draft, clock()),
    restoreAnswered: (draft, answer) => restoreAnswered(table, draft, answer, clock()),
    findAction: async (key) => findAction(table, key, clock()),
    readReview: async (id) => current(table.find(id)),
    openReviewsOf: async (threadId) =>
      table.openOf(threadId).filter((review) => current(review)?.state.status === "open"),
    findReviewOfInterrupt: async (threadId, interruptId) =>
      current(table.findOfInterrupt(threadId, interruptId)),
    findReviewOfAction: async (threadId, name) => current(table.findOfAction(threadId, name)),
    decide: async (request) => {
      const review = table.find(request.reviewId);
      if (review === undefined) return refused(reviewNotFound(request.reviewId));
      const { decisions } = request;
      const editVerdicts = await judgeEdits(judges.get(review.agent), review, decisions);
      return decide(table, request, editVerdicts, clock());
    },
    closeReview: async (id, because) => close(table, id, because, clock()),
    registerAgent: (agent, judge) => void judges.set(agent, judge),
    startPermit: async (actionId, digest, again = false) =>
      change(table, actionId, { type: "start", digest, again }, clock()),
    suspendPermit: async (actionId, fence) =>
      change(table, actionId, { type: "suspend", fence }, clock()),
    closePermit: async (actionId, fence, receipt) =>
      change(table, actionId, { type: "close", fence, receipt }, clock()),
    abandonPermit: async (actionId, fence) =>
      change(table, actionId, { type: "lose", fence }, clock()),
    awaitPermit: async (actionId) => {
      while (table.permit(actionId)?.state.status === "started") await table.changed(actionId);
      return table.permit(actionId);
    },
  };
}

function open(table: ReviewTable, draft: ReviewDraft, now: string): Review {
  const known = table.find(draft.id) ?? table.findOfInterrupt(draft.threadId, draft.interruptId);
  if (known === undefined) {
    const review: Review = { ...draft, version: 1, createdAt: now, state: { status: "open" } };
    return table.save(review);
  }
  const isRaisedAgain = draft.id === known.id && draft.raised.votes > known.raised.votes;
  if (!isRaisedAgain || known.state.status !== "open") return known;
  const { interruptId, raised } = draft;
  return table.save({ ...known, version: known.version + 1, interruptId, raised });
}

/** Nobody waits for a deadline here: a review expires when somebody looks at it after that. */
function expired(table: ReviewTable, review: Review, now: string): Review {
  if (!isOverdue(review, now)) return review;
  const result = transition(review, { type: "expire" }, now);
  return result.type === "changed" ? table.save(result.review) : review;
}

const acceptedBefore: Verdict = {
  type: "allow",
  rule: "accepted",
  reason: "It was accepted before this process began.",
};

function restoreAnswered(
  table: ReviewTable,
  draft: ReviewDraft,
  answer: unknown,
  now: string,
): void {
  if (table.find(draft.id) !== undefined) return;
  const { deadline: _kept, ...inTime } = draft; // it was accepted then
  const review: Review = { ...inTime, version: 1, createdAt: now, state: { status: "open" } };
  const read = readAnswer(review, answer, { mayBeBare: true });
  if (read.type === "refused") return; // it did not settle the review, so a person is asked again
  const { decisions } = read;
  const editVerdicts = new Map(decisions.map(({ actionId }) => [actionId, acceptedBefore]));
  const command = { type: "decide", decisions, reviewer: resumer, editVerdicts } as const;
  const result = transition(review, command, now);
  if (result.type !== "changed" || result.review.state.status === "open") return;
  table.save(result.review);
  for (const action of result.review.actions) {
    if (action.state.status !== "decided" || action.state.outcome.type !== "approved") continue;
    const state = { status: "unknown", startedAt: now, endedAt: now } as const;
    table.savePermit({ actionId: action.id, digest: action.digest, fence: 0, state });
  }
}

function findAction(
  table: ReviewTable,
  key: CallKey,
  now: string,
): Awaited<ReturnType<Holdpoint["findAction"]>> {
  const found = table.findOfCall(key);
  const review = found === undefined ? undefined : expired(table, found, now);
  const action = review?.actions.find((one) => one.toolCallId === key.toolCallId);
  if (review === undefined || action === undefined) return undefined;
  return { review, action, permit: table.permit(action.id) };
}

function decide(
  table: ReviewTable,
  { reviewId, decisions, reviewer }: Parameters<Holdpoint["decide"]>[0],
  editVerdicts: Awaited<ReturnType<typeof judgeEdits>>,
  now: string,
): DecideResult {
  const review = table.find(reviewId);
  if (review === undefined) return refused(reviewNotFound(reviewId));
  const result = transition(review, { type: "decide", decisions, reviewer, editVerdicts }, now);
  if (result.type === "refused") return result;
  if (result.type === "repeated") return { type: "recorded", review, repeated: true };
  table.save(result.review);
  for (const effect of result.effects) perform(table, effect, now);
  return { type: "recorded", review: result.review, repeated: false };
}

function close(table: ReviewTable, id: ReviewId, because: string, now: string): void {
  const review = table.find(id);
  if (review === undefined) return;
  const result = transition(review, { type: "close", because }, now);
  if (result.type !== "changed") return;
  table.save(result.review);
  for (const effect of result.effects) perform(table, effect, now);
}

/** Of the effects, permits alone have a meaning here: there is no audit, and nobody else to tell. */
function perform(table: ReviewTable, effect: ReviewEffect, now: string): void {
  switch (effect.type) {
    case "permit.issued": {
      const { actionId, digest } = effect;
      table.savePermit({ actionId, digest, fence: 0, state: { status: "unused" } });
      return;
    }
    case "permit.revoked":
      change(table, effect.actionId, { type: "revoke" }, now);
      return;
    case "decision.recorded":
    case "audited":
    case "thread.resumable":
      return;
    default:
      effect satisfies never;
  }
}

function change(
  table: ReviewTable,
  actionId: ActionId,
  command: PermitCommand,
  now: string,
): PermitResult {
  const permit: Permit | undefined = table.permit(actionId);
  if (permit === undefined) {
    return refused({
      code: "permit_refused",
      message: `Action ${actionId} has no permit because nobody approved it; it was not run.`,
    });
  }
  const result = transitionPermit(permit, command, now);
  if (result.type === "refused") return result;
  table.savePermit(result.permit);
  return { type: "done", permit: result.permit };
}

function refused(refusal: Refusal): { readonly type: "refused"; readonly refusal: Refusal } {
  return { type: "refused", refusal };
}
