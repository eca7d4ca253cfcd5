import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";

/** The messages after the last one that a person wrote. */
export function sinceLastHuman(messages: readonly BaseMessage[]): readonly BaseMessage[] {
  const last = messages.findLastIndex((message) => HumanMessage.isInstance(message));
  return messages.slice(last + 1);
}

/** The last message with tool calls, where it stands, and the results that follow it. */
export type LastTurn = {
  readonly message: AIMessage;
  readonly index: number;
  /** One past its last result. */
  readonly end: number;
  readonly results: ReadonlyMap<string, ToolMessage>;
};

/** Finds the last message with tool calls; answered cards may stand after it. */
export function lastTurn(messages: readonly BaseMessage[]): LastTurn | undefined {
  const index = messages.findLastIndex(hasCalls);
  const message = messages[index];
  if (!AIMessage.isInstance(message)) return undefined;
  const after = messages.slice(index + 1);
  const results = new Map<string, ToolMessage>();
  for (const one of after) if (ToolMessage.isInstance(one)) results.set(one.tool_call_id, one);
  const firstOther = after.findIndex((one) => !ToolMessage.isInstance(one));
  const end = index + 1 + (firstOther === -1 ? after.length : firstOther);
  return { message, index, end, results };
}

function hasCalls(message: BaseMessage): boolean {
  return AIMessage.isInstance(message) && (message.tool_calls ?? []).length > 0;
}
