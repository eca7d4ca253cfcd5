import {
  decisionSchema,
  type NamedDecision,
  positionalAnswerSchema,
  textLimit,
} from "../contract/decision.ts";
import type { Refusal } from "../contract/errors.ts";
import { isJsonObject } from "../plain-json.ts";
import type { Action, Review } from "../review/review.ts";

/** The answer as one decision on the question, or why it is none. */
type BareAnswer =
  | { readonly type: "named"; readonly decisions: readonly NamedDecision[] }
  | { readonly type: "refused"; readonly refusal: Refusal };

/**
 * Reads the bare answer to a tool's own question: the tool gets the very value that was sent, and a text
 * stays a text. `undefined` for any other review, and for an answer that comes as decisions.
 */
export function readBareAnswer(review: Review, response: unknown): BareAnswer | undefined {
  const [question] = review.actions;
  if (question?.reasonCode !== "question" || !isBare(question, response)) return undefined;
  const answer = typeof response === "string" ? { message: response } : { value: response };
  const read = decisionSchema.safeParse({ type: "respond", ...answer });
  return read.success
    ? { type: "named", decisions: [{ actionId: question.id, decision: read.data }] }
    : { type: "refused", refusal: notAnAnswer(review, read.error.issues[0]?.message) };
}

/** What looks like decisions is taken as such, unless the question has a field of that very name. */
function isBare({ answerSchema }: Action, response: unknown): boolean {
  if (!positionalAnswerSchema.safeParse(response).success) return true;
  const fields = answerSchema?.properties;
  return isJsonObject(fields) && Object.hasOwn(fields, "decisions");
}

function notAnAnswer(review: Review, why = "it is not JSON"): Refusal {
  return {
    code: "decision_invalid",
    message: `The answer to review ${review.id} cannot be used: ${why}. Send a text of 1 to ${textLimit} characters, or JSON.`,
    details: { reviewId: review.id },
  };
}
