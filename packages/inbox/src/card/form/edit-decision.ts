import { type ActionView, type Decision, type JsonObject, sameJson } from "@holdpoint/core";

/** What an edit comes to: a plain approval when nothing is changed and that may be given. */
export function editDecision(
  action: Pick<ActionView, "name" | "args" | "allowedDecisions">,
  args: JsonObject,
): Decision {
  const isUnchanged = sameJson(action.args, args);
  return isUnchanged && action.allowedDecisions.includes("approve")
    ? { type: "approve" }
    : { type: "edit", editedAction: { name: action.name, args } };
}
