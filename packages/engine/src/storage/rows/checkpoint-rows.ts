import type {
  LoadedCheckpoint,
  StoredCheckpoint,
  StoredPart,
  StoredWrite,
  WrittenChannel,
} from "../storage.ts";
import { optionalText, type Row } from "./row.ts";

/** A checkpoint from its row. */
export function checkpointFrom(row: Row): StoredCheckpoint {
  const parentId = optionalText(row.parent_id);
  return {
    threadId: String(row.thread_id),
    namespace: String(row.namespace),
    id: String(row.id),
    ...(parentId === undefined ? {} : { parentId }),
    body: String(row.body),
    metadata: String(row.metadata),
  };
}

/** What follows `WITH found AS (one checkpoint)`, for `loadedFrom`: its row, then one for each pending write in this table. */
export function rowsOfFound(writes: string): string {
  return `SELECT 0 AS place, thread_id, namespace, id, parent_id, body, metadata, NULL AS task_id, NULL AS idx,
      NULL AS channel, NULL AS task_path, NULL AS type, NULL AS value FROM found
    UNION ALL SELECT 1, NULL, NULL, NULL, NULL, NULL, NULL, w.task_id, w.idx, w.channel, w.task_path, w.type, w.value
      FROM found JOIN ${writes} AS w
        ON w.thread_id = found.thread_id AND w.namespace = found.namespace AND w.checkpoint_id = found.id
    ORDER BY place, task_path, task_id, idx`;
}

/** A checkpoint from its row, and its pending writes from the rows after it. */
export function loadedFrom([row, ...writes]: readonly Row[]): LoadedCheckpoint | undefined {
  return row === undefined
    ? undefined
    : { checkpoint: checkpointFrom(row), writes: writes.map(writeFrom) };
}

/** A stored part from its row. */
export function partFrom(row: Row): StoredPart {
  const before = optionalText(row.before);
  return {
    hash: String(row.hash),
    type: String(row.type),
    value: bytes(row.value),
    ...(before === undefined ? {} : { before }),
  };
}

/** A pending write from its row. */
export function writeFrom(row: Row): StoredWrite {
  return {
    taskId: String(row.task_id),
    index: Number(row.idx),
    channel: String(row.channel),
    taskPath: String(row.task_path),
    type: String(row.type),
    value: bytes(row.value),
  };
}

/** A channel that was written to, from its row. */
export function writtenFrom(row: Row): WrittenChannel {
  return {
    namespace: String(row.namespace),
    id: String(row.checkpoint_id),
    taskId: String(row.task_id),
    channel: String(row.channel),
  };
}

/** A plain view of the bytes: `pg` gives a Buffer, which is not equal to other arrays of the same bytes. */
function bytes(value: unknown): Uint8Array {
  return value instanceof Uint8Array
    ? new Uint8Array(value.buffer, value.byteOffset, value.byteLength)
    : new Uint8Array();
}
