import canonicalize from "canonicalize";
import { type Json, jsonLimits, problemWithJson } from "./plain-json.ts";

/** Room for our own fields around values that were within the limits at the gate: a call and its schema. */
const recordLimits = {
  depth: jsonLimits.depth + 8,
  keys: jsonLimits.keys * 3,
  text: jsonLimits.text * 3,
};

/**
 * The one text of a JSON value, as RFC 8785 defines it: equal values give equal text.
 * Throws when the value is not plain JSON, because `canonicalize` would drop or empty such parts silently.
 */
export function canonicalJson(value: Json): string {
  const problem = problemWithJson(value, recordLimits);
  if (problem !== undefined) throw new TypeError(`Cannot write canonical JSON: ${problem}.`);
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("Cannot write canonical JSON: the value is empty.");
  return text;
}

/** True when two JSON values are the same by RFC 8785, types included. */
export function sameJson(left: Json, right: Json): boolean {
  return canonicalJson(left) === canonicalJson(right);
}
