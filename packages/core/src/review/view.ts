import type { ActionView, RecordedDecision, ReviewView } from "../contract/review-view.ts";
import type { ActionId } from "../contract/ids.ts";
import { provenanceOf } from "../contract/provenance.ts";
import type { Permit } from "./permit.ts";
import type { Action, Review } from "./review.ts";

/** The review as a reviewer sees it on the wire. */
export function viewOf(review: Review, permits: ReadonlyMap<ActionId, Permit>): ReviewView {
  return {
    id: review.id,
    status: review.state.status,
    cause: review.cause,
    threadId: review.threadId,
    agent: review.agent,
    ...provenanceOf(review),
    turnId: review.turnId,
    interruptId: review.interruptId,
    ...(review.askedFor === undefined ? {} : { askedFor: review.askedFor }),
    createdAt: review.createdAt,
    ...(review.deadline === undefined ? {} : { deadline: review.deadline }),
    ...(review.state.status === "open" ? {} : { settledAt: review.state.settledAt }),
    ...(review.state.status === "closed" ? { closedBecause: review.state.because } : {}),
    actions: review.actions.map((action) => actionView(action, permits.get(action.id))),
  };
}

function actionView(action: Action, permit: Permit | undefined): ActionView {
  return {
    id: action.id,
    toolCallId: action.toolCallId,
    name: action.call.name,
    args: action.call.args,
    ...(action.argsSchema === undefined ? {} : { argsSchema: action.argsSchema }),
    ...(action.answerSchema === undefined ? {} : { answerSchema: action.answerSchema }),
    digest: action.digest,
    ...(action.description === undefined ? {} : { description: action.description }),
    allowedDecisions: [...action.allowedDecisions],
    rule: action.rule,
    reason: action.reason,
    reasonCode: action.reasonCode,
    status: action.state.status,
    ...(action.state.status === "decided"
      ? { outcome: action.state.outcome, ...recordedOf(action.state.recorded) }
      : {}),
    ...(permit === undefined ? {} : { permit: permit.state.status }),
  };
}

function recordedOf(recorded: RecordedDecision | undefined): Pick<ActionView, "recorded"> {
  return recorded === undefined ? {} : { recorded };
}
