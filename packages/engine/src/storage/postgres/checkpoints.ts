import {
  checkpointFrom,
  loadedFrom,
  partFrom,
  rowsOfFound,
  writeFrom,
  writtenFrom,
} from "../rows/checkpoint-rows.ts";
import type { Statements } from "./statements.ts";
import {
  allThreads,
  type CheckpointKey,
  type CheckpointSave,
  type Reading,
  type StoredPart,
  type StoredWrite,
  type Writing,
} from "../storage.ts";

type CheckpointReading = Pick<
  Reading,
  | "findCheckpoint"
  | "listCheckpoints"
  | "findParts"
  | "findChain"
  | "writesOf"
  | "checkpointedThreads"
  | "checkpointsAfter"
  | "channelsWritten"
>;
type CheckpointWriting = Pick<
  Writing,
  "saveCheckpoints" | "deleteCheckpoints" | "removeCheckpoints" | "removePartsBut"
>;

/** Reads checkpoints, their parts and their pending writes. */
export function readCheckpoints(sql: Statements): CheckpointReading {
  return {
    findCheckpoint: async (threadId, namespace, id) => {
      const rows = await sql.all(
        `WITH found AS (SELECT * FROM holdpoint.checkpoints
           WHERE thread_id = $1 AND namespace = $2 ${id === undefined ? "" : "AND id = $3"} ORDER BY id DESC LIMIT 1)
         ${rowsOfFound("holdpoint.checkpoint_writes")}`,
        threadId,
        namespace,
        ...(id === undefined ? [] : [id]),
      );
      return loadedFrom(rows);
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
  return {
    // A conflict that does nothing counts as no read, so whoever removes that very part at the same moment would not
    // be noticed. Therefore this reads a table that is always empty, and whoever removes parts writes to it. What is
    // missing is asked of what was there before this statement.
    saveCheckpoints: async (saves) => {
      const parts = partsIn(saves);
      const checkpoints = lastOfEach(
        saves.flatMap(({ checkpoint }) => checkpoint ?? []),
        ({ threadId, namespace, id }) => JSON.stringify([threadId, namespace, id]),
      );
      const writes = writesIn(saves);
      const refers = saves.flatMap(({ key: { threadId }, refers: hashes = [] }) =>
        hashes.map((hash) => ({ threadId, hash })),
      );
      const rows = await sql.all(
        `WITH parts AS (
           INSERT INTO holdpoint.checkpoint_parts (thread_id, hash, type, value, before)
             SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::bytea[], $5::text[])
             WHERE (SELECT count(*) FROM holdpoint.turns) >= 0 ON CONFLICT DO NOTHING
         ), checkpoints AS (
           INSERT INTO holdpoint.checkpoints (thread_id, namespace, id, parent_id, body, metadata)
             SELECT * FROM unnest($6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[])
             ON CONFLICT (thread_id, namespace, id) DO UPDATE
               SET parent_id = excluded.parent_id, body = excluded.body, metadata = excluded.metadata
         ), writes AS (
           INSERT INTO holdpoint.checkpoint_writes AS known
               (thread_id, namespace, checkpoint_id, task_id, idx, channel, task_path, type, value)
             SELECT * FROM unnest($12::text[], $13::text[], $14::text[], $15::text[], $16::integer[], $17::text[],
               $18::text[], $19::text[], $20::bytea[])
             ON CONFLICT (thread_id, namespace, checkpoint_id, task_id, idx) DO UPDATE
               SET channel = excluded.channel, task_path = excluded.task_path, type = excluded.type,
                 value = excluded.value
               WHERE known.idx < 0
         )
         SELECT thread_id, hash FROM unnest($21::text[], $22::text[]) AS asked (thread_id, hash) WHERE NOT EXISTS
           (SELECT 1 FROM holdpoint.checkpoint_parts AS p
            WHERE p.thread_id = asked.thread_id AND p.hash = asked.hash)`,
        parts.map(({ threadId }) => threadId),
        parts.map(({ part }) => part.hash),
        parts.map(({ part }) => part.type),
        parts.map(({ part }) => part.value),
        parts.map(({ part }) => part.before),
        checkpoints.map(({ threadId }) => threadId),
        checkpoints.map(({ namespace }) => namespace),
        checkpoints.map(({ id }) => id),
        checkpoints.map(({ parentId }) => parentId),
        checkpoints.map(({ body }) => body),
        checkpoints.map(({ metadata }) => metadata),
        writes.map(({ key }) => key.threadId),
        writes.map(({ key }) => key.namespace),
        writes.map(({ key }) => key.id),
        writes.map(({ write }) => write.taskId),
        writes.map(({ write }) => write.index),
        writes.map(({ write }) => write.channel),
        writes.map(({ write }) => write.taskPath),
        writes.map(({ write }) => write.type),
        writes.map(({ write }) => write.value),
        refers.map(({ threadId }) => threadId),
        refers.map(({ hash }) => hash),
      );
      const sent = new Set(
        parts.map(({ threadId, part }) => JSON.stringify([threadId, part.hash])),
      );
      return rows
        .map((row) => ({ threadId: String(row.thread_id), hash: String(row.hash) }))
        .filter(({ threadId, hash }) => !sent.has(JSON.stringify([threadId, hash])));
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

type Part = { readonly threadId: string; readonly part: StoredPart };

function partsIn(saves: readonly CheckpointSave[]): readonly Part[] {
  return saves.flatMap(({ key: { threadId }, parts = [], shapes = [] }) => [
    ...parts.map((part) => ({ threadId, part })),
    ...shapes.map((part) => ({ threadId: allThreads, part })),
  ]);
}

type Write = { readonly key: CheckpointKey; readonly write: StoredWrite };

/** One statement changes no row twice: of several under one key the first ordinary one counts, and the last special one. */
function writesIn(saves: readonly CheckpointSave[]): readonly Write[] {
  const byPlace = new Map<string, Write>();
  for (const { key, writes = [] } of saves)
    for (const write of writes) {
      const { threadId, namespace, id } = key;
      const place = JSON.stringify([threadId, namespace, id, write.taskId, write.index]);
      if (write.index < 0 || !byPlace.has(place)) byPlace.set(place, { key, write });
    }
  return [...byPlace.values()];
}

function lastOfEach<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}

/** Makes a save that counts on a part, and a removal of it, notice each other: one of them starts again. */
export async function noticeRemoval(sql: Statements): Promise<void> {
  await sql.run(`INSERT INTO holdpoint.turns DEFAULT VALUES`);
  await sql.run(`DELETE FROM holdpoint.turns`);
}
