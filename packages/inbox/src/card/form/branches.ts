import { type Json, type JsonObject, sameJson } from "@holdpoint/core";
import { listItems } from "./list-items.ts";
import { isList, isObject, valueAt } from "./path.ts";
import { resolveSchema } from "./resolve-schema.ts";

/** Deep enough for any argument; a recursive schema with nothing to hold on to stops here. */
const deepest = 64;

/**
 * The alternatives a schema leaves open, each resolved and complete in itself; `undefined` when it
 * leaves none. An `anyOf` that only adds conditions to an object is no choice between forms.
 */
export function branchesOf(schema: JsonObject, root: JsonObject): JsonObject[] | undefined {
  const { anyOf, oneOf, ...base } = schema;
  const alternatives = isList(anyOf) ? anyOf : isList(oneOf) ? oneOf : undefined;
  if (alternatives !== undefined && alternatives.length > 0) {
    const branches = alternatives.map((branch) => resolveSchema(branch, root));
    const addsForms = branches.some((branch) => hasForm(branch));
    if (addsForms || !hasForm(base)) {
      return branches.map((branch) => resolveSchema({ allOf: [branch, withoutWords(base)] }, root));
    }
  }
  const { type, ...rest } = schema;
  return isList(type) ? type.map((one) => ({ ...rest, type: one })) : undefined;
}

/** The place of the first branch that a value fits, or -1. */
export function fittingBranch(
  branches: readonly JsonObject[],
  value: Json,
  root: JsonObject,
): number {
  return branches.findIndex((branch) => fits(branch, value, root));
}

/**
 * True when a value has the form that a schema describes: types, constants, required keys. Limits
 * such as a greatest length do not change the form and are left to the check.
 */
export function fits(schema: JsonObject, value: Json, root: JsonObject, depth = 0): boolean {
  if (depth > deepest) return true;
  const branches = branchesOf(schema, root);
  if (branches !== undefined) {
    return branches.some((branch) => fits(branch, value, root, depth + 1));
  }
  if (schema["const"] !== undefined && !sameJson(schema["const"], value)) return false;
  const options = schema["enum"];
  if (isList(options) && !options.some((option) => sameJson(option, value))) return false;
  if (!hasType(schema["type"], value)) return false;
  if (isObject(value)) return objectFits(schema, value, root, depth);
  return !isList(value) || listFits(schema, value, root, depth);
}

/** True when a value has a JSON Schema type; any value has an absent one. */
export function hasType(type: Json | undefined, value: Json): boolean {
  switch (type) {
    case "string":
    case "boolean":
    case "number":
      return typeof value === type;
    case "integer":
      return Number.isInteger(value);
    case "null":
      return value === null;
    case "array":
      return isList(value);
    case "object":
      return isObject(value);
    default:
      return true;
  }
}

function objectFits(
  schema: JsonObject,
  value: JsonObject,
  root: JsonObject,
  depth: number,
): boolean {
  const required = schema["required"];
  const names = isList(required) ? required.filter((name) => typeof name === "string") : [];
  if (!names.every((name) => Object.hasOwn(value, name))) return false;
  return Object.entries(value).every(([key, part]) => {
    const property = valueAt(schema, ["properties", key]);
    if (property !== undefined) {
      return fits(resolveSchema(property, root), part, root, depth + 1);
    }
    const others = schema["additionalProperties"];
    if (others === false) return schema["patternProperties"] !== undefined;
    return !isObject(others) || fits(resolveSchema(others, root), part, root, depth + 1);
  });
}

function listFits(
  schema: JsonObject,
  value: readonly Json[],
  root: JsonObject,
  depth: number,
): boolean {
  const { schemaAt } = listItems(schema);
  return value.every((item, index) => {
    const itemSchema = schemaAt(index);
    return itemSchema !== undefined && fits(resolveSchema(itemSchema, root), item, root, depth + 1);
  });
}

function hasForm(schema: JsonObject): boolean {
  return ["type", "properties", "items", "enum", "const", "anyOf", "oneOf"].some((word) =>
    Object.hasOwn(schema, word),
  );
}

/** What describes the union as a whole would repeat on each of its branches. */
function withoutWords(schema: JsonObject): JsonObject {
  const { title: _title, description: _description, default: _default, ...rest } = schema;
  return rest;
}
