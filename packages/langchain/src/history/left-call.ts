import type { ToolMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import {
  type ActionRecord,
  type CallKey,
  type Holdpoint,
  isJsonObject,
  outcomeOf,
  sameJson,
} from "@holdpoint/core";
import {
  errorMessage,
  fromReceiptMessage,
  noteEdit,
  outcomeMessage,
} from "../tool/tool-messages.ts";

/**
 * The result of a call that new input left without one. What is known is told: the result that its
 * receipt kept, what a person decided, or that it was stopped and whether it may have run.
 */
export async function resultOfLeftCall(
  holdpoint: Holdpoint,
  key: CallKey,
  call: ToolCall,
): Promise<ToolMessage> {
  return leftResult(await holdpoint.findAction(key), call);
}

/** The same, from the record of the call. */
export function leftResult(record: ActionRecord | undefined, call: ToolCall): ToolMessage {
  if (record === undefined) return errorMessage(call, stoppedText(call.name, "may have run"));
  const { review, action, permit } = record;
  const outcome = outcomeOf(action);
  if (permit !== undefined && "message" in permit.state) {
    const message = fromReceiptMessage(action.id, call, permit.state.message);
    const isEdited =
      outcome?.type === "approved" &&
      isJsonObject(call.args) &&
      !sameJson(outcome.call.args, call.args);
    return isEdited ? noteEdit(message, outcome.call) : message;
  }
  if (outcome !== undefined && outcome.type !== "approved")
    return outcomeMessage(action.id, call, outcome, review.cause);
  const text = mayHaveRun(record) ? "may have run" : "never ran";
  return errorMessage(call, stoppedText(call.name, text));
}

/** A second question about a lost run is asked because its first start may have run. */
export function mayHaveRun({ review, permit }: ActionRecord): boolean {
  if (review.cause === "unknown_receipt") return true;
  const status = permit?.state.status;
  switch (status) {
    case undefined:
    case "unused":
    case "revoked":
      return false;
    case "started":
    case "suspended":
    case "unknown":
    case "succeeded":
    case "failed":
      return true;
    default:
      return status satisfies never;
  }
}

function stoppedText(tool: string, what: "may have run" | "never ran"): string {
  return what === "never ran"
    ? `This call to \`${tool}\` was stopped before it ran; nothing was executed. Do not try it again unless the user asks for it.`
    : `This call to \`${tool}\` was stopped and its result is not known; it may have run. Do not assume that it ran, or that it did not.`;
}
