import { Validator, type Schema } from "@cfworker/json-schema";
import type { JsonObject } from "../plain-json.ts";

/** The first thing wrong with a tool's arguments: where (dotted path) and what. */
export type ArgsProblem = { readonly path: string; readonly message: string };

/**
 * Checks arguments against the tool's JSON Schema (2020-12); `undefined` when they satisfy it.
 * Interpreted, never compiled, so it also works in a page whose content security policy forbids eval.
 */
export function problemWithArgs(schema: JsonObject, args: JsonObject): ArgsProblem | undefined {
  const result = new Validator(schema as Schema, "2020-12", false).validate(args); // a JSON Schema is a JSON object
  if (result.valid) return undefined;
  const deepest = result.errors.toSorted(
    (a, b) => depth(b.instanceLocation) - depth(a.instanceLocation),
  )[0];
  const path = (deepest?.instanceLocation ?? "#").replace(/^#\/?/, "").replaceAll("/", ".");
  const message = (deepest?.error ?? "the arguments do not fit the tool's schema").replace(
    /\.$/,
    "",
  );
  return { path, message: path === "" ? message : `"${path}": ${message}` };
}

function depth(location: string): number {
  return location.split("/").length;
}
