import { z } from "zod";
import { toCamelCase } from "../contract/casing.ts";
import { type NamedDecision, positionalAnswerSchema } from "../contract/decision.ts";
import type { Refusal } from "../contract/errors.ts";
import { actionIdSchema } from "../contract/ids.ts";
import type { Review } from "../review/review.ts";
import { nameDecisions } from "./positional.ts";

/** An answer to a review as decisions that name their actions, or why it is none. */
export type ReadAnswer =
  | { readonly type: "named"; readonly decisions: readonly NamedDecision[] }
  | { readonly type: "refused"; readonly refusal: Refusal };

const mentionsId = z.object({ decisions: z.array(z.record(z.string(), z.unknown())) });
const namesIds = z.object({ decisions: z.array(z.object({ actionId: actionIdSchema })) });

/**
 * Reads what answers an interrupt: `{ decisions: [...] }`, in either casing. If one decision names its
 * action, all must, and the names count; otherwise the decisions cover the review exactly, in order.
 */
export function readAnswer(review: Review, response: unknown): ReadAnswer {
  const answer = positionalAnswerSchema.safeParse(response);
  if (!answer.success) return refused(notUnderstood(review));
  const { decisions } = answer.data;
  if (!mentionsActions(response)) return nameDecisions(review, decisions);
  const named = namesIds.safeParse(toCamelCase(response));
  if (!named.success) return refused(notNamed(review));
  const ids = named.data.decisions.map((one) => one.actionId);
  const missing = review.actions.find(
    (action) => action.state.status === "open" && !ids.includes(action.id),
  );
  if (missing !== undefined) return refused(notCovered(review, missing.id));
  return {
    type: "named",
    decisions: decisions.flatMap((decision, index): NamedDecision[] => {
      const actionId = ids[index];
      return actionId === undefined ? [] : [{ actionId, decision }];
    }),
  };
}

function mentionsActions(response: unknown): boolean {
  const read = mentionsId.safeParse(toCamelCase(response));
  return read.success && read.data.decisions.some((one) => Object.hasOwn(one, "actionId"));
}

function refused(refusal: Refusal): ReadAnswer {
  return { type: "refused", refusal };
}

function notUnderstood(review: Review): Refusal {
  const allowed = review.actions
    .map((action) => `${action.call.name}: ${action.allowedDecisions.join(", ")}`)
    .join("; ");
  return {
    code: "decision_invalid",
    message: `The answer to review ${review.id} was not understood; send { decisions: [{ type: … }] }, one for each action (${allowed}).`,
    details: { reviewId: review.id },
  };
}

function notNamed(review: Review): Refusal {
  const ids = review.actions.map((action) => action.id).join(", ");
  return {
    code: "decision_invalid",
    message: `Some decisions on review ${review.id} name their action and some do not; name each by its id: ${ids}.`,
    details: { reviewId: review.id },
  };
}

/** An answer to an interrupt ends it, so it must decide everything that the review still holds. */
function notCovered(review: Review, actionId: string): Refusal {
  return {
    code: "decision_count",
    message: `The answer leaves action ${actionId} of review ${review.id} undecided; send a decision for each of its actions.`,
    details: { reviewId: review.id, actionId },
  };
}
