import type { Refusal } from "../contract/errors.ts";
import type { Action, Review } from "./review.ts";

/** The review has no such action. */
export function unknownAction(review: Review, actionId: string): Refusal {
  const open = review.actions
    .filter((action) => action.state.status === "open")
    .map((action) => action.id);
  return {
    code: "action_not_found",
    message: `Review ${review.id} has no action ${actionId}; name one of its actions: ${open.join(", ") || "none is open"}.`,
    details: { reviewId: review.id, actionId, open },
  };
}

/** The request holds no decision. */
export function nothingDecided(review: Review): Refusal {
  return {
    code: "decision_count",
    message: `No decision came for review ${review.id}; send one for each action you decide.`,
    details: { reviewId: review.id },
  };
}

/** One request names the action twice. */
export function namedTwice(actionId: string): Refusal {
  return {
    code: "decision_invalid",
    message: `Action ${actionId} is named twice in one request; send one decision for each action.`,
    details: { actionId },
  };
}

/** The action was not decided before the deadline of its review. */
export function deadlinePassed(review: Review, action: Action): Refusal {
  const { at = "" } = review.deadline ?? {};
  return {
    code: "deadline_passed",
    message: `The deadline of review ${review.id} passed at ${at} and nobody had decided action ${action.id} by then, so it counts as rejected. Nothing changed; the call will not run.`,
    details: {
      reviewId: review.id,
      actionId: action.id,
      by: "deadline",
      at,
      decision: "reject",
      outcome: "rejected",
    },
  };
}

/** The review cannot be expired: it has no deadline, or not yet. */
export function notDue(review: Review): Refusal {
  const { deadline } = review;
  return {
    code: "invalid_request",
    message:
      deadline === undefined
        ? `Review ${review.id} has no deadline; it waits until somebody decides.`
        : `The deadline of review ${review.id} is at ${deadline.at} and has not passed; somebody may still decide.`,
    details: { reviewId: review.id },
  };
}

/** The action has been decided already, or its review closed. */
export function tooLate(review: Review, action: Action): Refusal {
  if (action.state.status === "decided") {
    const { recorded, outcome } = action.state;
    if (recorded === undefined) return deadlinePassed(review, action);
    return {
      code: "already_decided",
      message: `Action ${action.id} was already decided: ${recorded.reviewer.name} said "${recorded.decision.type}" at ${recorded.at}. Nothing changed; reload to see it.`,
      details: {
        reviewId: review.id,
        actionId: action.id,
        by: recorded.reviewer.name,
        at: recorded.at,
        decision: recorded.decision.type,
        outcome: outcome.type,
      },
    };
  }
  return {
    code: "review_closed",
    message: `Review ${review.id} was closed without an outcome; the call it held will not run. Nothing is left to decide.`,
    details: { reviewId: review.id, actionId: action.id },
  };
}
