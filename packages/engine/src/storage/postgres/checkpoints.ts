import { checkpointFrom, partFrom, writeFrom } from "../rows/checkpoint-rows.ts";
import type { Statements } from "./statements.ts";
import type { Reading, Writing } from "../storage.ts";

type CheckpointReading = Pick<
  Reading,
  "findCheckpoint" | "listCheckpoints" | "findParts" | "findChain" | "missingParts" | "writesOf"
>;
type CheckpointWriting = Pick<
  Writing,
  "putCheckpoint" | "insertParts" | "putWrites" | "deleteCheckpoints"
>;

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
        `SELECT hash, type, value, before FROM holdpoint.checkpoint_parts
         WHERE thread_id = $1 AND hash = ANY ($2)`,
        threadId,
        [...new Set(hashes)],
      );
      return new Map(rows.map((row) => [String(row.hash), partFrom(row)]));
    },
    findChain: async (threadId, hash) => {
      const rows = await sql.all(
        `WITH RECURSIVE chain (hash, type, value, before, place) AS (
           SELECT hash, type, value, before, 0 FROM holdpoint.checkpoint_parts WHERE thread_id = $1 AND hash = $2
           UNION ALL SELECT p.hash, p.type, p.value, p.before, chain.place + 1 FROM chain
             JOIN holdpoint.checkpoint_parts AS p ON p.thread_id = $1 AND p.hash = chain.before
         ) SELECT hash, type, value, before FROM chain ORDER BY place DESC`,
        threadId,
        hash,
      );
      return rows.map(partFrom);
    },
    missingParts: async (threadId, hashes) => {
      const rows = await sql.all(
        `SELECT hash FROM unnest($2::text[]) AS asked (hash) WHERE NOT EXISTS
           (SELECT 1 FROM holdpoint.checkpoint_parts AS p WHERE p.thread_id = $1 AND p.hash = asked.hash)`,
        threadId,
        hashes,
      );
      return rows.map((row) => String(row.hash));
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
  const insertParts: Writing["insertParts"] = async (threadId, parts) => {
    if (parts.length === 0) return;
    await sql.run(
      `INSERT INTO holdpoint.checkpoint_parts (thread_id, hash, type, value, before)
       SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bytea[], $5::text[]) ON CONFLICT DO NOTHING`,
      threadId,
      parts.map((part) => part.hash),
      parts.map((part) => part.type),
      parts.map((part) => part.value),
      parts.map((part) => part.before),
    );
  };
  return {
    insertParts,
    putCheckpoint: async (checkpoint, parts) => {
      await insertParts(checkpoint.threadId, parts);
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
      if (writes.length === 0) return;
      // Of several under one key the first ordinary one counts, and the last special one.
      const byKey = new Map<string, (typeof writes)[number]>();
      for (const write of writes) {
        const place = JSON.stringify([write.taskId, write.index]);
        if (write.index < 0 || !byKey.has(place)) byKey.set(place, write);
      }
      const rows = [...byKey.values()];
      await sql.run(
        `INSERT INTO holdpoint.checkpoint_writes AS known
             (thread_id, namespace, checkpoint_id, task_id, idx, channel, task_path, type, value)
           SELECT $1, $2, $3, * FROM unnest($4::text[], $5::integer[], $6::text[], $7::text[], $8::text[], $9::bytea[])
           ON CONFLICT (thread_id, namespace, checkpoint_id, task_id, idx) DO UPDATE
             SET channel = excluded.channel, task_path = excluded.task_path, type = excluded.type,
               value = excluded.value
             WHERE known.idx < 0`,
        key.threadId,
        key.namespace,
        key.id,
        rows.map((write) => write.taskId),
        rows.map((write) => write.index),
        rows.map((write) => write.channel),
        rows.map((write) => write.taskPath),
        rows.map((write) => write.type),
        rows.map((write) => write.value),
      );
    },
    deleteCheckpoints: async (threadId) => {
      await sql.run(`DELETE FROM holdpoint.checkpoints WHERE thread_id = $1`, threadId);
      await sql.run(`DELETE FROM holdpoint.checkpoint_parts WHERE thread_id = $1`, threadId);
      await sql.run(`DELETE FROM holdpoint.checkpoint_writes WHERE thread_id = $1`, threadId);
    },
  };
}
