import type { PermitStatus, ReviewView } from "@holdpoint/core";
import { type OutcomeKind, outcomeKind } from "../review/outcome-kind.ts";

/** What a settled review came to, for one line: the outcome, who decided last, and how the run ended. */
export type SettledSummary = {
  readonly outcome: OutcomeKind | "mixed";
  readonly by: string | undefined;
  readonly at: string | undefined;
  readonly receipt: PermitStatus | undefined;
};

// What most needs a person's eye comes first.
const receiptOrder: readonly PermitStatus[] = [
  "unknown",
  "failed",
  "started",
  "suspended",
  "unused",
  "revoked",
  "succeeded",
];

/** Sums a settled review up. */
export function summarize(review: ReviewView): SettledSummary {
  const words = new Set(review.actions.map(outcomeKind));
  const [only] = words;
  const last = review.actions
    .flatMap(({ recorded }) => (recorded === undefined ? [] : [recorded]))
    .toSorted((left, right) => right.at.localeCompare(left.at))[0];
  const receipts = new Set(review.actions.map(({ permit }) => permit));
  return {
    outcome: words.size === 1 && only !== undefined ? only : "mixed",
    by: last?.reviewer.name,
    at: last?.at ?? review.settledAt,
    receipt: receiptOrder.find((status) => receipts.has(status)),
  };
}
