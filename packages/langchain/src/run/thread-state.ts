import type { StateSnapshot } from "@langchain/langgraph";
import type { Json, JsonObject, ReviewView } from "@holdpoint/core";
import type { Engine } from "@holdpoint/engine";
import type { HostedAgent } from "./hosted-agent.ts";
import { graphOf } from "./hosted-agent.ts";
import { toWire } from "./wire.ts";

/** An interrupt that still waits, with the review that answers it. */
export type OpenInterrupt = {
  readonly id: string;
  readonly value: Json;
  readonly namespace: readonly string[];
  readonly review: ReviewView;
};

/** The state of a thread as the hooks read it, and the interrupts that still wait. */
export type ThreadState = { readonly state: JsonObject; readonly open: readonly OpenInterrupt[] };

/** Reads a thread's state in the form of LangGraph's API. Interrupts that are answered are left out. */
export async function readThreadState(
  agent: HostedAgent,
  engine: Engine,
  threadId: string,
): Promise<ThreadState> {
  const snapshot = await graphOf(agent).getState({ configurable: { thread_id: threadId } });
  const open = await openInterrupts(snapshot, engine, threadId);
  const tasks = snapshot.tasks.map((task) => ({
    id: task.id,
    name: String(task.name),
    error: task.error === undefined ? null : "failed",
    interrupts: open
      .filter((one) => task.interrupts.some((interrupt) => interrupt.id === one.id))
      .map(({ id, value, namespace }) => ({ id, value, namespace })),
    path: toWire(task.path),
    checkpoint: null,
    state: null,
    result: toWire(resultOf(task)),
  }));
  return {
    open,
    state: {
      values: toWire(snapshot.values),
      next: snapshot.next.map(String),
      tasks,
      metadata: toWire(snapshot.metadata),
      created_at: snapshot.createdAt ?? null,
      checkpoint: checkpointOf(snapshot.config, threadId),
      parent_checkpoint:
        snapshot.parentConfig === undefined ? null : checkpointOf(snapshot.parentConfig, threadId),
    },
  };
}

/** The interrupts of a snapshot that no task has finished and whose review is open. */
async function openInterrupts(
  snapshot: StateSnapshot,
  engine: Engine,
  threadId: string,
): Promise<readonly OpenInterrupt[]> {
  const open: OpenInterrupt[] = [];
  for (const { id, value } of pendingInterrupts(snapshot)) {
    const review = await engine.reviews.findOfInterrupt(threadId, id);
    if (review?.status === "open") open.push({ id, value: toWire(value), namespace: [], review });
  }
  return open;
}

/** The interrupts of tasks that have no result yet, whatever their reviews say. */
export function pendingInterrupts(
  snapshot: StateSnapshot,
): readonly { readonly id: string; readonly value: unknown }[] {
  return snapshot.tasks
    .filter((task) => resultOf(task) === undefined)
    .flatMap((task) => task.interrupts)
    .flatMap(({ id, value }) => (id === undefined ? [] : [{ id, value }]));
}

/** What a task that has ended wrote; `undefined` while it has not. */
export function resultOf(task: StateSnapshot["tasks"][number]): unknown {
  return "result" in task ? task.result : undefined;
}

function checkpointOf(config: StateSnapshot["config"], threadId: string): JsonObject {
  const { checkpoint_id: id, checkpoint_ns: namespace } = config.configurable ?? {};
  return {
    thread_id: threadId,
    checkpoint_id: typeof id === "string" ? id : null,
    checkpoint_ns: typeof namespace === "string" ? namespace : "",
    checkpoint_map: null,
  };
}
