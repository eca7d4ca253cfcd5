import { checkpointFrom, partFrom, writeFrom } from "../rows/checkpoint-rows.ts";
import type { Statements } from "./statements.ts";
import type { Reading, Writing } from "../storage.ts";

type CheckpointReading = Pick<
  Reading,
  "findCheckpoint" | "listCheckpoints" | "findParts" | "writesOf"
>;
type CheckpointWriting = Pick<Writing, "putCheckpoint" | "putWrites" | "deleteCheckpoints">;

/** Reads checkpoints, their parts and their pending writes. */
export function readCheckpoints(sql: Statements): CheckpointReading {
  return {
    findCheckpoint: async (threadId, namespace, id) => {
      const row =
        id === undefined
          ? await sql.get(
              `SELECT * FROM holdpoint.checkpoints WHERE thread_id = $1 AND namespace = $2 ORDER BY id DESC LIMIT 1`,
              threadId,
              namespace,
            )
          : await sql.get(
              `SELECT * FROM holdpoint.checkpoints WHERE thread_id = $1 AND namespace = $2 AND id = $3`,
              threadId,
              namespace,
              id,
            );
      return row === undefined ? undefined : checkpointFrom(row);
    },
    // The plan is made for the values at hand, so a condition on nothing costs nothing.
    listCheckpoints: async (query) =>
      (
        await sql.all(
          `SELECT * FROM holdpoint.checkpoints
           WHERE ($1::text IS NULL OR thread_id = $1) AND ($2::text IS NULL OR namespace = $2)
             AND ($3::text IS NULL OR id = $3) AND ($4::text IS NULL OR id < $4)
           ORDER BY id DESC LIMIT $5`,
          query.threadId,
          query.namespace,
          query.id,
          query.before,
          query.limit,
        )
      ).map(checkpointFrom),
    findParts: async (threadId, hashes) => {
      const rows = await sql.all(
        `SELECT hash, type, value FROM holdpoint.checkpoint_parts
         WHERE thread_id = $1 AND hash = ANY ($2)`,
        threadId,
        [...new Set(hashes)],
      );
      return new Map(rows.map((row) => [String(row.hash), partFrom(row)]));
    },
    writesOf: async (key) =>
      (
        await sql.all(
          `SELECT * FROM holdpoint.checkpoint_writes WHERE thread_id = $1 AND namespace = $2 AND checkpoint_id = $3
           ORDER BY task_path, task_id, idx`,
          key.threadId,
          key.namespace,
          key.id,
        )
      ).map(writeFrom),
  };
}

/** Writes checkpoints; a part that is already stored is not stored again. */
export function writeCheckpoints(sql: Statements): CheckpointWriting {
  return {
    putCheckpoint: async (checkpoint, parts) => {
      if (parts.length > 0) {
        await sql.run(
          `INSERT INTO holdpoint.checkpoint_parts (thread_id, hash, type, value)
           SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bytea[]) ON CONFLICT DO NOTHING`,
          checkpoint.threadId,
          parts.map((part) => part.hash),
          parts.map((part) => part.type),
          parts.map((part) => part.value),
        );
      }
      await sql.run(
        `INSERT INTO holdpoint.checkpoints (thread_id, namespace, id, parent_id, body, metadata)
         VALUES ($1, $2, $3, $4, $5, $6)
         ON CONFLICT (thread_id, namespace, id) DO UPDATE
           SET parent_id = excluded.parent_id, body = excluded.body, metadata = excluded.metadata`,
        checkpoint.threadId,
        checkpoint.namespace,
        checkpoint.id,
        checkpoint.parentId,
        checkpoint.body,
        checkpoint.metadata,
      );
    },
    // A special channel (negative index) is replaced, an ordinary write is kept as it was first made.
    putWrites: async (key, writes) => {
      for (const write of writes) {
        await sql.run(
          `INSERT INTO holdpoint.checkpoint_writes AS known
             (thread_id, namespace, checkpoint_id, task_id, idx, channel, task_path, type, value)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
           ON CONFLICT (thread_id, namespace, checkpoint_id, task_id, idx) DO UPDATE
             SET channel = excluded.channel, task_path = excluded.task_path, type = excluded.type,
               value = excluded.value
             WHERE known.idx < 0`,
          key.threadId,
          key.namespace,
          key.id,
          write.taskId,
          write.index,
          write.channel,
          write.taskPath,
          write.type,
          write.value,
        );
      }
    },
    deleteCheckpoints: async (threadId) => {
      await sql.run(`DELETE FROM holdpoint.checkpoints WHERE thread_id = $1`, threadId);
      await sql.run(`DELETE FROM holdpoint.checkpoint_parts WHERE thread_id = $1`, threadId);
      await sql.run(`DELETE FROM holdpoint.checkpoint_writes WHERE thread_id = $1`, threadId);
    },
  };
}
