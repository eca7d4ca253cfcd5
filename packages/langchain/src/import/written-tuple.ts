import {
  type CheckpointTuple,
  INTERRUPT,
  type PendingWrite,
} from "@langchain/langgraph-checkpoint";
import type { Apart, CheckpointKey, StoredCheckpoint } from "@holdpoint/engine";
import { isWaiting } from "../checkpoints/checkpoint-format.ts";
import type { ThreadMemory } from "../checkpoints/thread-memory.ts";
import { type Written, writtenCheckpoint, writtenTask } from "../checkpoints/written.ts";
import { keyOf } from "./import-source.ts";

/** A checkpoint with its pending writes, as they are stored here. */
export type WrittenTuple = {
  readonly checkpoint: StoredCheckpoint;
  readonly apart: Apart;
  readonly tasks: readonly Written[];
  /** All of it is on disk. */
  readonly stored: () => void;
};

/** Writes a checkpoint the way the checkpointer does. Throws one sentence for what cannot be stored as it is. */
export function writtenTuple(
  memory: ThreadMemory,
  tuple: CheckpointTuple,
  key: CheckpointKey,
): WrittenTuple {
  const { threadId, namespace } = key;
  const parentId = tuple.parentConfig === undefined ? "" : keyOf(tuple.parentConfig).id;
  const { checkpoint, metadata = {}, pendingWrites = [] } = tuple;
  const { body, ...apart } = writtenCheckpoint(memory, {
    checkpoint,
    namespace,
    isFirst: parentId === "",
    newVersions: undefined,
  });
  const tasks = inPlace(byTask(pendingWrites)).map(([taskId, taskPath, writes]) =>
    writtenTask(memory, { writes, threadId, taskId, taskPath }),
  );
  return {
    checkpoint: {
      ...key,
      ...(parentId === "" ? {} : { parentId }),
      body,
      metadata: JSON.stringify(metadata),
    },
    apart,
    tasks,
    stored: () => {
      for (const { stored } of [apart, ...tasks]) stored();
    },
  };
}

type TaskWrites = readonly [taskId: string, writes: PendingWrite[]];

function byTask(pending: NonNullable<CheckpointTuple["pendingWrites"]>): readonly TaskWrites[] {
  const tasks = new Map<string, PendingWrite[]>();
  for (const [taskId, channel, value] of pending)
    tasks.set(taskId, [...(tasks.get(taskId) ?? []), [channel, value]]);
  return [...tasks];
}

/**
 * A checkpointer tells the order of the tasks, but not the paths that made it. Writes are ordered by path and
 * then by id; so where the ids alone would put them otherwise, their places are their paths.
 */
function inPlace(
  tasks: readonly TaskWrites[],
): readonly (readonly [taskId: string, taskPath: string, writes: PendingWrite[]])[] {
  const isById = tasks.every(([id], index) => index === 0 || (tasks[index - 1]?.[0] ?? "") < id);
  return tasks.map(([id, writes], index) => [
    id,
    isById ? "" : String(index).padStart(10, "0"),
    writes,
  ]);
}

/** Ids of the interrupts of a checkpoint's tasks that have no result yet. */
export function pendingInterruptsOf(tuple: CheckpointTuple): readonly string[] {
  const ids: string[] = [];
  for (const [, writes] of byTask(tuple.pendingWrites ?? [])) {
    if (!isWaiting(writes.map(([channel]) => channel))) continue;
    for (const [channel, value] of writes)
      if (channel === INTERRUPT && Array.isArray(value))
        ids.push(...value.map((one: { id?: string }) => one.id ?? "")); // LangGraph's own
  }
  return ids;
}
