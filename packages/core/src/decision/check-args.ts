import { type OutputUnit, type Schema, Validator } from "@cfworker/json-schema";
import type { Json, JsonObject } from "../plain-json.ts";

/** The first thing wrong with a tool's arguments: where (dotted path) and what. */
export type ArgsProblem = { readonly path: string; readonly message: string };

/**
 * Checks arguments against the tool's JSON Schema (2020-12); `undefined` when they satisfy it. Never
 * throws: a schema that cannot be read (a reference nobody can follow, a bad pattern) fits nothing.
 * Interpreted, never compiled, so it also works in a page whose content security policy forbids eval.
 */
export function problemWithArgs(schema: JsonObject, args: Json): ArgsProblem | undefined {
  const errors = errorsOf(schema, args);
  if (errors === undefined) return { path: "", message: "the tool's schema cannot be read" };
  if (errors.length === 0) return undefined;
  const deepest = errors
    .filter((error) => error.keyword !== "$ref") // it only says that there are errors behind it
    .toSorted((a, b) => depth(b.instanceLocation) - depth(a.instanceLocation))[0];
  const path = (deepest?.instanceLocation ?? "#").replace(/^#\/?/, "").replaceAll("/", ".");
  const message = messageOf(deepest).replace(/\.$/, "");
  return { path, message: path === "" ? message : `"${path}": ${message}` };
}

function errorsOf(schema: JsonObject, args: Json): readonly OutputUnit[] | undefined {
  try {
    const result = validatorOf(schema).validate(args);
    return result.valid ? [] : result.errors;
  } catch {
    return undefined;
  }
}

const validators = new WeakMap<JsonObject, Validator>();

/** Made once for each schema: a tool's is the same object for every call. */
function validatorOf(schema: JsonObject): Validator {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const own: Schema = structuredClone(schema); // the validator writes into the schema it is given
  const made = new Validator(own, "2020-12", false);
  validators.set(schema, made);
  return made;
}

function messageOf(error: OutputUnit | undefined): string {
  if (error === undefined) return "the arguments do not fit the tool's schema";
  return error.keyword === "false" ? "nothing is allowed here" : error.error;
}

function depth(location: string): number {
  return location.split("/").length;
}
