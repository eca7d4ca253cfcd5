import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import {
  type ActionId,
  type Call,
  type Cause,
  deniedText,
  editNoticeText,
  expiredText,
  isJsonObject,
  isPlainJson,
  leftUnknownText,
  type JsonObject,
  type Outcome,
  type Receipt,
  refusedText,
  repeatedText,
  rejectedText,
  rejectionReason,
} from "@holdpoint/core";
import type { Judgement } from "../gate/proposal.ts";

/** The tool call that a message answers. */
export type AnsweredCall = { readonly id?: string | undefined; readonly name: string };

/** The one ToolMessage of a call that was rejected, or answered, or expired; the tool never runs. */
export function outcomeMessage(
  actionId: ActionId,
  call: AnsweredCall,
  outcome: Exclude<Outcome, { type: "approved" }>,
  cause: Cause,
  isLegacy = false,
): ToolMessage {
  switch (outcome.type) {
    case "rejected": {
      if (outcome.cause === "deadline")
        return decidedMessage(actionId, call, "reject", "error", expiredText(call.name));
      const reason = rejectionReason(outcome);
      if (isLegacy) {
        const usual = `User rejected the tool call for \`${call.name}\` with id ${call.id}`;
        return decidedMessage(actionId, call, "reject", "error", outcome.message ?? usual);
      }
      const text =
        cause === "unknown_receipt"
          ? leftUnknownText(call.name, reason)
          : rejectedText(call.name, reason);
      return decidedMessage(actionId, call, "reject", "error", text);
    }
    case "answered":
      return decidedMessage(actionId, call, "respond", "success", outcome.message);
    default:
      return outcome satisfies never;
  }
}

function decidedMessage(
  actionId: ActionId,
  call: AnsweredCall,
  decision: string,
  status: "error" | "success",
  content: string,
): ToolMessage {
  return new ToolMessage({
    id: messageId(actionId),
    tool_call_id: call.id ?? "",
    name: call.name,
    status,
    content,
    additional_kwargs: { lc_source: "hitl_interrupt_decision", lc_data: { decision } },
  });
}

/** The ToolMessage of a call that policy denied. */
export function deniedMessage(call: AnsweredCall, reason: string): ToolMessage {
  return errorMessage(call, deniedText(call.name, reason));
}

/** The ToolMessage of a call that nobody need be asked about, for what the call itself is. */
export function misfitMessage(
  call: AnsweredCall,
  problem: Exclude<Judgement, { type: "judged" }>,
): ToolMessage {
  if (problem.type === "malformed") {
    const text = `Error: the arguments for \`${call.name}\` do not fit its schema (${problem.problem}). Fix them and try again.`;
    return errorMessage(call, text);
  }
  const message = errorMessage(call, repeatedText(call.name, problem.times));
  message.additional_kwargs = { holdpoint: { repeated: true } };
  return message;
}

/** True for the ToolMessage of a call that nobody was asked about any more. */
export function isRepeatedMessage(message: BaseMessage): boolean {
  const note = message.additional_kwargs["holdpoint"];
  return isJsonObject(note) && note.repeated === true;
}

/** True for the ToolMessage of a call that a person rejected. */
export function isRejection(message: BaseMessage): boolean {
  const { lc_source: source, lc_data: data } = message.additional_kwargs;
  return source === "hitl_interrupt_decision" && isJsonObject(data) && data.decision === "reject";
}

/** The ToolMessage of a call that was stopped at the last moment. */
export function refusedMessage(call: AnsweredCall, why: string): ToolMessage {
  return errorMessage(call, refusedText(call.name, why));
}

/** The ToolMessage of a call whose tool failed: one sentence, never a stack trace or a path of this machine's code. */
export function failedMessage(call: AnsweredCall, error: unknown): ToolMessage {
  const message = error instanceof Error ? error.message : String(error);
  const first = message.split(/\n\s*at /, 1)[0]?.trim() ?? "";
  const why = first === "" ? "it gave no reason" : first;
  return errorMessage(call, `Error: \`${call.name}\` failed: ${why}`);
}

/** A ToolMessage that says a call failed. */
export function errorMessage(call: AnsweredCall, content: string): ToolMessage {
  return new ToolMessage({
    tool_call_id: call.id ?? "",
    name: call.name,
    status: "error",
    content,
  });
}

/** The id of an action's ToolMessage: always the same, so that a replay replaces and never repeats it. */
export function messageId(actionId: ActionId): string {
  return `tool_${actionId}`;
}

/** True for the id of a result that the gate let through: it gives each one an id. */
export function isOwnMessageId(id: string | undefined): boolean {
  return id?.startsWith("tool_") === true;
}

/** The same message under an id that its serialized form carries too. */
export function withMessageId(message: ToolMessage, id: string): ToolMessage {
  const { additional_kwargs } = message; // may have been set since
  const fields = { ...message.lc_kwargs, additional_kwargs, id };
  return new ToolMessage(fields as ConstructorParameters<typeof ToolMessage>[0]); // its own fields
}

/** What a receipt keeps of a ToolMessage. */
export function toReceiptMessage(message: ToolMessage): JsonObject {
  return {
    content: isPlainJson(message.content) ? message.content : message.text,
    status: message.status ?? "success",
    name: message.name ?? "",
  };
}

/** The receipt of a run whose result is known from elsewhere. */
export function receiptOf(found: {
  readonly status: "succeeded" | "failed";
  readonly content: string;
}): Receipt {
  const { status, content } = found;
  return { status, message: { content, status: status === "failed" ? "error" : "success" } };
}

/** The ToolMessage of a receipt. */
export function fromReceiptMessage(
  actionId: ActionId,
  call: AnsweredCall,
  stored: JsonObject,
): ToolMessage {
  return new ToolMessage({
    id: messageId(actionId),
    tool_call_id: call.id ?? "",
    name: call.name,
    status: stored.status === "error" ? "error" : "success",
    content: stored.content as ToolMessage["content"], // stored from a ToolMessage's own content
  });
}

/** Says on its ToolMessage that a call ran edited; from this the history is put right. */
export function noteEdit(message: ToolMessage, call: Call, notice = false): ToolMessage {
  message.additional_kwargs = { ...message.additional_kwargs, holdpoint: { ranInstead: call } };
  if (notice) message.content = withNotice(message.content);
  return message;
}

function withNotice(content: ToolMessage["content"]): ToolMessage["content"] {
  return typeof content === "string"
    ? `${editNoticeText}\n\n${content}`
    : [{ type: "text", text: editNoticeText }, ...content];
}
