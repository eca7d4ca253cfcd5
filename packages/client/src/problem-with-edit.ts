import {
  type ActionView,
  type ArgsProblem,
  type JsonObject,
  problemWithArgs,
} from "@holdpoint/core";

/** The first thing wrong with edited arguments of an action; `undefined` when nothing can be said against them. */
export function problemWithEdit(
  action: Pick<ActionView, "argsSchema">,
  args: JsonObject,
): ArgsProblem | undefined {
  if (action.argsSchema === undefined) return undefined;
  try {
    return problemWithArgs(action.argsSchema, args);
  } catch {
    return undefined; // a schema with a reference nobody can follow; the server decides
  }
}
