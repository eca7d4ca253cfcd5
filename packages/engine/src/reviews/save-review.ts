import {
  type ActionId,
  HoldpointError,
  type JsonObject,
  type Permit,
  type Review,
  type ReviewEffect,
  transitionPermit,
} from "@holdpoint/core";
import { appendAudits, type StreamEntry } from "../audit/chain.ts";
import { digestOf } from "../digest.ts";
import { newId } from "../ids.ts";
import { announceReviews } from "./announce-reviews.ts";
import type { DecisionRow, Run, Writing } from "../storage/storage.ts";

/** What a review was, what it becomes, and what must happen along with that. */
export type ReviewChange = {
  readonly before: Review;
  readonly after: Review;
  readonly effects: readonly ReviewEffect[];
};

/** What has to be written because of effects, kind by kind. */
type Rows = {
  readonly decisions: DecisionRow[];
  readonly permits: Permit[];
  readonly audit: StreamEntry[];
  readonly resumable: string[];
};

/** Saves changed reviews, each once, with all their effects, in the caller's transaction. */
export async function saveReviews(
  writing: Writing,
  changes: readonly ReviewChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const saves = changes.map(({ before, after }) => ({ review: after, over: before.version }));
  if (!(await writing.saveReviews(saves))) {
    // Only another process can come between the read and the save of one transaction; it must retry.
    throw new HoldpointError(
      "internal",
      `Review ${changes.map(({ before }) => before.id).join(", ")} changed at the same moment; send the decision again.`,
    );
  }
  const rows: Rows = { decisions: [], permits: [], audit: [], resumable: [] };
  for (const { after, effects } of changes)
    for (const effect of effects) await gather(writing, rows, after, effect);
  // None of these reads what another writes, so they go together.
  await Promise.all([
    rows.decisions.length > 0 && writing.insertDecisions(rows.decisions),
    rows.permits.length > 0 && writing.insertPermits(rows.permits),
    appendAudits(writing, rows.audit),
    announceReviews(
      writing,
      "review.settled",
      changes.filter(isSettling).map(({ after }) => after),
    ),
    rows.resumable.length > 0 && continueThreads(writing, rows.resumable),
  ]);
}

function isSettling({ before, after }: ReviewChange): boolean {
  return before.state.status === "open" && after.state.status !== "open";
}

async function gather(
  writing: Writing,
  rows: Rows,
  review: Review,
  effect: ReviewEffect,
): Promise<void> {
  switch (effect.type) {
    case "decision.recorded":
      rows.decisions.push({
        id: newId("dec"),
        actionId: effect.actionId,
        reviewer: effect.reviewer,
        digest: digestOf(JSON.parse(JSON.stringify(effect.decision)) as JsonObject), // drops absent fields
        decision: effect.decision,
        at: effect.at,
      });
      return;
    case "permit.issued":
      rows.permits.push({
        actionId: effect.actionId,
        digest: effect.digest,
        fence: 0,
        state: { status: "unused" },
      });
      return;
    case "permit.revoked":
      if (await revokePermit(writing, effect.actionId))
        rows.audit.push(entryOf(review, "permit.revoked", { actionId: effect.actionId }));
      return;
    case "audited":
      rows.audit.push({ stream: review.id, entry: effect.event });
      return;
    case "thread.resumable":
      rows.resumable.push(review.threadId);
      return;
    default:
      effect satisfies never;
  }
}

function entryOf(review: Review, type: string, body: JsonObject): StreamEntry {
  return { stream: review.id, entry: { type, body } };
}

/** One that was started already has its own end. */
async function revokePermit(writing: Writing, actionId: ActionId): Promise<boolean> {
  const found = await writing.findPermit(actionId);
  if (found === undefined) return false;
  const result = transitionPermit(found.permit, { type: "revoke" }, writing.now);
  if (result.type === "refused") return false;
  const { permit } = result;
  const saved = await writing.savePermits([{ permit, over: found.permit, lease: undefined }]);
  return saved.has(actionId);
}

/** A hosted thread gets a run that continues it; a thread that somebody else hosts is resumed by them. */
async function continueThreads(writing: Writing, threadIds: readonly string[]): Promise<void> {
  const hosted = await writing.hostedAmong(threadIds);
  const runs = threadIds
    .filter((threadId) => hosted.has(threadId))
    .map((threadId): Run => ({
      id: newId("run"),
      threadId,
      kind: "continue",
      status: "queued",
      attempts: 0,
      fence: 0,
      createdAt: writing.now,
    }));
  if (runs.length > 0) await writing.insertRuns(runs);
}
