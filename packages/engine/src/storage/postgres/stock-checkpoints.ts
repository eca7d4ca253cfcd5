import { HoldpointError } from "@holdpoint/core";
import type { StockCheckpoints, StockValue } from "../../stock/stock-checkpoints.ts";
import { databaseName } from "../database-name.ts";
import { optionalText } from "../rows/row.ts";
import { connect, type Connections } from "./connect.ts";

/** Opens the tables of LangGraph's `PostgresSaver` in a schema. Throws `database_refused` where there are none. */
export async function openStockPostgres(
  address: string,
  schema: string,
): Promise<StockCheckpoints> {
  const connections = await connect(address);
  const all = (sql: string, ...values: readonly string[]) => rowsOf(connections, sql, values);
  const name = `"${schema.replaceAll('"', '""')}"`;
  try {
    await refuseOthers(all, schema, databaseName(address));
  } catch (error) {
    await connections.close();
    throw error;
  }
  return {
    threads: async () =>
      (await all(`SELECT DISTINCT thread_id FROM ${name}.checkpoints ORDER BY thread_id`)).map(
        (row) => String(row["thread_id"]),
      ),
    keys: async (threadId) =>
      (
        await all(
          `SELECT checkpoint_ns, checkpoint_id FROM ${name}.checkpoints WHERE thread_id = $1`,
          threadId,
        )
      ).map((row) => ({
        threadId,
        namespace: String(row["checkpoint_ns"]),
        id: String(row["checkpoint_id"]),
      })),
    read: async (key) => {
      const place = [key.threadId, key.namespace, key.id] as const;
      const where = `WHERE t.thread_id = $1 AND t.checkpoint_ns = $2 AND t.checkpoint_id = $3`;
      const [row] = await all(
        `SELECT parent_checkpoint_id, checkpoint::text AS checkpoint, metadata::text AS metadata
         FROM ${name}.checkpoints AS t ${where}`,
        ...place,
      );
      if (row === undefined) return undefined;
      const parentId = optionalText(row["parent_checkpoint_id"]);
      const channels = await all(
        `SELECT b.channel, b.type, b.blob FROM ${name}.checkpoints AS t
           CROSS JOIN jsonb_each_text(t.checkpoint -> 'channel_versions') AS v
           JOIN ${name}.checkpoint_blobs AS b ON b.thread_id = t.thread_id
             AND b.checkpoint_ns = t.checkpoint_ns AND b.channel = v.key AND b.version = v.value
         ${where} AND b.type <> 'empty'`,
        ...place,
      );
      const writes = await all(
        `SELECT task_id, channel, type, blob FROM ${name}.checkpoint_writes AS t
         ${where} ORDER BY task_id COLLATE "C", idx`,
        ...place,
      );
      return {
        ...key,
        ...(parentId === undefined ? {} : { parentId }),
        checkpoint: jsonFrom(row["checkpoint"]),
        metadata: jsonFrom(row["metadata"]),
        channels: channels.map((one) => ({ channel: String(one["channel"]), ...valueFrom(one) })),
        writes: writes.map((one) => ({
          taskId: String(one["task_id"]),
          channel: String(one["channel"]),
          ...valueFrom(one),
        })),
      };
    },
    close: connections.close,
  };
}

/** These rows are LangGraph's: nothing in them is escaped as in ours. */
async function rowsOf(
  connections: Connections,
  sql: string,
  values: readonly string[],
): Promise<readonly Record<string, unknown>[]> {
  const connection = await connections.take();
  let isBroken = true;
  try {
    const { rows } = await connection.query(sql, [...values]);
    isBroken = false;
    return rows;
  } finally {
    connection.release(isBroken);
  }
}

function valueFrom(row: Record<string, unknown>): StockValue {
  const { type, blob } = row;
  return {
    type: optionalText(type) ?? "json",
    bytes: blob instanceof Uint8Array ? blob : new Uint8Array(),
  };
}

function jsonFrom(text: unknown): StockValue {
  return { type: "json", bytes: Buffer.from(String(text)) };
}

async function refuseOthers(
  all: (sql: string, ...values: readonly string[]) => Promise<readonly unknown[]>,
  schema: string,
  name: string,
): Promise<void> {
  const tables = await all(
    `SELECT table_name FROM information_schema.columns WHERE table_schema = $1 AND
       (table_name, column_name) IN (('checkpoints', 'checkpoint_ns'), ('checkpoint_blobs', 'blob'), ('checkpoint_writes', 'blob'))`,
    schema,
  );
  if (tables.length < 3)
    throw new HoldpointError(
      "database_refused",
      `${name} has no tables of LangGraph's PostgresSaver in its schema "${schema}"; name the schema that it was given.`,
    );
}
