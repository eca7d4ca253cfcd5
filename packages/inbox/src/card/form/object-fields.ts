import type { Json, JsonObject } from "@holdpoint/core";
import { isList, isObject, valueAt } from "./path.ts";

/** A key of an object that a schema describes. */
type ObjectField = {
  readonly key: string;
  readonly schema: Json;
  readonly required: boolean;
};

/** The keys of an object, sorted by what can be done with them. */
export type ObjectFields = {
  /** In the order of the value. */
  readonly present: readonly ObjectField[];
  /** Described but not there; absent is not the same as empty. */
  readonly absent: readonly ObjectField[];
  /** There but not described: kept, shown, not edited. */
  readonly unknown: readonly string[];
  /** True when the schema forbids such keys, so that they can only be taken out. */
  readonly forbidsUnknown: boolean;
  /** What keys of one's own choice must hold, when the object takes any. */
  readonly others: Json | undefined;
};

/** Sorts the keys of an object under its (resolved) schema. */
export function objectFields(schema: JsonObject, value: JsonObject): ObjectFields {
  const properties = isObject(schema["properties"]) ? schema["properties"] : {};
  const required = isList(schema["required"]) ? schema["required"] : [];
  const others = schemaOfOthers(schema);
  const fieldFor = (key: string): ObjectField | undefined => {
    const described = valueAt(properties, [key]) ?? others;
    return described === undefined
      ? undefined
      : { key, schema: described, required: required.includes(key) };
  };
  const keys = Object.keys(value);
  return {
    present: keys.flatMap((key) => fieldFor(key) ?? []),
    absent: Object.keys(properties)
      .filter((key) => !Object.hasOwn(value, key))
      .flatMap((key) => fieldFor(key) ?? []),
    unknown: keys.filter((key) => fieldFor(key) === undefined),
    forbidsUnknown: schema["additionalProperties"] === false,
    others,
  };
}

/** A schema for the arguments of a tool that has none: every key that is there, each by its value. */
export function schemaFromArgs(args: JsonObject): JsonObject {
  const keys = Object.keys(args);
  return {
    type: "object",
    properties: Object.fromEntries(keys.map((key) => [key, {}])),
    required: keys,
  };
}

/**
 * A map has an `additionalProperties` schema, or says nothing of its keys. An object that names its
 * properties and merely tolerates others (`true`, `{}`) is no map: what else it holds is not edited.
 */
function schemaOfOthers(schema: JsonObject): Json | undefined {
  const others = schema["additionalProperties"];
  const namesNone = schema["properties"] === undefined && schema["patternProperties"] === undefined;
  if (isObject(others) && (namesNone || Object.keys(others).length > 0)) return others;
  return namesNone && others !== false ? {} : undefined;
}
