import type { Decision } from "../contract/decision.ts";
import type { Refusal } from "../contract/errors.ts";
import type { Verdict } from "../policy/verdict.ts";
import type { Action } from "../review/review.ts";
import { problemWithArgs } from "./check-args.ts";
import { checkAnswer } from "./check-answer.ts";

/** Says why a decision may not be recorded for an action, or `undefined` when it may. */
export function checkDecision(
  action: Action,
  decision: Decision,
  editVerdict: Verdict | undefined,
): Refusal | undefined {
  if (!action.allowedDecisions.includes(decision.type)) {
    return {
      code: "decision_not_allowed",
      message: `"${decision.type}" is not allowed for action ${action.id} (${action.call.name}); allowed: ${action.allowedDecisions.join(", ")}.`,
      details: {
        actionId: action.id,
        decision: decision.type,
        allowed: [...action.allowedDecisions],
      },
    };
  }
  switch (decision.type) {
    case "edit":
      return checkEdit(action, decision, editVerdict);
    case "respond":
      return checkAnswer(action, decision);
    case "approve":
    case "reject":
      return undefined;
    default:
      return decision satisfies never;
  }
}

function checkEdit(
  action: Action,
  decision: Extract<Decision, { type: "edit" }>,
  verdict: Verdict | undefined,
): Refusal | undefined {
  const { name, args } = decision.editedAction;
  if (name !== action.call.name) {
    const unknown =
      verdict?.type === "deny" && verdict.rule === "tools"
        ? `; ${withoutStop(verdict.reason)}`
        : "";
    return editRefused(
      action,
      `it would turn ${action.call.name} into ${name}${unknown}; reject the call and say which tool to use instead`,
    );
  }
  const problem =
    action.argsSchema === undefined ? undefined : problemWithArgs(action.argsSchema, args);
  if (problem !== undefined)
    return editRefused(action, `${problem.message}; correct it and send again`, problem.path);
  if (verdict === undefined)
    return editRefused(action, "the agent's policy could not be asked; try again when it runs");
  if (verdict.type === "deny")
    return editRefused(action, `policy does not allow the edited call: ${verdict.reason}`);
  return undefined;
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, "");
}

function editRefused(action: Action, why: string, path?: string): Refusal {
  return {
    code: "edit_refused",
    message: `The edit of action ${action.id} was refused: ${withoutStop(why)}.`,
    details: { actionId: action.id, why, ...(path === undefined ? {} : { path }) },
  };
}
