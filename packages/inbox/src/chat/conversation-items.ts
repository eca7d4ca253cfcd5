import type { AIMessage, BaseMessage, ToolMessage } from "@langchain/core/messages";
import { isPlainJson, type Json, type JsonObject } from "@holdpoint/core";

/** How a tool call ended, as its tool message says. */
export type ToolResult = {
  readonly status: "success" | "error";
  readonly text: string;
  /** The arguments that it ran with, when a person had changed them. */
  readonly ranWith?: JsonObject;
};

/** One thing in a conversation, ready to be shown. */
export type ConversationItem =
  | { readonly type: "human"; readonly id: string; readonly text: string }
  | { readonly type: "ai"; readonly id: string; readonly text: string }
  | {
      readonly type: "tool";
      /** The tool call's id. */
      readonly id: string;
      readonly name: string;
      readonly args: Readonly<Record<string, unknown>>;
      /** Absent while the call has not ended. */
      readonly result?: ToolResult;
    };

/** Turns messages into what is shown: texts as they are, each tool call joined with its result. */
export function conversationItems(messages: readonly BaseMessage[]): ConversationItem[] {
  const results = new Map(
    messages.filter(isTool).map((message) => [message.tool_call_id, resultOf(message)]),
  );
  return messages.flatMap((message, index) => {
    const id = message.id ?? `message-${index}`;
    if (message.type === "human") return [{ type: "human", id, text: message.text }];
    if (!isAi(message)) return [];
    const text = message.text.trim();
    const calls = (message.tool_calls ?? []).map((call, position): ConversationItem => {
      const result = call.id === undefined ? undefined : results.get(call.id);
      return {
        type: "tool",
        id: call.id ?? `${id}-${position}`,
        name: call.name,
        args: call.args,
        ...(result === undefined ? {} : { result }),
      };
    });
    return text === "" ? calls : [{ type: "ai", id, text }, ...calls];
  });
}

function resultOf(message: ToolMessage): ToolResult {
  const ranWith = editedArgs(message.additional_kwargs["holdpoint"]);
  return {
    status: message.status === "error" ? "error" : "success",
    text: message.text,
    ...(ranWith === undefined ? {} : { ranWith }),
  };
}

/** Reads `{ ranInstead: { args } }`, which Holdpoint leaves on the message of a call that ran edited. */
function editedArgs(note: unknown): JsonObject | undefined {
  if (!isPlainJson(note) || !isObject(note)) return undefined;
  const call = note["ranInstead"];
  const args = isObject(call) ? call["args"] : undefined;
  return isObject(args) ? args : undefined;
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isAi(message: BaseMessage): message is AIMessage {
  return message.type === "ai";
}

function isTool(message: BaseMessage): message is ToolMessage {
  return message.type === "tool";
}
