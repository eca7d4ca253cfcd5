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
    for (const [, channel, value] of tuple?.pendingWrites ?? []) {
      if (channel !== interruptChannel || !Array.isArray(value)) continue;
      for (const interrupt of value as { id?: string; value?: unknown }[]) {
        const draft = reviewOf(interrupt, place.threadId); // LangGraph's own list
        if (draft !== undefined && draft.agent !== "") await record.openReview(draft);
      }
    }
  }
}

/**
 * True when a task of the thread waits under an interrupt that its checkpoint keeps: one that a tool has
 * raised itself is in no record.
 */
export async function isPausedUnder(
  saver: BaseCheckpointSaver,
  place: { readonly threadId: string; readonly namespace: string },
  interruptId: string,
): Promise<boolean> {
  for (const namespace of new Set(["", place.namespace])) {
    const config = { configurable: { thread_id: place.threadId, checkpoint_ns: namespace } };
    const writes = (await saver.getTuple(config))?.pendingWrites ?? [];
    // An interrupt stays beside its checkpoint when its task is done.
    const done = new Set(writes.flatMap(([task, name]) => (name.startsWith("__") ? [] : [task])));
    for (const [task, channel, value] of writes) {
      if (channel !== interruptChannel || done.has(task) || !Array.isArray(value)) continue;
      if (value.some((one: { id?: string }) => one.id === interruptId)) return true; // LangGraph's own list
    }
  }
  return false;
}
