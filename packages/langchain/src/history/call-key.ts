import { AIMessage, type BaseMessage, HumanMessage } from "@langchain/core/messages";
import type { CallKey } from "@holdpoint/core";

/** Finds the AI message whose tool call this is, from the messages a task was given. */
export function turnOf(
  messages: readonly BaseMessage[],
  toolCallId: string | undefined,
): AIMessage | undefined {
  return messages.findLast(
    (message): message is AIMessage =>
      AIMessage.isInstance(message) &&
      (message.tool_calls ?? []).some((call) => call.id === toolCallId),
  );
}

/** Names a tool call for good, or `undefined` when the thread or its AI message is not known. */
export function callKey(
  threadId: unknown,
  messages: readonly BaseMessage[],
  toolCallId: string | undefined,
): CallKey | undefined {
  const turnId = turnOf(messages, toolCallId)?.id;
  if (typeof threadId !== "string" || turnId === undefined || toolCallId === undefined)
    return undefined;
  return { threadId, turnId, toolCallId };
}

/** The same as one text, for what this process remembers of a call; every call makes it a few times. */
export function nameOfCall({ threadId, turnId, toolCallId }: CallKey): string {
  return `${threadId.length} ${turnId.length} ${threadId}${turnId}${toolCallId}`;
}

/** How much of the person's request a review quotes, in characters. */
const quoteLimit = 500;

/** What the person asked for last, as plain text. */
export function askedFor(messages: readonly BaseMessage[]): string | undefined {
  const text = messages.findLast((message) => HumanMessage.isInstance(message))?.text.trim();
  if (text === undefined || text === "") return undefined;
  const characters = Array.from(text); // never half of a character
  return characters.length > quoteLimit ? `${characters.slice(0, quoteLimit).join("")}…` : text;
}
