import type { Json } from "@holdpoint/core";
import { isList, isObject } from "./form/path.ts";
import type { ProblemTexts } from "./problem-texts.ts";

type Rule = readonly [
  pattern: RegExp,
  say: (texts: ProblemTexts, found: string[], schema: Json | undefined) => string,
];

// The sentences of the schema validator in `problemWithArgs`, here and on the server; a test holds
// them against the validator itself.
const rules: readonly Rule[] = [
  [
    /^Instance type ".*?" is invalid\. Expected "(.+)"$/s,
    (texts, [types = ""]) => texts.type(types.split('", "')),
  ],
  [
    /^Instance does not have required property "(.*)"$/s,
    (texts, [key = ""]) => texts.required(key),
  ],
  [
    /^Instance does not match any of \[(.+)\]$/s,
    (texts, [choices = ""]) => texts.oneOf(readable(choices)),
  ],
  [/^Instance does not match (["\d{[tfn-].*)$/s, (texts, [value = ""]) => texts.exactly(value)],
  [/ is less than or equal to {1,2}(\S+)$/, (texts, [limit = ""]) => texts.moreThan(limit)],
  [/ is greater than or equal to {1,2}(\S+)$/, (texts, [limit = ""]) => texts.lessThan(limit)],
  // The validator says the same of `minimum` and `exclusiveMinimum`.
  [
    /^(\S+) is less than {1,2}(\S+)$/,
    (texts, [value, limit = ""], schema) =>
      value === limit || mentions(schema, "exclusiveMinimum", Number(limit))
        ? texts.moreThan(limit)
        : texts.atLeast(limit),
  ],
  [/ is greater than {1,2}(\S+)$/, (texts, [limit = ""]) => texts.atMost(limit)],
  [/ is not a multiple of (\S+)$/, (texts, [step = ""]) => texts.multipleOf(step)],
  [/^String is too short \(\d+ < (\d+)\)$/, (texts, [limit = ""]) => texts.minLength(limit)],
  [/^String is too long \(\d+ > (\d+)\)$/, (texts, [limit = ""]) => texts.maxLength(limit)],
  [/^Array has too few items \(\d+ < (\d+)\)$/, (texts, [limit = ""]) => texts.minItems(limit)],
  [/^Array has too many items \(\d+ > (\d+)\)$/, (texts, [limit = ""]) => texts.maxItems(limit)],
  [/^Duplicate items at indexes /, (texts) => texts.duplicate],
  [/^String does not match pattern$/, (texts) => texts.pattern],
  [/^String does not match format "(.+)"$/s, (texts, [format = ""]) => texts.format(format)],
  [
    /^Property "(.*)" does not match (?:additional|unevaluated) properties schema$/s,
    (texts, [key = ""]) => texts.unknownKey(key),
  ],
  [/^nothing is allowed here$/, (texts) => texts.notAllowed],
];

/**
 * What the schema validator said, shortly and in the reader's language; its own words when they are not
 * known. `schema` is that of the value, where it is at hand.
 */
export function problemSentence(said: string, texts: ProblemTexts, schema?: Json): string {
  for (const [pattern, say] of rules) {
    const found = pattern.exec(said);
    if (found !== null) return say(texts, found.slice(1), schema);
  }
  return said;
}

/** True when a schema, or one of its alternatives, sets a keyword to a value. */
function mentions(schema: Json | undefined, keyword: string, value: Json): boolean {
  if (isList(schema)) return schema.some((one) => mentions(one, keyword, value));
  if (!isObject(schema)) return false;
  return (
    schema[keyword] === value ||
    [schema["anyOf"], schema["oneOf"], schema["allOf"]].some((one) => mentions(one, keyword, value))
  );
}

/** Constants from a schema as a person would list them. */
function readable(choices: string): string {
  try {
    const list: unknown = JSON.parse(`[${choices}]`);
    if (!Array.isArray(list)) return choices;
    return list
      .map((value: unknown) => (typeof value === "string" ? value : JSON.stringify(value)))
      .join(", ");
  } catch {
    return choices;
  }
}
