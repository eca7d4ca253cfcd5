import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";

/** A tool call that was made, with its result once there is one. */
export type PastCall = {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: PastResult | undefined;
};

/** How a tool call ended, as far as its tool message tells. */
export type PastResult =
  | { readonly type: "done"; readonly text: string }
  /** A person answered in place of the tool. */
  | { readonly type: "answered"; readonly text: string }
  | { readonly type: "failed"; readonly text: string }
  /** Known not to have run; `text` says why, if anything does. */
  | { readonly type: "stopped"; readonly text: string }
  /** Nobody knows whether it ran: a person left it at that, or it was stopped halfway. */
  | {
      readonly type: "unknown";
      readonly cause: "left" | "stopped";
      readonly reason: string | undefined;
    }
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
const LEFT_UNKNOWN =
  /^This call to `[^`]*` was started once and nobody knows whether it finished; the reviewer decided not to run it again(?::\s*(?<reason>[\s\S]*?))?[.。]?\s*Do not assume that it ran/;
const STOPPED_UNKNOWN =
  /^This call to `[^`]*` was stopped and its result is not known|^Error: what `[^`]*` did could not be recorded/;
const STOPPED =
  /^This call to `[^`]*` was stopped(?:: (?<why>[\s\S]*?) The tool was not executed\.$| before it ran)/;
/** The start of a failure: as Holdpoint words it, as LangChain does, or as a tool's own text. */
const FAILURE = /^Error:\s*(?:`[^`]*` failed:\s*)?/;
const OTHERWISE_REJECTED = /^(?:the )?(?:user|reviewer|person) (?:has )?rejected\b|拒绝了/i;

function resultOf(message: ToolMessage, tool: string): PastResult {
  const { text } = message;
  if (message.status === "error") {
    const rejected = REJECTED.exec(text);
    if (rejected)
      return { type: "rejected", reason: rejected.groups?.["reason"]?.trim() || undefined };
    if (OTHERWISE_REJECTED.test(text)) return { type: "rejected", reason: undefined };
    const left = LEFT_UNKNOWN.exec(text);
    if (left) {
      const reason = left.groups?.["reason"]?.trim() || undefined;
      return { type: "unknown", cause: "left", reason };
    }
    if (STOPPED_UNKNOWN.test(text)) return { type: "unknown", cause: "stopped", reason: undefined };
    const stopped = STOPPED.exec(text);
    if (stopped) return { type: "stopped", text: stopped.groups?.["why"] ?? "" };
    return { type: "failed", text: failureIn(text) };
  }
  if (isAnswered(message) && tool !== "ask_user") return { type: "answered", text };
  // An answer may begin with "Error:", too; the other tools report failures that way.
  return text.startsWith("Error:") && tool !== "ask_user"
    ? { type: "failed", text: failureIn(text) }
    : { type: "done", text };
}

function failureIn(text: string): string {
  return text.replace(FAILURE, "").replace(/\s*Please fix your mistakes\.\s*$/, "");
}

/** Whether a person answered the call; the note is LangChain's own. */
function isAnswered({ additional_kwargs: { lc_data: data } }: ToolMessage): boolean {
  return (
    typeof data === "object" && data !== null && "decision" in data && data.decision === "respond"
  );
}
