import {
  type Action,
  type ActionId,
  decisionTypes,
  digestCall,
  type JsonObject,
  type NamedDecision,
  type Review,
  type ReviewDraft,
  type Reviewer,
} from "@holdpoint/core";
import type { Engine } from "../engine.ts";
import { newId } from "../ids.ts";

export const anna: Reviewer = { id: "anna", name: "Anna" };
export const ben: Reviewer = { id: "ben", name: "Ben" };

/** An open action that sends a mail. */
export function aDraftAction(overrides: Partial<Action> = {}): Action {
  const call = overrides.call ?? { name: "send_email", args: { to: "a@b.c" } };
  const argsSchema: JsonObject = { type: "object", properties: { to: { type: "string" } } };
  return {
    id: newId("act"),
    toolCallId: newId("call"),
    call,
    argsSchema,
    digest: digestCall({ ...call, argsSchema }),
    allowedDecisions: decisionTypes,
    rule: "interruptOn.send_email",
    reason: "send_email always asks a person first.",
    reasonCode: "always",
    state: { status: "open" },
    ...overrides,
  };
}

/** A review of so many actions, on a thread of its own unless told otherwise. */
export function aDraft(actions = 1, overrides: Partial<ReviewDraft> = {}): ReviewDraft {
  return {
    id: newId("rev"),
    threadId: newId("thread"),
    agent: "mailer",
    turnId: newId("turn"),
    interruptId: newId("interrupt"),
    raised: { taskId: "task_1", round: 0, votes: 0 },
    cause: "policy",
    actions: Array.from({ length: actions }, () => aDraftAction()),
    ...overrides,
  };
}

/** The same decision for every action of a review. */
export function decideEach(
  review: Pick<Review, "actions">,
  decision: NamedDecision["decision"],
): NamedDecision[] {
  return review.actions.map((action) => ({ actionId: action.id, decision }));
}

/** An approved action with its unused permit. */
export async function approvedAction(
  engine: Pick<Engine, "openReview" | "decide">,
  overrides: Partial<ReviewDraft> = {},
): Promise<Action & { readonly id: ActionId; readonly reviewId: Review["id"] }> {
  const review = await engine.openReview(aDraft(1, overrides));
  const decisions = decideEach(review, { type: "approve" });
  await engine.decide({ reviewId: review.id, decisions, reviewer: anna });
  const [action] = review.actions;
  if (action === undefined) throw new Error("a draft has an action");
  return { ...action, reviewId: review.id };
}
