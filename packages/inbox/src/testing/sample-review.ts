import type { ActionView, Decision, JsonObject, ReviewView } from "@holdpoint/core";

/** An open review with one action, named by a number. */
export function openReview(number: number, action: Partial<ActionView> = {}): ReviewView {
  return {
    id: `rev_${number}`,
    status: "open",
    cause: "policy",
    threadId: "thread-1",
    agent: "refunds",
    turnId: "turn-1",
    interruptId: `interrupt-${number}`,
    createdAt: "2026-11-30T12:00:00.000Z",
    actions: [
      {
        id: `act_${number}`,
        toolCallId: `call-${number}`,
        name: "refund_order",
        args: { amount: 180 },
        digest: "digest",
        allowedDecisions: ["approve", "edit", "reject", "respond"],
        rule: "refunds",
        reason: "refund_order always asks a person first.",
        reasonCode: "always",
        status: "open",
        ...action,
      },
    ],
  };
}

/** The same review after one person decided all of it. */
export function decidedReview(
  review: ReviewView,
  decision: Decision = { type: "approve" },
  by = { id: "bo", name: "Bo" },
): ReviewView {
  const at = "2026-11-30T12:05:00.000Z";
  return {
    ...review,
    status: "decided",
    settledAt: at,
    actions: review.actions.map((action) => ({
      ...action,
      status: "decided",
      outcome:
        decision.type === "approve"
          ? { type: "approved", call: { name: action.name, args: action.args }, edited: false }
          : { type: "rejected" },
      ...(decision.type === "approve" ? { permit: "succeeded" } : {}),
      recorded: { decision, reviewer: by, at },
    })),
  };
}

/** The same review after one person approved it with other arguments. */
export function editedReview(review: ReviewView, args: JsonObject): ReviewView {
  const decided = decidedReview(review);
  return {
    ...decided,
    actions: decided.actions.map((action) => ({
      ...action,
      outcome: { type: "approved", call: { name: action.name, args }, edited: true },
    })),
  };
}
