import { checkpointFrom, partFrom, writeFrom, writtenFrom } from "../rows/checkpoint-rows.ts";
import type { Statements } from "./statements.ts";
import type { Reading, Writing } from "../storage.ts";

type CheckpointReading = Pick<
  Reading,
  | "findCheckpoint"
  | "listCheckpoints"
  | "findParts"
  | "findChain"
  | "missingParts"
  | "writesOf"
  | "checkpointedThreads"
  | "checkpointsAfter"
  | "channelsWritten"
>;
type CheckpointWriting = Pick<
  Writing,
  | "putCheckpoint"
  | "insertParts"
  | "putWrites"
  | "deleteCheckpoints"
  | "removeCheckpoints"
  | "removePartsBut"
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
    checkpointedThreads: async () =>
      (
        await sql.all(`SELECT DISTINCT thread_id FROM holdpoint.checkpoints ORDER BY thread_id`)
      ).map((row) => String(row.thread_id)),
    checkpointsAfter: async (threadId, after, limit) =>
      (
        await sql.all(
          `SELECT * FROM holdpoint.checkpoints
           WHERE thread_id = $1 AND ($2::text IS NULL OR (namespace, id) > ($2, $3))
           ORDER BY namespace, id LIMIT $4`,
          threadId,
          after?.namespace,
          after?.id,
          limit,
        )
      ).map(checkpointFrom),
    channelsWritten: async (threadId) =>
      (
        await sql.all(
          `SELECT namespace, checkpoint_id, task_id, channel FROM holdpoint.checkpoint_writes WHERE thread_id = $1`,
          threadId,
        )
      ).map(writtenFrom),
  };
}

/** Writes checkpoints; a part that is already stored is not stored again. */
export function writeCheckpoints(sql: Statements): CheckpointWriting {
  // A conflict that does nothing counts as no read, so whoever removes that very part at the same moment would not
  // be noticed. Therefore this reads a table that is always empty, and whoever removes parts writes to it.
  const insertParts: Writing["insertParts"] = async (threadId, parts) => {
    if (parts.length === 0) return;
    await sql.run(
      `INSERT INTO holdpoint.checkpoint_parts (thread_id, hash, type, value, before)
       SELECT $1, * FROM unnest($2::text[], $3::text[], $4::bytea[], $5::text[])
       WHERE (SELECT count(*) FROM holdpoint.turns) >= 0 ON CONFLICT DO NOTHING`,
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
      await noticeRemoval(sql);
      await sql.run(`DELETE FROM holdpoint.checkpoints WHERE thread_id = $1`, threadId);
      await sql.run(`DELETE FROM holdpoint.checkpoint_parts WHERE thread_id = $1`, threadId);
      await sql.run(`DELETE FROM holdpoint.checkpoint_writes WHERE thread_id = $1`, threadId);
    },
    removeCheckpoints: async (threadId, keys) => {
      const namespaces = keys.map(({ namespace }) => namespace);
      const ids = keys.map(({ id }) => id);
      await sql.run(
        `DELETE FROM holdpoint.checkpoints AS c USING unnest($2::text[], $3::text[]) AS gone (namespace, id)
         WHERE c.thread_id = $1 AND c.namespace = gone.namespace AND c.id = gone.id`,
        threadId,
        namespaces,
        ids,
      );
      await sql.run(
        `DELETE FROM holdpoint.checkpoint_writes AS w USING unnest($2::text[], $3::text[]) AS gone (namespace, id)
         WHERE w.thread_id = $1 AND w.namespace = gone.namespace AND w.checkpoint_id = gone.id`,
        threadId,
        namespaces,
        ids,
      );
    },
    removePartsBut: async (threadId, hashes) => {
      await noticeRemoval(sql);
      return sql.run(
        `DELETE FROM holdpoint.checkpoint_parts AS p WHERE p.thread_id = $1
           AND NOT EXISTS (SELECT 1 FROM unnest($2::text[]) AS kept (hash) WHERE kept.hash = p.hash)`,
        threadId,
        hashes,
      );
    },
  };
}

/** Makes a save that counts on a part, and a removal of it, notice each other: one of them starts again. */
export async function noticeRemoval(sql: Statements): Promise<void> {
  await sql.run(`INSERT INTO holdpoint.turns DEFAULT VALUES`);
  await sql.run(`DELETE FROM holdpoint.turns`);
}
