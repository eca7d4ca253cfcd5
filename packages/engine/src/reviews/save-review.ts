import {
  type ActionId,
  digestJson,
  HoldpointError,
  type JsonObject,
  type Permit,
  type Review,
  type ReviewEffect,
  transitionPermit,
} from "@holdpoint/core";
import { appendAudit } from "../audit/chain.ts";
import { newId } from "../ids.ts";
import type { Writing } from "../storage/storage.ts";

/** Saves a changed review with all its effects, in the caller's transaction. */
export async function saveReview(
  writing: Writing,
  before: Review,
  after: Review,
  effects: readonly ReviewEffect[],
): Promise<void> {
  if (!(await writing.saveReview(after, before.version))) {
    // Only another process can come between the read and the save of one transaction; it must retry.
    throw new HoldpointError(
      "internal",
      `Review ${before.id} changed at the same moment; send the decision again.`,
    );
  }
  for (const effect of effects) await perform(writing, after, effect);
}

async function perform(writing: Writing, review: Review, effect: ReviewEffect): Promise<void> {
  switch (effect.type) {
    case "decision.recorded":
      return writing.insertDecision({
        id: newId("dec"),
        actionId: effect.actionId,
        reviewer: effect.reviewer,
        digest: digestJson(JSON.parse(JSON.stringify(effect.decision)) as JsonObject), // drops absent fields
        decision: effect.decision,
        at: effect.at,
      });
    case "permit.issued":
      return writing.insertPermit({
        actionId: effect.actionId,
        digest: effect.digest,
        fence: 0,
        state: { status: "unused" },
      } satisfies Permit);
    case "permit.revoked":
      return revokePermit(writing, review, effect.actionId);
    case "audited":
      return appendAudit(writing, review.id, effect.event);
    case "thread.resumable":
      return continueThread(writing, review.threadId);
    default:
      return effect satisfies never;
  }
}

/** One that was started already has its own end. */
async function revokePermit(writing: Writing, review: Review, actionId: ActionId): Promise<void> {
  const found = await writing.findPermit(actionId);
  if (found === undefined) return;
  const result = transitionPermit(found.permit, { type: "revoke" }, writing.now);
  if (result.type === "refused") return;
  await writing.savePermit(result.permit, found.permit, undefined);
  await appendAudit(writing, review.id, { type: "permit.revoked", body: { actionId } });
}

/** A hosted thread gets a run that continues it; a thread that somebody else hosts is resumed by them. */
async function continueThread(writing: Writing, threadId: string): Promise<void> {
  if ((await writing.findThread(threadId)) === undefined) return;
  await writing.insertRun({
    id: newId("run"),
    threadId,
    kind: "continue",
    status: "queued",
    attempts: 0,
    fence: 0,
    createdAt: writing.now,
  });
}
