import type { Decision, NamedDecision } from "../contract/decision.ts";
import type { Refusal } from "../contract/errors.ts";
import type { Review } from "../review/review.ts";

/**
 * Turns an answer by position into decisions by id. Accepted only when it covers the review exactly.
 */
export function nameDecisions(
  review: Review,
  decisions: readonly Decision[],
):
  | { readonly type: "named"; readonly decisions: NamedDecision[] }
  | { readonly type: "refused"; readonly refusal: Refusal } {
  if (decisions.length !== review.actions.length) {
    return {
      type: "refused",
      refusal: {
        code: "decision_count",
        message: `Review ${review.id} holds ${review.actions.length} action(s) but ${decisions.length} decision(s) came; send exactly one for each, in order, or name them by action id.`,
        details: { reviewId: review.id, expected: review.actions.length, found: decisions.length },
      },
    };
  }
  const named = review.actions.flatMap((action, index): NamedDecision[] => {
    const decision = decisions[index];
    return decision === undefined ? [] : [{ actionId: action.id, decision }];
  });
  return { type: "named", decisions: named };
}
