import {
  type BaseCheckpointSaver,
  type CheckpointPendingWrite,
  ERROR,
  INTERRUPT,
  RESUME,
} from "@langchain/langgraph-checkpoint";
import type { Holdpoint, ReviewDraft } from "@holdpoint/core";
import { reviewOf } from "../pause/interrupt-payload.ts";
import type { ProcessRecord } from "./process-record.ts";
import { recentCheckpoints } from "./recent-checkpoints.ts";

/**
 * Takes the reviews of a thread's pause back from its checkpoints: the value of an interrupt is the review
 * as it was shown. One whose task has ended since was answered: what it was answered stands beside it.
 * Looks at the thread's own checkpoint and at that of the asking subgraph.
 */
export async function takeBackPauses(
  record: ProcessRecord,
  saver: BaseCheckpointSaver,
  place: { readonly threadId: string; readonly namespace: string },
): Promise<void> {
  for (const namespace of new Set(["", place.namespace])) {
    const config = { configurable: { thread_id: place.threadId, checkpoint_ns: namespace } };
    const { pendingWrites = [] } = (await saver.getTuple(config)) ?? {};
    for (const { taskId, draft } of draftsIn(pendingWrites, place.threadId)) {
      const writes = pendingWrites.filter(([id]) => id === taskId);
      if (writes.every(([, channel]) => channelsOfPauses.has(channel)))
        await record.openReview(draft);
      else record.restoreAnswered(draft, answersIn(writes)[draft.raised.votes]);
    }
  }
}

/**
 * Takes back the review of a whole turn that new input has dropped from the thread, for a process that
 * never saw it: from the very checkpoint that the input left, because earlier ones keep decided pauses.
 */
export async function takeBackDropped(
  record: Holdpoint,
  saver: BaseCheckpointSaver,
  turn: { readonly threadId: string; readonly namespace: string; readonly turnId: string },
): Promise<void> {
  let isLeft = false;
  for await (const { pendingWrites = [], metadata } of recentCheckpoints(saver, turn)) {
    if (isLeft) {
      if (answersIn(pendingWrites).length > 0) return; // then its calls may have started
      for (const { draft } of draftsIn(pendingWrites, turn.threadId))
        if (draft.turnId === turn.turnId) await record.openReview(draft);
      return;
    }
    isLeft = metadata?.source === "input";
  }
}

type Write = CheckpointPendingWrite;

/** What LangGraph writes for a task that has not ended: what it asks, what it was answered, how it failed. */
const channelsOfPauses = new Set([INTERRUPT, RESUME, ERROR]);

/** The resume values among the writes. */
function answersIn(writes: readonly Write[]): readonly unknown[] {
  return writes.flatMap(([, channel, value]) => (channel === RESUME ? value : []));
}

/** The reviews of the interrupts among the writes; what tools ask is not among them. */
function draftsIn(
  writes: readonly Write[],
  threadId: string,
): readonly { readonly taskId: string; readonly draft: ReviewDraft }[] {
  return writes
    .filter(([, channel]) => channel === INTERRUPT)
    .flatMap(([taskId, , value]) =>
      (value as { id?: string; value?: unknown }[]) // LangGraph's own list
        .flatMap((interrupt) => reviewOf(interrupt, { threadId, taskId }) ?? [])
        .map((draft) => ({ taskId, draft })),
    )
    .filter(({ draft }) => draft.agent !== "");
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
    .filter(([taskId, channel]) => taskId === task.id && channel === INTERRUPT)
    .flatMap(([, , value]) => value as { id?: string }[]) // LangGraph's own list
    .flatMap(({ id }) => id ?? []);
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
      if (channel !== INTERRUPT || done.has(task) || !Array.isArray(value)) continue;
      if (value.some((one: { id?: string }) => one.id === interruptId)) return true; // LangGraph's own list
    }
  }
  return false;
}
