import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { canonicalJson } from "./canonical-json.ts";
import type { Json, JsonObject } from "./plain-json.ts";

/** A SHA-256 in lower-case hex, with its algorithm in front. */
export type Digest = `sha256:${string}`;

/** SHA-256 over the UTF-8 bytes of the text. */
export function digestText(text: string): Digest {
  return `sha256:${bytesToHex(sha256(utf8ToBytes(text)))}`;
}

/** SHA-256 over the canonical JSON (RFC 8785) of the value. */
export function digestJson(value: Json): Digest {
  return digestText(canonicalJson(value));
}

/** What a permit is bound to: the tool, the exact arguments, and the tool's schema. */
export function digestCall(call: {
  readonly name: string;
  readonly args: JsonObject;
  readonly argsSchema: JsonObject | undefined;
}): Digest {
  const { name, args, argsSchema } = call;
  // The canonical JSON of { args, name, schema }, in parts: a tool's schema is the same for every call.
  return digestText(
    `{"args":${canonicalJson(args)},"name":${canonicalJson(name)},"schema":${schemaText(argsSchema)}}`,
  );
}

const schemaTexts = new WeakMap<JsonObject, string>();

function schemaText(schema: JsonObject | undefined): string {
  if (schema === undefined) return "null";
  const known = schemaTexts.get(schema) ?? canonicalJson(schema);
  schemaTexts.set(schema, known);
  return known;
}
