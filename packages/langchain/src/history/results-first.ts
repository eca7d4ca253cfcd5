import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";

/**
 * The messages with each tool result right after its call, as providers demand. What joined the thread
 * while a call was on its way, such as an answered card, follows the results; in the thread itself it
 * stays where it is. The same list again when nothing stands between.
 */
export function resultsFirst(messages: readonly BaseMessage[]): readonly BaseMessage[] {
  if (!messages.some(standsApart)) return messages;
  const ordered: BaseMessage[] = [];
  const between: BaseMessage[] = [];
  const open = new Set<string>();
  let isMoved = false;
  for (const message of messages) {
    if (ToolMessage.isInstance(message) && open.delete(message.tool_call_id)) {
      isMoved ||= between.length > 0;
      ordered.push(message);
      if (open.size === 0) ordered.push(...between.splice(0));
      continue;
    }
    const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
    if (calls.length > 0) {
      ordered.push(...between.splice(0), message);
      open.clear();
      for (const { id } of calls) if (id !== undefined) open.add(id);
    } else if (open.size > 0) between.push(message);
    else ordered.push(message);
  }
  return isMoved ? [...ordered, ...between] : messages;
}

/** True for a tool result that does not follow a call or another result. */
function standsApart(
  message: BaseMessage,
  index: number,
  messages: readonly BaseMessage[],
): boolean {
  const before = messages[index - 1];
  if (message.type !== "tool" || before === undefined || before.type === "tool") return false;
  return !AIMessage.isInstance(before) || (before.tool_calls ?? []).length === 0;
}
