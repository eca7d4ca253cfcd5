import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { recentCheckpoints } from "./recent-checkpoints.ts";

/**
 * The results that the tools of a pause had written when new input came. LangGraph drops them from the
 * thread; the paused checkpoint still has them beside it.
 */
export async function keptResults(
  saver: BaseCheckpointSaver | undefined,
  place: { readonly threadId: string; readonly namespace: string },
): Promise<ReadonlyMap<string, ToolMessage>> {
  const kept = new Map<string, ToolMessage>();
  if (saver === undefined) return kept;
  for await (const tuple of recentCheckpoints(saver, place)) {
    const messages = (tuple.pendingWrites ?? []).flatMap(([, , value]) => messagesIn(value));
    for (const message of messages)
      if (ToolMessage.isInstance(message)) kept.set(message.tool_call_id, message);
    if (kept.size > 0) break;
  }
  return kept;
}

function messagesIn(value: unknown): readonly BaseMessage[] {
  return Array.isArray(value) ? (value as BaseMessage[]) : []; // other channels have none among theirs
}
