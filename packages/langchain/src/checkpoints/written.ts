import {
  type ChannelVersions,
  type Checkpoint,
  INTERRUPT,
  type PendingWrite,
  WRITES_IDX_MAP,
} from "@langchain/langgraph-checkpoint";
import type { ReviewDraft } from "@holdpoint/core";
import type { StoredPart, StoredWrite, TaskWrites } from "@holdpoint/engine";
import { type RaisedInterrupt, reviewOf } from "../pause/interrupt-payload.ts";
import { writeBody, writeValue } from "./checkpoint-body.ts";
import { createWriting, partType, type Writing } from "./references.ts";
import { rememberVersions, type ThreadMemory, versionKey } from "./thread-memory.ts";

/** What goes to the database apart, and what to call when it is there. */
type Apart = {
  readonly parts: readonly StoredPart[];
  readonly shapes: readonly StoredPart[];
  readonly refers: readonly string[];
  readonly stored: () => void;
};

/** A task's writes as they are stored, with the reviews that its interrupts open. */
export type Written = TaskWrites & Apart;

/**
 * A checkpoint as it is stored. A channel that did not change has the value it had: the one it has now, or, at
 * the beginning of a thread, where nothing can have been stored under its version, none; unless it is an object,
 * which may have been changed in place.
 */
export function writtenCheckpoint(
  memory: ThreadMemory,
  {
    checkpoint,
    namespace,
    isFirst,
    newVersions,
  }: {
    readonly checkpoint: Checkpoint;
    readonly namespace: string;
    readonly isFirst: boolean;
    readonly newVersions: ChannelVersions | undefined;
  },
): Apart & { readonly body: string } {
  const { channel_versions: versions, channel_values: values } = checkpoint;
  const has = (channel: string): boolean =>
    !isFirst ||
    newVersions === undefined ||
    Object.hasOwn(newVersions, channel) ||
    typeof values[channel] === "object" ||
    memory.versions.has(versionKey(namespace, channel, versions));
  const writing = createWriting(memory);
  const body = writeBody(checkpoint, writing, has);
  const apart = apartOf(writing);
  const stored = (): void => {
    apart.stored();
    rememberVersions(memory, namespace, Object.keys(values).filter(has), versions);
  };
  return { body, ...apart, stored };
}

/** The pending writes of a task as they are stored. */
export function writtenTask(
  memory: ThreadMemory,
  task: {
    readonly writes: readonly PendingWrite[];
    readonly threadId: string;
    readonly taskId: string;
    readonly taskPath: string;
  },
): Written {
  const { threadId, taskId, taskPath } = task;
  const writing = createWriting(memory);
  const writes = task.writes.map(([channel, value], index): StoredWrite => ({
    taskId,
    index: WRITES_IDX_MAP[channel] ?? index,
    channel,
    taskPath,
    type: partType,
    value: Buffer.from(writeValue(channel, value, writing)),
  }));
  return { writes, reviews: reviewsIn(task.writes, { threadId, taskId }), ...apartOf(writing) };
}

function apartOf({ parts, shapes, refers, stored }: Writing): Apart {
  return { parts: [...parts.values()], shapes: [...shapes.values()], refers: [...refers], stored };
}

function reviewsIn(
  writes: readonly PendingWrite[],
  raisedIn: { readonly threadId: string; readonly taskId: string },
): readonly ReviewDraft[] {
  return writes
    .filter(([channel]) => channel === INTERRUPT)
    .flatMap(([, value]) => (Array.isArray(value) ? (value as RaisedInterrupt[]) : [])) // LangGraph's own
    .flatMap((interrupt) => reviewOf(interrupt, raisedIn) ?? []);
}
