import type { Json, JsonObject } from "@holdpoint/core";
import { type FormState, reduceForm, startForm } from "./form-state.ts";
import { isList, isObject } from "./path.ts";
import { startingValue } from "./starting-value.ts";

/** A form for an answer: what it is drawn from, how it begins, and what its content answers. */
export type AnswerForm = {
  readonly root: JsonObject;
  readonly start: FormState;
  readonly answerOf: (args: JsonObject) => Json;
};

/** The one field of a form whose answer is no object. */
const only = "answer";

/**
 * The form of an answer's schema. An object is filled in field by field, with the card's defaults; any
 * other value is the one field of a form around it.
 */
export function answerForm(schema: JsonObject, earlier: Json | undefined): AnswerForm {
  if (schema["type"] === "object" || isObject(schema["properties"])) {
    const start = isObject(earlier) ? startForm(earlier) : startEmpty(schema);
    return { root: schema, start, answerOf: (args) => args };
  }
  const { $defs, definitions, ...inner } = schema;
  const root: JsonObject = {
    ...($defs === undefined ? {} : { $defs }),
    ...(definitions === undefined ? {} : { definitions }),
    type: "object",
    properties: { [only]: inner },
    required: [only],
  };
  const start = earlier === undefined ? startEmpty(root) : startForm({ [only]: earlier });
  return { root, start, answerOf: (args) => args[only] ?? null };
}

/**
 * Required fields as their least value, a number blank and a choice not made; optional ones only where the
 * card has a default.
 */
function startEmpty(root: JsonObject): FormState {
  const { value, blanks } = startingValue(root, root);
  const properties = isObject(root["properties"]) ? root["properties"] : {};
  const filled = Object.entries(properties).flatMap(([key, part]): [string, Json][] => {
    const given = isObject(part) ? part["default"] : undefined;
    if (!isObject(value) || !Object.hasOwn(value, key))
      return given === undefined ? [] : [[key, given]];
    return [[key, given === undefined && isChoice(part) ? null : (value[key] ?? null)]];
  });
  const start = { value: Object.fromEntries(filled), blanks };
  return reduceForm(startForm({}), { type: "started", path: [], start });
}

/** True where a person picks one of several values; the first would be an answer that nobody gave. */
function isChoice(schema: Json | undefined): boolean {
  if (!isObject(schema)) return false;
  const options = schema["enum"] ?? schema["oneOf"];
  return isList(options) && options.length > 1;
}
