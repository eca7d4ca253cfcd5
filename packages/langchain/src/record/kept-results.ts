import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

/** New input and the nodes before the model save a few checkpoints after the one that was paused. */
const mostSteps = 8;

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
  let config: RunnableConfig | undefined = {
    configurable: { thread_id: place.threadId, checkpoint_ns: place.namespace },
  };
  for (let step = 0; step < mostSteps && config !== undefined; step += 1) {
    const tuple = await saver.getTuple(config);
    const messages = (tuple?.pendingWrites ?? []).flatMap(([, , value]) => messagesIn(value));
    for (const message of messages)
      if (ToolMessage.isInstance(message)) kept.set(message.tool_call_id, message);
    if (kept.size > 0) break;
    config = tuple?.parentConfig;
  }
  return kept;
}

function messagesIn(value: unknown): readonly BaseMessage[] {
  return Array.isArray(value) ? (value as BaseMessage[]) : []; // other channels have none among theirs
}
