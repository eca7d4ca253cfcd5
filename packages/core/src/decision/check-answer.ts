import type { Decision } from "../contract/decision.ts";
import type { Refusal } from "../contract/errors.ts";
import { sameJson } from "../canonical-json.ts";
import { isJsonObject, isPlainJson, type Json, type JsonObject } from "../plain-json.ts";
import { type Action, outcomeOf, type Review } from "../review/review.ts";
import { problemWithArgs } from "./check-args.ts";

/** What a tool's question is resumed with: the value that was answered, or the text when there is none. */
export function answerValue(answer: {
  readonly message?: string | undefined;
  readonly value?: Json | undefined;
}): Json {
  return answer.value === undefined ? (answer.message ?? null) : answer.value;
}

/** True when a question was answered with this very value before, whoever did. */
export function isRecordedAnswer(review: Review, value: unknown): boolean {
  const [question] = review.actions;
  if (question?.reasonCode !== "question") return false;
  const outcome = outcomeOf(question);
  return (
    outcome?.type === "answered" && isPlainJson(value) && sameJson(answerValue(outcome), value)
  );
}

/** Says why an answer may not be recorded: a value where only a text belongs, or one that does not fit the question. */
export function checkAnswer(
  action: Action,
  decision: Extract<Decision, { type: "respond" }>,
): Refusal | undefined {
  if (action.reasonCode !== "question") {
    return decision.message === undefined
      ? refused(action, "", `a call of ${action.call.name} is answered with a text, in "message"`)
      : undefined;
  }
  const { answerSchema } = action;
  if (answerSchema === undefined) return undefined;
  const problem = problemWithArgs(answerSchema, answerValue(decision));
  if (problem === undefined) return undefined;
  return refused(action, problem.path, `${problem.message}. Expected: ${expected(answerSchema)}`);
}

function refused(action: Action, path: string, why: string): Refusal {
  return {
    code: "decision_invalid",
    message: `The answer to action ${action.id} does not fit: ${why}.`,
    details: { actionId: action.id, why, path },
  };
}

/** What would fit, in words: each field with its kind. */
function expected(schema: JsonObject): string {
  const properties = isJsonObject(schema.properties) ? schema.properties : undefined;
  if (properties === undefined) return kindOf(schema);
  const required = Array.isArray(schema.required) ? schema.required : [];
  const fields = Object.entries(properties).map(([name, part]) => {
    const kind = kindOf(isJsonObject(part) ? part : {});
    return `${JSON.stringify(name)} (${kind}${required.includes(name) ? ", required" : ""})`;
  });
  return fields.length === 0 ? "an empty object" : `an object with ${fields.join(", ")}`;
}

function kindOf(schema: JsonObject): string {
  const choices = choicesOf(schema);
  if (choices !== undefined)
    return `one of ${choices.map((one) => JSON.stringify(one)).join(" | ")}`;
  const items = isJsonObject(schema.items) ? `list of ${kindOf(schema.items)}` : undefined;
  return items ?? (typeof schema.type === "string" ? schema.type : "any JSON");
}

function choicesOf(schema: JsonObject): readonly Json[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum;
  if (!Array.isArray(schema.oneOf)) return undefined;
  const constants = schema.oneOf.flatMap((one: Json) =>
    isJsonObject(one) && one.const !== undefined ? [one.const] : [],
  );
  return constants.length === schema.oneOf.length ? constants : undefined;
}
