import { z } from "zod";
import { toCamelCase } from "../contract/casing.ts";
import {
  decisionSchema,
  type NamedDecision,
  positionalAnswerSchema,
} from "../contract/decision.ts";
import type { ActionName } from "../contract/port.ts";
import type { Refusal } from "../contract/errors.ts";
import { type ActionId, actionIdSchema } from "../contract/ids.ts";
import type { Review } from "../review/review.ts";
import { nameDecisions } from "./positional.ts";
import { readBareAnswer } from "./read-bare-answer.ts";

/** An answer to a review as decisions that name their actions, or why it is none. */
export type ReadAnswer =
  | { readonly type: "named"; readonly decisions: readonly NamedDecision[] }
  | { readonly type: "refused"; readonly refusal: Refusal };

const namesSchema = z.lazy(() =>
  z.object({
    decisions: z.array(
      z.object({ actionId: actionIdSchema.optional(), toolCallId: z.string().optional() }),
    ),
  }),
);

const nameKeys = ["actionId", "action_id", "toolCallId", "tool_call_id"];

/**
 * Reads what answers an interrupt: `{ decisions: [...] }`, in either casing. If one decision names its
 * action, by `actionId` or `toolCallId`, all must, and the names count; otherwise the decisions cover the
 * review exactly, in order. A review of one action may take the decision itself, where `mayBeBare` says so;
 * a tool's own question takes its bare answer.
 */
export function readAnswer(
  review: Review,
  response: unknown,
  { mayBeBare = false }: { readonly mayBeBare?: boolean } = {},
): ReadAnswer {
  const bare = readBareAnswer(review, response);
  if (bare !== undefined) return bare;
  const whole = mayBeBare && isBareDecision(response) ? { decisions: [response] } : response;
  const answer = positionalAnswerSchema.safeParse(whole);
  if (!answer.success) return refused(notUnderstood(review, answer.error));
  const { decisions } = answer.data;
  if (!hasNames(whole)) return nameDecisions(review, decisions);
  const names = namesSchema.safeParse(toCamelCase(whole));
  if (!names.success) return refused(notUnderstood(review, names.error));
  const ids = names.data.decisions.map((name) => actionNamed(review, name));
  if (!ids.some((id) => id !== undefined)) return nameDecisions(review, decisions);
  const named = decisions.flatMap((decision, index): NamedDecision[] => {
    const actionId = ids[index];
    return actionId === undefined ? [] : [{ actionId, decision }];
  });
  if (named.length < decisions.length) return refused(notNamed(review));
  const missing = review.actions.find(
    (action) => action.state.status === "open" && !ids.includes(action.id),
  );
  if (missing !== undefined) return refused(notCovered(review, missing.id));
  return { type: "named", decisions: named };
}

/** How an answer names the actions it means; empty when it leaves one of them unnamed. */
export function actionNamesIn(response: unknown): readonly ActionName[] {
  if (!hasNames(response)) return [];
  const names = namesSchema.safeParse(toCamelCase(response));
  if (!names.success) return [];
  const { decisions } = names.data;
  const named = decisions.flatMap(({ actionId, toolCallId }): ActionName[] => {
    if (actionId !== undefined) return [{ actionId }];
    return toolCallId === undefined ? [] : [{ toolCallId }];
  });
  return named.length === decisions.length ? named : [];
}

/** Whether a decision of the answer has a name in any casing; most have none, and looking is cheaper than reading. */
function hasNames(response: unknown): boolean {
  if (typeof response !== "object" || response === null || !("decisions" in response)) return false;
  const { decisions } = response;
  return (
    Array.isArray(decisions) &&
    decisions.some(
      (one) =>
        typeof one === "object" && one !== null && nameKeys.some((key) => Object.hasOwn(one, key)),
    )
  );
}

function isBareDecision(response: unknown): boolean {
  if (typeof response !== "object" || response === null || !("type" in response)) return false;
  return decisionSchema.safeParse(toCamelCase(response)).success;
}

/** An unknown tool call id stays a name, so that the refusal can say it. */
function actionNamed(
  review: Review,
  name: { readonly actionId?: ActionId | undefined; readonly toolCallId?: string | undefined },
): ActionId | undefined {
  const { actionId, toolCallId } = name;
  if (actionId !== undefined || toolCallId === undefined) return actionId;
  return (
    review.actions.find((action) => action.toolCallId === toolCallId)?.id ?? `act_${toolCallId}`
  );
}

function refused(refusal: Refusal): ReadAnswer {
  return { type: "refused", refusal };
}

function notUnderstood(review: Review, { issues: [issue] }: z.ZodError): Refusal {
  const allowed = review.actions
    .map((action) => `${action.call.name}: ${action.allowedDecisions.join(", ")}`)
    .join("; ");
  return {
    code: "decision_invalid",
    message: `The answer to review ${review.id} was not understood${issue === undefined ? "" : ` (${issue.path.join(".")}: ${issue.message})`}; send { decisions: [{ type: … }] }, one for each action (${allowed}).`,
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
