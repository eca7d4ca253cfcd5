import type { Refusal } from "../contract/errors.ts";
import type { NamedDecision } from "../contract/decision.ts";
import type { ActionId } from "../contract/ids.ts";
import type { Outcome, Reviewer } from "../contract/review-view.ts";
import { checkDecision } from "../decision/check-decision.ts";
import { sameJson } from "../canonical-json.ts";
import { digestCall, type Digest } from "../digest.ts";
import type { Verdict } from "../policy/verdict.ts";
import type { Json, JsonObject } from "../plain-json.ts";
import {
  deadlinePassed,
  namedTwice,
  notDue,
  nothingDecided,
  tooLate,
  unknownAction,
} from "./refused-decisions.ts";
import { type Action, outcomeOf, type Review } from "./review.ts";

/**
 * The life of a review. States: open → decided (every action has an outcome) | closed (none was needed
 * any more). An action gets one outcome and keeps it. A refusal changes nothing, so the right answer
 * still works afterwards; the same answer of the same reviewer again is a repeat, not a conflict. From its
 * deadline on nothing can be decided any more, whether or not somebody has expired the review by then.
 */
export type ReviewCommand =
  | {
      readonly type: "decide";
      readonly decisions: readonly NamedDecision[];
      readonly reviewer: Reviewer;
      /** What policy says of each edited call, by action id; a missing verdict refuses the edit. */
      readonly editVerdicts: ReadonlyMap<ActionId, Verdict>;
      /** Messages that join the thread together with the answer. */
      readonly addMessages?: readonly JsonObject[];
    }
  | { readonly type: "close"; readonly because: string }
  /** The deadline passed: what is undecided gets its default outcome. */
  | { readonly type: "expire" };

/** What must happen in the same transaction as the new state. */
export type ReviewEffect =
  | {
      readonly type: "decision.recorded";
      readonly actionId: ActionId;
      readonly decision: NamedDecision["decision"];
      readonly reviewer: Reviewer;
      readonly at: string;
    }
  | { readonly type: "permit.issued"; readonly actionId: ActionId; readonly digest: Digest }
  /** A permit that was not used yet is worth nothing any more. */
  | { readonly type: "permit.revoked"; readonly actionId: ActionId }
  | { readonly type: "audited"; readonly event: AuditEntry }
  | { readonly type: "thread.resumable" };

/** One entry of the audit record, before it is linked to the one before it. */
export type AuditEntry = { readonly type: string; readonly body: JsonObject };

export type ReviewTransition =
  | { readonly type: "changed"; readonly review: Review; readonly effects: readonly ReviewEffect[] }
  | { readonly type: "repeated"; readonly review: Review }
  | { readonly type: "refused"; readonly refusal: Refusal };

/** The only way a review changes: the next review and its effects, or a typed refusal. Pure. */
export function transition(review: Review, command: ReviewCommand, now: string): ReviewTransition {
  switch (command.type) {
    case "decide":
      return decide(review, command, now);
    case "close":
      return close(review, command.because, now);
    case "expire":
      return expire(review, now);
    default:
      return command satisfies never;
  }
}

function decide(
  review: Review,
  command: Extract<ReviewCommand, { type: "decide" }>,
  now: string,
): ReviewTransition {
  let next = review;
  const effects: ReviewEffect[] = [];
  const named = new Set<ActionId>();
  for (const { actionId, decision } of command.decisions) {
    const action = next.actions.find((candidate) => candidate.id === actionId);
    if (action === undefined) return refused(unknownAction(review, actionId));
    if (named.has(actionId)) return refused(namedTwice(actionId));
    named.add(actionId);
    if (action.state.status !== "open") {
      if (isRepeat(action, decision, command.reviewer)) continue;
      return refused(tooLate(review, action));
    }
    if (isOverdue(review, now)) return refused(deadlinePassed(review, action));
    const problem = checkDecision(action, decision, command.editVerdicts.get(actionId));
    if (problem !== undefined) return refused(problem);
    const outcome = outcomeFrom(action, decision);
    const recorded = { decision, reviewer: command.reviewer, at: now };
    next = replaceAction(next, { ...action, state: { status: "decided", outcome, recorded } });
    effects.push({
      type: "decision.recorded",
      actionId,
      decision,
      reviewer: command.reviewer,
      at: now,
    });
    effects.push({
      type: "audited",
      event: decidedEvent(action, decision, outcome, command.reviewer),
    });
    if (outcome.type === "approved") {
      effects.push({
        type: "permit.issued",
        actionId,
        digest: approvedDigest(action, outcome.call),
      });
    }
  }
  if (command.decisions.length === 0) return refused(nothingDecided(review));
  if (effects.length === 0) return { type: "repeated", review };
  const added = command.addMessages ?? [];
  if (added.length > 0)
    next = { ...next, addedMessages: [...(next.addedMessages ?? []), ...added] };
  if (next.actions.every((action) => action.state.status === "decided")) {
    next = { ...next, state: { status: "decided", settledAt: now } };
    effects.push({ type: "thread.resumable" });
  }
  return { type: "changed", review: { ...next, version: review.version + 1 }, effects };
}

