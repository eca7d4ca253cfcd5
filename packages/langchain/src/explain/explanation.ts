import type { ActionState, Condition, Verdict } from "@holdpoint/core";
import type { CheckpointerKind, ToolFacts } from "./agent-facts.ts";

/** What becomes of a call in an agent that has a gate. */
export type GatedFate =
  /** It was held before, so its record alone counts, whatever the rules say now. */
  | "recorded"
  /** A person is asked. */
  | "held"
  /** The rules let it run. */
  | "free"
  /** The rules refuse it. */
  | "denied"
  /** Its arguments do not fit, so the model is told and nobody is asked. */
  | "returned"
  /** It was rejected so often that nobody is asked again. */
  | "not_asked_again"
  /** The agent has no such tool, so LangChain answers the call itself. */
  | "no_such_tool"
  /** It would be held, but the agent cannot pause: the run fails with `config_invalid`. */
  | "cannot_wait";

type Shared = {
  readonly tool: ToolFacts;
  readonly checkpointer: CheckpointerKind;
  /** What may let a call slip, or its pause be lost; one sentence each. */
  readonly warnings: readonly string[];
  /** All of it in a few sentences. */
  readonly text: string;
};

/** The call meets no gate of Holdpoint, and runs. */
export type Ungated = Shared & { readonly fate: "ungated" };

/** What the agent's gate makes of the call. */
export type Gated = Shared & {
  readonly fate: GatedFate;
  /** What the rules say, with their reason. */
  readonly verdict: Verdict;
  /** The key of `interruptOn` that decided; absent when none matches. */
  readonly key?: string;
  /** True when the `interruptOn` of the invocation's context decided, not the agent's own. */
  readonly isOfContext: boolean;
  /** True when a rule beside `interruptOn` decided, such as a file permission; the verdict names it. */
  readonly isOfGuardrail?: true;
  /** What the rule's `when` answered for this call, where it has one. */
  readonly condition?: Condition;
  /** What the record says of this very call, where its thread is given and it was held before. */
  readonly record?: ActionState;
  /** What is wrong with the arguments, or how often they were rejected. */
  readonly problem?: string;
  readonly mode: "batched" | "per_call";
  readonly unlisted: "allow" | "review" | "deny";
  /** Whether an engine keeps the record, or this process alone. */
  readonly hasEngine: boolean;
};

/** Why a call is, or is not, held. */
export type GateExplanation = Ungated | Gated;
