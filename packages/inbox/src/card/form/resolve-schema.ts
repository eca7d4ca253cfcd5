import type { Json, JsonObject } from "@holdpoint/core";
import { isList, isObject, valueAt } from "./path.ts";

/** A chain of references longer than this goes in a circle. */
const longestChain = 32;

/**
 * The schema itself: references inside the same document followed, and `allOf` merged. Words beside a
 * reference, such as a description, win over the referenced ones. Anything unusable becomes `{}`.
 */
export function resolveSchema(schema: Json | undefined, root: JsonObject): JsonObject {
  return resolve(schema, root, 0);
}

function resolve(schema: Json | undefined, root: JsonObject, depth: number): JsonObject {
  if (!isObject(schema) || depth > longestChain) return {};
  const { $ref: reference, allOf, ...own } = schema;
  let resolved: JsonObject = own;
  if (typeof reference === "string") {
    resolved = { ...resolve(referenced(reference, root), root, depth + 1), ...own };
  }
  if (isList(allOf)) {
    resolved = allOf.reduce<JsonObject>(
      (merged, part) => merge(resolve(part, root, depth + 1), merged),
      resolved,
    );
  }
  return resolved;
}

/** Both schemas as one, for showing; checking is done against the schema as it was given. */
function merge(base: JsonObject, over: JsonObject): JsonObject {
  const merged = { ...base, ...over };
  if (isObject(base["properties"]) && isObject(over["properties"])) {
    return {
      ...merged,
      properties: { ...base["properties"], ...over["properties"] },
      ...requiredOfBoth(base, over),
    };
  }
  return { ...merged, ...requiredOfBoth(base, over) };
}

function requiredOfBoth(base: JsonObject, over: JsonObject): JsonObject {
  const left = base["required"];
  const right = over["required"];
  return isList(left) && isList(right) ? { required: [...left, ...right] } : {};
}

/** Only pointers into the same document: `#`, `#/$defs/Address`. */
function referenced(reference: string, root: JsonObject): Json | undefined {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return undefined;
  let value: Json | undefined = root;
  for (const step of reference.slice(2).split("/")) {
    const key = decoded(step).replaceAll("~1", "/").replaceAll("~0", "~");
    value = value === undefined ? undefined : valueAt(value, [isList(value) ? Number(key) : key]);
  }
  return value;
}

function decoded(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}

/** What a field is called: its schema's title, or its key. */
export function titled(key: string, schema: Json | undefined, root: JsonObject): string {
  const { title } = resolveSchema(schema, root);
  return typeof title === "string" ? title : key;
}
