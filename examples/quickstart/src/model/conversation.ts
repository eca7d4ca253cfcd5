import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";

/** A tool call that was made, with its result once there is one. */
export type PastCall = {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: PastResult | undefined;
};

/** How a tool call ended, as far as its tool message tells. */
type PastResult =
  | { readonly type: "done"; readonly text: string }
  | { readonly type: "failed"; readonly text: string }
  | { readonly type: "rejected"; readonly reason: string | undefined };

/** What the user last asked for, and the rounds of tool calls made for it so far. */
export type Conversation = {
  readonly request: string;
  readonly rounds: readonly (readonly PastCall[])[];
};

/** Reads the part of a thread that matters for the next turn: all since the last human message. */
export function conversationIn(messages: readonly BaseMessage[]): Conversation {
  const start = messages.findLastIndex((message) => HumanMessage.isInstance(message));
  const since = messages.slice(start + 1);
  const results = new Map(
    since
      .filter((message) => ToolMessage.isInstance(message))
      .map((message) => [message.tool_call_id, message]),
  );
  const rounds = since
    .filter((message) => AIMessage.isInstance(message))
    .map(({ tool_calls: calls = [] }) =>
      calls.map(({ id = "", name, args }): PastCall => {
        const message = results.get(id);
        return { name, args, result: message && resultOf(message, name) };
      }),
    )
    .filter((calls) => calls.length > 0);
  return { request: messages[start]?.text ?? "", rounds };
}

/** The two texts Holdpoint sends for a rejection, and LangChain's own. */
const REJECTED =
  /^The reviewer rejected this call to `[^`]*`(?::\s*(?<reason>[\s\S]*?))?[.。\s]*The tool was not executed\b/;
const OTHERWISE_REJECTED = /^(?:the )?(?:user|reviewer|person) (?:has )?rejected\b|拒绝了/i;

function resultOf(message: ToolMessage, tool: string): PastResult {
  const { text } = message;
  if (message.status === "error") {
    const rejected = REJECTED.exec(text);
    if (rejected)
      return { type: "rejected", reason: rejected.groups?.["reason"]?.trim() || undefined };
    if (OTHERWISE_REJECTED.test(text)) return { type: "rejected", reason: undefined };
    return { type: "failed", text };
  }
  // An answer may begin with "Error:", too; the other tools report failures that way.
  return text.startsWith("Error:") && tool !== "ask_user"
    ? { type: "failed", text }
    : { type: "done", text };
}
