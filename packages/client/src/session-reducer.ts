import type {
  ActionId,
  ActionView,
  Decision,
  NamedDecision,
  Refusal,
  ReviewView,
} from "@holdpoint/core";
import { conflictOf, takeIn } from "./merge-review.ts";
import { problemWithEdit } from "./problem-with-edit.ts";
import type { SubmitResult } from "./reply.ts";
import {
  type ActionProgress,
  decisionsToSend,
  progressOf,
  type ReviewSessionState,
} from "./session-state.ts";

/**
 * What happens in a review session. deciding → submitting → settled, or back to deciding with a
 * conflict or a refusal on show; a refusal keeps every choice, so that the corrected one can be sent.
 */
export type SessionEvent =
  | { readonly type: "chosen"; readonly actionId: ActionId; readonly decision: Decision }
  | { readonly type: "withdrawn"; readonly actionId: ActionId }
  | { readonly type: "restored"; readonly decisions: readonly NamedDecision[] }
  | { readonly type: "submitted" }
  | { readonly type: "answered"; readonly result: SubmitResult }
  | { readonly type: "refreshed"; readonly review: ReviewView };

/** The next state of a session. Pure. */
export function reduceSession(state: ReviewSessionState, event: SessionEvent): ReviewSessionState {
  switch (event.type) {
    case "chosen":
      return choose(state, event.actionId, event.decision);
    case "withdrawn":
      return withdraw(state, event.actionId);
    case "restored":
      return event.decisions.reduce(
        (next, { actionId, decision }) => restore(next, actionId, decision),
        state,
      );
    case "submitted":
      return state.phase.type === "submitting" || decisionsToSend(state) === undefined
        ? state
        : { ...state, phase: { type: "submitting" } };
    case "answered":
      return answer({ ...state, phase: { type: "deciding" } }, event.result);
    case "refreshed":
      return takeIn(state, event.review);
    default:
      return event satisfies never;
  }
}

function choose(state: ReviewSessionState, actionId: ActionId, decision: Decision) {
  const action = changeable(state, actionId);
  if (action === undefined) return state;
  if (!action.allowedDecisions.includes(decision.type)) {
    return { ...state, phase: refusedFor(notAllowed(action, decision)) };
  }
  const problem =
    decision.type === "edit" ? problemWithEdit(action, decision.editedAction.args) : undefined;
  return withProgress(
    state,
    actionId,
    problem === undefined ? { type: "chosen", decision } : { type: "invalid", decision, problem },
  );
}

function withdraw(state: ReviewSessionState, actionId: ActionId): ReviewSessionState {
  return changeable(state, actionId) === undefined
    ? state
    : withProgress(state, actionId, { type: "open" });
}

/** A stored choice that no longer fits is dropped without a word: nobody has just made it. */
function restore(state: ReviewSessionState, actionId: ActionId, decision: Decision) {
  const next = choose(state, actionId, decision);
  return next.progress.get(actionId)?.type === "chosen" ? next : state;
}

function answer(state: ReviewSessionState, result: SubmitResult): ReviewSessionState {
  switch (result.type) {
    case "recorded":
      return takeIn(state, result.review);
    case "refused": {
      const conflict = conflictOf(result.refusal, state.review);
      const known = takeIn(state, state.review); // what came in while the answer was awaited
      if (conflict === undefined) {
        return known.phase.type === "deciding"
          ? { ...known, phase: refusedFor(result.refusal) }
          : known;
      }
      const lost = withProgress(known, conflict.actionId, { type: "lost", conflict });
      return { ...lost, phase: { type: "conflict", conflict } };
    }
    case "unreachable": {
      const known = takeIn(state, state.review);
      return known.phase.type === "deciding"
        ? { ...known, phase: { type: "refused", failure: result } }
        : known;
    }
    default:
      return result satisfies never;
  }
}

/** The action, when this reviewer may still choose for it. */
function changeable(state: ReviewSessionState, actionId: ActionId): ActionView | undefined {
  const action = state.review.actions.find((candidate) => candidate.id === actionId);
  if (action === undefined || state.phase.type === "submitting") return undefined;
  const { type } = progressOf(state, action);
  return type === "lost" || type === "settled" ? undefined : action;
}

function withProgress(
  state: ReviewSessionState,
  actionId: ActionId,
  progress: ActionProgress,
): ReviewSessionState {
  return {
    review: state.review,
    progress: new Map(state.progress).set(actionId, progress),
    phase: { type: "deciding" },
  };
}

function refusedFor(refusal: Refusal): ReviewSessionState["phase"] {
  return { type: "refused", failure: { type: "refused", refusal } };
}

function notAllowed(action: ActionView, decision: Decision): Refusal {
  return {
    code: "decision_not_allowed",
    message: `"${decision.type}" is not allowed for action ${action.id}; allowed: ${action.allowedDecisions.join(", ")}.`,
    details: { actionId: action.id, decision: decision.type, allowed: action.allowedDecisions },
  };
}
