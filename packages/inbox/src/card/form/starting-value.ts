import type { Json, JsonObject } from "@holdpoint/core";
import { branchesOf } from "./branches.ts";
import { isList, isObject, type Path } from "./path.ts";
import { resolveSchema } from "./resolve-schema.ts";

/** A value for a part that is being added, with the paths in it that a person must still fill in. */
export type StartingValue = { readonly value: Json; readonly blanks: readonly Path[] };

const deepest = 12;

/**
 * The least value that has a schema's form: its default, else empty. A number without a default is
 * blank rather than a zero that nobody typed.
 */
export function startingValue(schema: Json | undefined, root: JsonObject): StartingValue {
  return start(schema, root, [], 0);
}

function start(
  schema: Json | undefined,
  root: JsonObject,
  path: Path,
  depth: number,
): StartingValue {
  const resolved = resolveSchema(schema, root);
  const options = resolved["enum"];
  const given =
    resolved["default"] ?? resolved["const"] ?? (isList(options) ? options[0] : undefined);
  if (given !== undefined) return { value: given, blanks: [] };
  if (depth > deepest) return { value: null, blanks: [] };
  const branches = branchesOf(resolved, root);
  if (branches !== undefined) {
    const branch = branches.find((one) => one["type"] !== "null");
    return start(branch ?? branches[0], root, path, depth + 1);
  }
  switch (resolved["type"]) {
    case "string":
      return { value: "", blanks: [] };
    case "boolean":
      return { value: false, blanks: [] };
    case "number":
    case "integer":
      return { value: 0, blanks: [path] };
    case "array":
      return { value: [], blanks: [] };
    case "object":
      return startObject(resolved, root, path, depth);
    default:
      return { value: null, blanks: [] };
  }
}

function startObject(
  schema: JsonObject,
  root: JsonObject,
  path: Path,
  depth: number,
): StartingValue {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = isList(schema["required"]) ? schema["required"] : [];
  const parts = Object.entries(properties)
    .filter(([key]) => required.includes(key))
    .map(([key, part]) => [key, start(part, root, [...path, key], depth + 1)] as const);
  return {
    value: Object.fromEntries(parts.map(([key, part]) => [key, part.value])),
    blanks: parts.flatMap(([, part]) => part.blanks),
  };
}
