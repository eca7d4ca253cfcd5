import { canonicalJson, type JsonObject } from "@holdpoint/core";

const texts = new WeakMap<JsonObject, string>();

/** The body of an event as it is hashed and stored: canonical JSON, written once. A body is never changed. */
export function bodyText(body: JsonObject): string {
  const known = texts.get(body) ?? canonicalJson(body);
  texts.set(body, known);
  return known;
}
