import type { DatabaseSync } from "node:sqlite";
import { HoldpointError } from "@holdpoint/core";
import type { StockCheckpoints, StockValue } from "../../stock/stock-checkpoints.ts";
import { optionalText, type Row } from "../rows/row.ts";
import { openReadOnly } from "./open-read-only.ts";

/** Opens a file of LangGraph's `SqliteSaver`. Throws `database_refused` for any other. */
export function openStockFile(path: string): StockCheckpoints {
  const database = openReadOnly(path);
  try {
    refuseOthers(database, path);
  } catch (error) {
    database.close();
    throw error;
  }
  const all = (sql: string, ...values: readonly string[]): readonly Row[] =>
    database.prepare(sql).all(...values);
  return {
    threads: async () =>
      all(`SELECT DISTINCT thread_id FROM checkpoints ORDER BY thread_id`).map((row) =>
        String(row.thread_id),
      ),
    keys: async (threadId) =>
      all(`SELECT checkpoint_ns, checkpoint_id FROM checkpoints WHERE thread_id = ?`, threadId).map(
        (row) => ({
          threadId,
          namespace: String(row.checkpoint_ns),
          id: String(row.checkpoint_id),
        }),
      ),
    read: async (key) => {
      const place = [key.threadId, key.namespace, key.id] as const;
      const where = `WHERE thread_id = ? AND checkpoint_ns = ? AND checkpoint_id = ?`;
      const [row] = all(
        `SELECT parent_checkpoint_id, type, checkpoint, metadata FROM checkpoints ${where}`,
        ...place,
      );
      if (row === undefined) return undefined;
      const parentId = optionalText(row.parent_checkpoint_id);
      return {
        ...key,
        ...(parentId === undefined ? {} : { parentId }),
        checkpoint: valueFrom(row.type, row.checkpoint),
        metadata: valueFrom(row.type, row.metadata),
        channels: [],
        writes: all(
          `SELECT task_id, channel, type, value FROM writes ${where} ORDER BY task_id, idx`,
          ...place,
        ).map((write) => ({
          taskId: String(write.task_id),
          channel: String(write.channel),
          ...valueFrom(write.type, write.value),
        })),
      };
    },
    close: async () => database.close(),
  };
}

function valueFrom(type: unknown, value: unknown): StockValue {
  return {
    type: optionalText(type) ?? "json",
    bytes: value instanceof Uint8Array ? value : Buffer.from(optionalText(value) ?? ""),
  };
}

function refuseOthers(database: DatabaseSync, path: string): void {
  const columns = database
    .prepare(
      `SELECT name FROM pragma_table_info('checkpoints') WHERE name = 'checkpoint_ns'
       UNION ALL SELECT name FROM pragma_table_info('writes') WHERE name = 'task_id'`,
    )
    .all();
  if (columns.length < 2)
    throw new HoldpointError(
      "database_refused",
      `${path} has no tables of LangGraph's SqliteSaver; name the file that it was given.`,
    );
}
