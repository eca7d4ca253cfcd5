import {
  type Decision,
  decisionTypes,
  type Refusal,
  type ReviewView,
  sameJson,
} from "@holdpoint/core";
import {
  type ActionProgress,
  type Conflict,
  progressOf,
  type ReviewSessionState,
  type SessionPhase,
} from "./session-state.ts";

/**
 * Takes in another reading of the same review. Readings may arrive out of order, so an action that is
 * decided stays decided. Where this reviewer had chosen otherwise, the choice is lost and the conflict named.
 */
export function takeIn(state: ReviewSessionState, incoming: ReviewView): ReviewSessionState {
  const review = newerOf(state.review, incoming);
  if (state.phase.type === "submitting") return { ...state, review }; // the answer to come says whose it was
  let phase = phaseFor(state.phase, review);
  const progress = new Map(
    review.actions.map((action) => {
      const before = progressOf(state, action);
      if (action.status === "open" || before.type === "lost") return [action.id, before] as const;
      const conflict = conflictIn(action, before);
      if (conflict === undefined) return [action.id, { type: "settled" }] as const;
      phase = { type: "conflict", conflict };
      return [action.id, { type: "lost", conflict }] as const;
    }),
  );
  return { review, progress, phase };
}

/** Who came first, read from an `already_decided` refusal; `undefined` for any other. */
export function conflictOf(refusal: Refusal, review: ReviewView): Conflict | undefined {
  if (refusal.code !== "already_decided") return undefined;
  const { actionId, by, at, decision } = refusal.details ?? {};
  const action = review.actions.find((candidate) => candidate.id === actionId);
  const type = decisionTypes.find((candidate) => candidate === decision);
  if (action === undefined || type === undefined) return undefined;
  if (typeof by !== "string" || typeof at !== "string") return undefined;
  return { actionId: action.id, by, at, decision: type };
}

function newerOf(current: ReviewView, incoming: ReviewView): ReviewView {
  const known = new Map(current.actions.map((action) => [action.id, action]));
  const actions = incoming.actions.map((action) => {
    const before = known.get(action.id);
    return action.status === "open" && before !== undefined ? before : action;
  });
  const isStale = current.status !== "open" && incoming.status === "open";
  return { ...(isStale ? current : incoming), actions };
}

function phaseFor(phase: SessionPhase, review: ReviewView): SessionPhase {
  return review.status === "open" || phase.type === "conflict" ? phase : { type: "settled" };
}

function conflictIn(
  action: ReviewView["actions"][number],
  before: ActionProgress,
): Conflict | undefined {
  const mine = before.type === "chosen" || before.type === "invalid" ? before.decision : undefined;
  if (mine === undefined || action.recorded === undefined) return undefined;
  const { decision, reviewer, at } = action.recorded;
  if (isSame(mine, decision)) return undefined;
  return { actionId: action.id, by: reviewer.name, at, decision: decision.type };
}

function isSame(left: Decision, right: Decision): boolean {
  return sameJson(withoutAbsent(left), withoutAbsent(right));
}

/** As it goes over the wire, where an absent field and an undefined one are the same. */
function withoutAbsent(decision: Decision) {
  return JSON.parse(JSON.stringify(decision));
}
