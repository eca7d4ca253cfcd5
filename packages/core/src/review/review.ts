import type { DecisionType } from "../contract/decision.ts";
import type { Deadline } from "../contract/deadline.ts";
import type { ActionId, ReviewId } from "../contract/ids.ts";
import type { Raised } from "../contract/interrupt.ts";
import type { Provenance } from "../contract/provenance.ts";
import type { Cause, Outcome, RecordedDecision } from "../contract/review-view.ts";
import type { ReasonCode } from "../policy/verdict.ts";
import type { Digest } from "../digest.ts";
import type { JsonObject } from "../plain-json.ts";

/** A tool and the exact arguments for it. */
export type Call = { readonly name: string; readonly args: JsonObject };

/** One tool call inside a review: the unit that is decided. */
export type Action = {
  readonly id: ActionId;
  readonly toolCallId: string;
  readonly call: Call;
  readonly argsSchema?: JsonObject;
  /** The JSON Schema of the value that answers a tool's question; absent when any will do. */
  readonly answerSchema?: JsonObject;
  /** Binds the call as proposed; an edit gets a digest of its own in the permit. */
  readonly digest: Digest;
  readonly description?: string;
  readonly allowedDecisions: readonly DecisionType[];
  /** The rule that held the call, and why. */
  readonly rule: string;
  readonly reason: string;
  readonly reasonCode: ReasonCode;
  readonly state: ActionState;
};

/**
 * An action is open, or decided for good, or closed without an outcome. `recorded` is absent when nobody
 * decided it and the deadline gave its outcome.
 */
export type ActionState =
  | { readonly status: "open" }
  | { readonly status: "decided"; readonly outcome: Outcome; readonly recorded?: RecordedDecision }
  | { readonly status: "closed" };

/** One pause of one thread; holds one or more actions. */
export type Review = Provenance & {
  readonly id: ReviewId;
  readonly version: number;
  readonly threadId: string;
  readonly agent: string;
  /** The id of the AI message whose tool calls are held. */
  readonly turnId: string;
  /** The LangGraph interrupt that this review answers. */
  readonly interruptId: string;
  readonly raised: Raised;
  readonly cause: Cause;
  /** What the person who started the run asked for, when known. */
  readonly askedFor?: string;
  readonly createdAt: string;
  /** Holds for all its actions; a review without one waits as long as it takes. */
  readonly deadline?: Deadline;
  /** Messages that join the thread in the step that reads the answer, such as the answered card. */
  readonly addedMessages?: readonly JsonObject[];
  readonly actions: readonly Action[];
  readonly state: ReviewState;
};

/** A review is open until all its actions are decided, or closed without outcomes. */
export type ReviewState =
  | { readonly status: "open" }
  | { readonly status: "decided"; readonly settledAt: string }
  | { readonly status: "closed"; readonly settledAt: string; readonly because: string };

/** The decided state of an action, or `undefined` while it has none. */
export function outcomeOf(action: Action): Outcome | undefined {
  return action.state.status === "decided" ? action.state.outcome : undefined;
}
