import type {
  ActionId,
  ActionView,
  ArgsProblem,
  Decision,
  DecisionType,
  NamedDecision,
  ReviewView,
} from "@holdpoint/core";
import type { Failure } from "./reply.ts";

/** Somebody else's decision that came first. */
export type Conflict = {
  readonly actionId: ActionId;
  /** The name of who decided. */
  readonly by: string;
  /** ISO-8601 UTC. */
  readonly at: string;
  readonly decision: DecisionType;
};

/** How far this reviewer is with one action. */
export type ActionProgress =
  | { readonly type: "open" }
  | { readonly type: "chosen"; readonly decision: Decision }
  /** The edit does not fit the tool's schema; it is kept, but not sent. */
  | { readonly type: "invalid"; readonly decision: Decision; readonly problem: ArgsProblem }
  | { readonly type: "lost"; readonly conflict: Conflict }
  | { readonly type: "settled" };

/** Where the whole review stands for this reviewer. `refused` and `conflict` leave everything else as it was. */
export type SessionPhase =
  | { readonly type: "deciding" }
  | { readonly type: "submitting" }
  | { readonly type: "settled" }
  | { readonly type: "conflict"; readonly conflict: Conflict }
  | { readonly type: "refused"; readonly failure: Failure };

/** One reviewer at work on one review. */
export type ReviewSessionState = {
  readonly review: ReviewView;
  readonly progress: ReadonlyMap<ActionId, ActionProgress>;
  readonly phase: SessionPhase;
};

/** The state at the start: nothing chosen yet. */
export function startSession(review: ReviewView): ReviewSessionState {
  return {
    review,
    progress: new Map(review.actions.map((action) => [action.id, freshProgress(action)])),
    phase: review.status === "open" ? { type: "deciding" } : { type: "settled" },
  };
}

/** The progress of an action, `open` or `settled` when nothing else is known. */
export function progressOf(state: ReviewSessionState, action: ActionView): ActionProgress {
  return state.progress.get(action.id) ?? freshProgress(action);
}

/** The decisions to send, one for each action that is still open; `undefined` while one is missing. */
export function decisionsToSend(state: ReviewSessionState): NamedDecision[] | undefined {
  const decisions: NamedDecision[] = [];
  for (const action of state.review.actions) {
    const progress = progressOf(state, action);
    if (progress.type === "open" || progress.type === "invalid") return undefined;
    if (progress.type === "chosen") {
      decisions.push({ actionId: action.id, decision: progress.decision });
    }
  }
  return decisions.length === 0 ? undefined : decisions;
}

function freshProgress(action: ActionView): ActionProgress {
  return { type: action.status === "open" ? "open" : "settled" };
}
