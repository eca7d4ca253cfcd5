import type { ActionView, JsonObject, Outcome } from "@holdpoint/core";

/** What an action came to, in one word: an edit is told apart from an approval, a deadline from a rejection. */
export type OutcomeKind = Outcome["type"] | "edited" | "expired" | "closed";

/** The word for an action that is settled; `closed` when nobody decided it. */
export function outcomeKind({ outcome }: Pick<ActionView, "outcome">): OutcomeKind {
  if (outcome === undefined) return "closed";
  if (outcome.type === "rejected" && outcome.cause === "deadline") return "expired";
  return outcome.type === "approved" && outcome.edited ? "edited" : outcome.type;
}

/** The arguments that the call runs or ran with: the edited ones once an edit was approved. */
export function effectiveArgs({ args, outcome }: Pick<ActionView, "args" | "outcome">): JsonObject {
  return outcome?.type === "approved" ? outcome.call.args : args;
}
