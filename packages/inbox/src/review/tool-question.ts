import type { ActionView, JsonObject } from "@holdpoint/core";

/** What a person is asked: a tool that asks carries its question as an argument; a card has a title. */
export function questionIn(action: ActionView): string | undefined {
  if (!action.allowedDecisions.includes("respond")) return undefined;
  const key = isCard(action) ? "title" : "question";
  const question = Object.hasOwn(action.args, key) ? action.args[key] : undefined;
  return typeof question === "string" && question !== "" ? question : undefined;
}

/** The arguments beside the question; a card's fields are drawn where they are filled in. */
export function besideQuestion(action: ActionView, args: JsonObject): JsonObject {
  if (isCard(action)) {
    const { formType: _type, title: _title, fields: _fields, context, ...others } = args;
    const facts = isObject(context) ? context : context === undefined ? {} : { context };
    return { ...facts, ...others };
  }
  if (questionIn(action) === undefined) return args;
  const { question: _question, ...rest } = args;
  return rest;
}

/** True for what a tool asks by itself, while nothing is about to run. */
export function isOwnQuestion({ reasonCode }: ActionView): boolean {
  return reasonCode === "question";
}

function isCard({ reasonCode, answerSchema, args }: ActionView): boolean {
  return reasonCode === "question" && answerSchema !== undefined && Array.isArray(args["fields"]);
}

function isObject(value: JsonObject[string] | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
