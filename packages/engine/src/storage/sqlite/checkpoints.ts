import {
  checkpointFrom,
  loadedFrom,
  partFrom,
  rowsOfFound,
  writeFrom,
  writtenFrom,
} from "../rows/checkpoint-rows.ts";
import type { SqlValue, Statements } from "./statements.ts";
import {
  allThreads,
  type CheckpointSave,
  type Reading,
  type StoredPart,
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
    findCheckpoint: async (threadId, namespace, id) =>
      loadedFrom(
        sql.all(
          `WITH found AS (SELECT * FROM checkpoints
             WHERE thread_id = ? AND namespace = ? ${id === undefined ? "" : "AND id = ?"} ORDER BY id DESC LIMIT 1)
           ${rowsOfFound("checkpoint_writes")}`,
          threadId,
          namespace,
          ...(id === undefined ? [] : [id]),
        ),
      ),
    listCheckpoints: async (query) => {
      const conditions: string[] = [];
      const values: SqlValue[] = [];
      const where = (condition: string, value: string | undefined): void => {
        if (value === undefined) return;
        conditions.push(condition);
        values.push(value);
      };
      where("thread_id = ?", query.threadId);
      where("namespace = ?", query.namespace);
      where("id = ?", query.id);
      where("id < ?", query.before);
      const filter = conditions.length === 0 ? "" : `WHERE ${conditions.join(" AND ")}`;
      return sql
        .all(
          `SELECT * FROM checkpoints ${filter} ORDER BY id DESC LIMIT ?`,
          ...values,
          query.limit ?? -1,
        )
        .map(checkpointFrom);
    },
    findParts: async (threadId, hashes) => {
      const rows = sql.all(
        `SELECT hash, type, value, before FROM checkpoint_parts
         WHERE thread_id = ? AND hash IN (SELECT value FROM json_each(?))`,
        threadId,
        JSON.stringify([...new Set(hashes)]),
      );
      return new Map(rows.map((row) => [String(row.hash), partFrom(row)]));
    },
    findChain: async (threadId, hash) =>
      sql
        .all(
          `WITH RECURSIVE chain (hash, type, value, before, place) AS (
             SELECT hash, type, value, before, 0 FROM checkpoint_parts WHERE thread_id = ?1 AND hash = ?2
             UNION ALL SELECT p.hash, p.type, p.value, p.before, chain.place + 1 FROM chain
               JOIN checkpoint_parts AS p ON p.thread_id = ?1 AND p.hash = chain.before
           ) SELECT hash, type, value, before FROM chain ORDER BY place DESC`,
          threadId,
          hash,
        )
        .map(partFrom),
    writesOf: async (key) =>
      sql
        .all(
          `SELECT * FROM checkpoint_writes WHERE thread_id = ? AND namespace = ? AND checkpoint_id = ?
           ORDER BY task_path, task_id, idx`,
          key.threadId,
          key.namespace,
          key.id,
        )
        .map(writeFrom),
    checkpointedThreads: async () =>
      sql
        .all(`SELECT DISTINCT thread_id FROM checkpoints ORDER BY thread_id`)
        .map((row) => String(row.thread_id)),
    checkpointsAfter: async (threadId, after, limit) =>
      sql
        .all(
          `SELECT * FROM checkpoints
           WHERE thread_id = ?1 AND (?2 IS NULL OR (namespace, id) > (?2, ?3)) ORDER BY namespace, id LIMIT ?4`,
          threadId,
          after?.namespace,
          after?.id,
          limit,
        )
        .map(checkpointFrom),
    channelsWritten: async (threadId) =>
      sql
        .all(
          `SELECT namespace, checkpoint_id, task_id, channel FROM checkpoint_writes WHERE thread_id = ?`,
          threadId,
        )
        .map(writtenFrom),
  };
}

/** Writes checkpoints; a part that is already stored is not stored again. */
export function writeCheckpoints(sql: Statements): CheckpointWriting {
  const insertParts = (threadId: string, parts: readonly StoredPart[]): void => {
    for (const part of parts) {
      sql.run(
        `INSERT OR IGNORE INTO checkpoint_parts (thread_id, hash, type, value, before) VALUES (?, ?, ?, ?, ?)`,
        threadId,
        part.hash,
        part.type,
        part.value,
        part.before,
      );
    }
  };
  const insert = ({
    key,
    checkpoint,
    parts = [],
    shapes = [],
    writes = [],
  }: CheckpointSave): void => {
    insertParts(key.threadId, parts);
    insertParts(allThreads, shapes);
    if (checkpoint !== undefined)
      sql.run(
        `INSERT OR REPLACE INTO checkpoints (thread_id, namespace, id, parent_id, body, metadata) VALUES (?, ?, ?, ?, ?, ?)`,
        checkpoint.threadId,
        checkpoint.namespace,
        checkpoint.id,
        checkpoint.parentId,
        checkpoint.body,
        checkpoint.metadata,
      );
    for (const write of writes) {
      const verb = write.index < 0 ? "INSERT OR REPLACE" : "INSERT OR IGNORE";
      sql.run(
        `${verb} INTO checkpoint_writes
           (thread_id, namespace, checkpoint_id, task_id, idx, channel, task_path, type, value)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
  };
  return {
    saveCheckpoints: async (saves) => {
      for (const save of saves) insert(save);
      const refers = saves.flatMap(({ key: { threadId }, refers: hashes = [] }) =>
        hashes.map((hash) => [threadId, hash]),
      );
      if (refers.length === 0) return [];
      return sql
        .all(
          `SELECT asked.value ->> 0 AS thread_id, asked.value ->> 1 AS hash FROM json_each(?) AS asked
           WHERE NOT EXISTS (SELECT 1 FROM checkpoint_parts AS p
             WHERE p.thread_id = asked.value ->> 0 AND p.hash = asked.value ->> 1)`,
          JSON.stringify(refers),
        )
        .map((row) => ({ threadId: String(row.thread_id), hash: String(row.hash) }));
    },
    deleteCheckpoints: async (threadId) => {
      for (const table of ["checkpoints", "checkpoint_parts", "checkpoint_writes"]) {
        sql.run(`DELETE FROM ${table} WHERE thread_id = ?`, threadId);
      }
    },
    removeCheckpoints: async (threadId, keys) => {
      const gone = JSON.stringify(keys.map(({ namespace, id }) => [namespace, id]));
      const places = `SELECT value ->> 0, value ->> 1 FROM json_each(?)`;
      sql.run(
        `DELETE FROM checkpoints WHERE thread_id = ? AND (namespace, id) IN (${places})`,
        threadId,
        gone,
      );
      sql.run(
        `DELETE FROM checkpoint_writes WHERE thread_id = ? AND (namespace, checkpoint_id) IN (${places})`,
        threadId,
        gone,
      );
    },
    removePartsBut: async (threadId, hashes) =>
      sql.run(
        `DELETE FROM checkpoint_parts WHERE thread_id = ? AND hash NOT IN (SELECT value FROM json_each(?))`,
        threadId,
        JSON.stringify(hashes),
      ),
  };
}