function close(review: Review, because: string, now: string): ReviewTransition {
  if (review.state.status !== "open") return { type: "repeated", review };
  const actions = review.actions.map((action): Action =>
    action.state.status === "open" ? { ...action, state: { status: "closed" } } : action,
  );
  return {
    type: "changed",
    review: {
      ...review,
      version: review.version + 1,
      actions,
      state: { status: "closed", settledAt: now, because },
    },
    effects: [
      ...review.actions
        .filter((action) => outcomeOf(action)?.type === "approved")
        .map((action) => ({ type: "permit.revoked", actionId: action.id }) as const),
      { type: "audited", event: { type: "review.closed", body: { because } } },
    ],
  };
}

function expire(review: Review, now: string): ReviewTransition {
  if (review.state.status !== "open") return { type: "repeated", review };
  const { deadline } = review;
  if (deadline === undefined || !isOverdue(review, now)) return refused(notDue(review));
  const undecided = review.actions.filter((action) => action.state.status === "open");
  const outcome: Outcome = { type: deadline.outcome, cause: "deadline" };
  const actions = review.actions.map((action): Action =>
    action.state.status === "open" ? { ...action, state: { status: "decided", outcome } } : action,
  );
  const body = {
    deadline: deadline.at,
    outcome: deadline.outcome,
    actions: undecided.map((action) => action.id),
  };
  return {
    type: "changed",
    review: {
      ...review,
      version: review.version + 1,
      actions,
      state: { status: "decided", settledAt: now },
    },
    effects: [
      { type: "audited", event: { type: "review.expired", body } },
      { type: "thread.resumable" },
    ],
  };
}

/** True from the very moment of the deadline on. */
export function isOverdue({ deadline }: Pick<Review, "deadline">, now: string): boolean {
  return deadline !== undefined && Date.parse(now) >= Date.parse(deadline.at);
}

/** The digest of the call that an approval allows: the proposed one, or the edited one. */
export function approvedDigest(action: Action, call: Action["call"]): Digest {
  if (call === action.call) return action.digest;
  return digestCall({ ...call, argsSchema: action.argsSchema });
}

function outcomeFrom(action: Action, decision: NamedDecision["decision"]): Outcome {
  switch (decision.type) {
    case "approve":
      return { type: "approved", call: action.call, edited: false };
    case "edit":
      return {
        type: "approved",
        call: decision.editedAction,
        edited: !sameJson(decision.editedAction.args, action.call.args),
      };
    case "reject":
      return {
        type: "rejected",
        ...(decision.message === undefined ? {} : { message: decision.message }),
        ...(decision.rejection === undefined ? {} : { rejection: decision.rejection }),
      };
    case "respond":
      return {
        type: "answered",
        message: decision.message ?? textOf(decision.value ?? null),
        ...(decision.value === undefined ? {} : { value: decision.value }),
      };
    default:
      return decision satisfies never;
  }
}

/** What a value reads like where only a text can be shown. */
function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function decidedEvent(
  action: Action,
  decision: NamedDecision["decision"],
  outcome: Outcome,
  reviewer: Reviewer,
): AuditEntry {
  return {
    type: "action.decided",
    body: {
      actionId: action.id,
      tool: action.call.name,
      decision: decision.type,
      outcome: outcome.type,
      reviewer: reviewer.id,
      proposed: action.digest,
      ...(outcome.type === "approved" ? { approved: approvedDigest(action, outcome.call) } : {}),
    },
  };
}

function isRepeat(
  action: Action,
  decision: NamedDecision["decision"],
  reviewer: Reviewer,
): boolean {
  if (action.state.status !== "decided") return false;
  const { recorded } = action.state;
  if (recorded === undefined) return false; // nobody decided, so nobody can repeat it
  return (
    recorded.reviewer.id === reviewer.id && sameJson(asJson(recorded.decision), asJson(decision))
  );
}

/** A decision without its absent fields, so that two spellings of "no message" are the same. */
function asJson(decision: NamedDecision["decision"]): JsonObject {
  return JSON.parse(JSON.stringify(decision)) as JsonObject; // a decision is JSON but for absent fields
}

function replaceAction(review: Review, action: Action): Review {
  return { ...review, actions: review.actions.map((one) => (one.id === action.id ? action : one)) };
}

function refused(refusal: Refusal): ReviewTransition {
  return { type: "refused", refusal };
}
