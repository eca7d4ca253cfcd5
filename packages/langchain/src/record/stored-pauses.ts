import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import type { Holdpoint } from "@holdpoint/core";
import { reviewOf } from "../gate/interrupt-payload.ts";

const interruptChannel = "__interrupt__";

/**
 * Takes the reviews that wait on a thread back from its checkpoints: the value of an interrupt is the
 * review as it was shown. Looks at the thread's own checkpoint and at that of the asking subgraph.
 */
export async function takeBackPauses(
  record: Holdpoint,
  saver: BaseCheckpointSaver,
  place: { readonly threadId: string; readonly namespace: string },
): Promise<void> {
  for (const namespace of new Set(["", place.namespace])) {
    const config = { configurable: { thread_id: place.threadId, checkpoint_ns: namespace } };
    const tuple = await saver.getTuple(config);
    for (const [taskId, channel, value] of tuple?.pendingWrites ?? []) {
      if (channel !== interruptChannel || !Array.isArray(value)) continue;
      for (const interrupt of value as { id?: string; value?: unknown }[]) {
        const draft = reviewOf(interrupt, { threadId: place.threadId, taskId }); // LangGraph's own list
        if (draft !== undefined && draft.agent !== "") await record.openReview(draft);
      }
    }
  }
}

/** The ids of the interrupts that a task waits under. */
export async function interruptsOf(task: {
  readonly id: string;
  readonly saver: BaseCheckpointSaver | undefined;
  readonly threadId: string | undefined;
  readonly namespace: string;
}): Promise<readonly string[]> {
  const { saver, threadId, namespace } = task;
  const config = { configurable: { thread_id: threadId, checkpoint_ns: namespace } };
  const tuple = await saver?.getTuple(config);
  return (tuple?.pendingWrites ?? [])
    .filter(([taskId, channel]) => taskId === task.id && channel === interruptChannel)
    .flatMap(([, , value]) => value as { id?: string }[]) // LangGraph's own list
    .flatMap(({ id }) => id ?? []);
}
