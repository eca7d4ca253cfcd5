import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";

/** The messages after the last one that a person wrote. */
export function sinceLastHuman(messages: readonly BaseMessage[]): readonly BaseMessage[] {
  const last = messages.findLastIndex((message) => HumanMessage.isInstance(message));
  return messages.slice(last + 1);
}

/** The last message with tool calls, where it stands, and what follows it up to its last result. */
export type LastTurn = {
  readonly message: AIMessage;
  readonly index: number;
  /** One past its last result. */
  readonly end: number;
  readonly results: ReadonlyMap<string, ToolMessage>;
  /** What stands in front of one of the results: an answered card, which joins the thread before them. */
  readonly others: readonly BaseMessage[];
};

/** Finds the last message with tool calls, unless all of them have a result and the model has spoken since. */
export function lastTurn(messages: readonly BaseMessage[]): LastTurn | undefined {
  const index = messages.findLastIndex(hasCalls);
  const message = messages[index];
  if (!AIMessage.isInstance(message)) return undefined;
  const after = messages.slice(index + 1);
  const results = new Map<string, ToolMessage>();
  for (const one of after) if (ToolMessage.isInstance(one)) results.set(one.tool_call_id, one);
  const count = after.findLastIndex((one) => ToolMessage.isInstance(one)) + 1;
  const isComplete = (message.tool_calls ?? []).every(({ id }) => results.has(id ?? ""));
  if (isComplete && after.slice(count).some((one) => AIMessage.isInstance(one))) return undefined;
  const others = after.slice(0, count).filter((one) => !ToolMessage.isInstance(one));
  return { message, index, end: index + 1 + count, results, others };
}

function hasCalls(message: BaseMessage): boolean {
  return AIMessage.isInstance(message) && (message.tool_calls ?? []).length > 0;
}
