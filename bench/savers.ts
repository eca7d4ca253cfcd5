import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointTuple,
  copyCheckpoint,
  type PendingWrite,
  WRITES_IDX_MAP,
} from "@langchain/langgraph-checkpoint";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import { SqliteSaver } from "@langchain/langgraph-checkpoint-sqlite";
import { openEngine } from "@holdpoint/engine";
import { checkpointer } from "@holdpoint/langchain";
import type { AgentMiddleware } from "langchain";
import { Client, Pool } from "pg";
import { ours, stock } from "./agents.ts";

/** A checkpointer, the middleware that goes with it, and what its checkpoints take on disk. */
export type Ground = {
  readonly name: string;
  readonly saver: BaseCheckpointSaver;
  readonly middleware: AgentMiddleware;
  /** LangGraph's ways to save less: nothing before the end of a run, or only what is new of the messages. */
  readonly tuning?: "exit" | "deltas";
  /** Bytes of the tables or files that hold checkpoints, and of everything there. */
  readonly bytes: () => Promise<{ readonly checkpoints: number; readonly all: number }>;
  readonly close: () => Promise<void>;
  /** The same in a process that has just started: nothing is remembered. */
  readonly again?: () => Promise<Ground>;
  /** How whoever runs a graph on it works on a thread. */
  readonly host: (threadId: string, work: () => Promise<unknown>) => Promise<unknown>;
};

/** A graph that nobody hosts is simply invoked. */
const simply: Ground["host"] = (_, work) => work();

const folder = mkdtempSync(join(tmpdir(), "holdpoint-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newFile = (): string => join(folder, `${(files += 1)}.db`);

/** LangGraph's SQLite saver, as it comes (NORMAL) or with ours' promise (FULL). */
export function stockSqlite(synchronous: "NORMAL" | "FULL", tuning?: Ground["tuning"]): Ground {
  const path = newFile();
  const saver = SqliteSaver.fromConnString(path);
  saver.db.pragma(`synchronous = ${synchronous}`);
  return {
    name: named(`LangGraph's SqliteSaver, ${synchronous}`, tuning),
    ...(tuning === undefined ? {} : { tuning }),
    saver,
    host: simply,
    middleware: stock(),
    bytes: async () => {
      const all = fileBytes(path);
      return { checkpoints: all, all };
    },
    close: async () => void saver.db.close(),
  };
}

function named(name: string, tuning: Ground["tuning"]): string {
  return tuning === undefined ? name : `${name}, ${tuning}`;
}

/** Our checkpointer and gate on SQLite, always FULL. */
export async function oursOnSqlite(path = newFile()): Promise<Ground> {
  const engine = await openEngine({ database: `file:${path}` });
  const saver = checkpointer(engine);
  return {
    name: "ours on SQLite, FULL",
    saver,
    host: asRunAgent(saver),
    middleware: ours({ holdpoint: engine, interruptMode: "per_call" }),
    again: () => oursOnSqlite(path),
    bytes: async () => {
      const all = fileBytes(path);
      const database = new DatabaseSync(path, { readOnly: true });
      const row = database
        .prepare("SELECT sum(pgsize) AS bytes FROM dbstat WHERE name LIKE 'checkpoint%'")
        .get();
      database.close();
      return { checkpoints: Number(row?.["bytes"]), all };
    },
    close: engine.close,
  };
}

/** LangGraph's Postgres saver, on a database of its own. */
export async function stockPostgres(url: string, tuning?: Ground["tuning"]): Promise<Ground> {
  const pool = new Pool({ connectionString: url });
  pool.on("error", () => undefined); // its server is stopped right after it was closed
  const saver = new PostgresSaver(pool);
  await saver.setup();
  return {
    name: named("LangGraph's PostgresSaver", tuning),
    ...(tuning === undefined ? {} : { tuning }),
    saver,
    host: simply,
    middleware: stock(),
    bytes: () => postgresBytes(url, "public"),
    close: () => saver.end(),
  };
}

/** Our checkpointer and gate on Postgres. */
export async function oursOnPostgres(url: string): Promise<Ground> {
  const engine = await openEngine({ database: url });
  const saver = checkpointer(engine);
  return {
    name: "ours on Postgres",
    saver,
    host: asRunAgent(saver),
    middleware: ours({ holdpoint: engine, interruptMode: "per_call" }),
    again: () => oursOnPostgres(url),
    bytes: () => postgresBytes(url, "holdpoint"),
    close: engine.close,
  };
}

/** Keeps references and nothing else: what is left is LangGraph's own work, and our gate's without an engine. */
export function floor(): Ground {
  return {
    name: "floor: references in memory",
    saver: new ReferenceSaver(),
    host: simply,
    middleware: ours({ interruptMode: "per_call" }),
    bytes: async () => ({ checkpoints: 0, all: 0 }),
    close: async () => undefined,
  };
}

/** Our record of reviews, permits and the audit, over a checkpointer that keeps references: what ours does beside checkpoints. */
export async function recordOnly(name: string, database: string | undefined): Promise<Ground> {
  const engine = await openEngine({ database: database ?? `file:${newFile()}` });
  return {
    name: `floor, and our record on ${name}`,
    saver: new ReferenceSaver(),
    host: simply,
    middleware: ours({ holdpoint: engine, interruptMode: "per_call" }),
    bytes: async () => ({ checkpoints: 0, all: 0 }),
    close: engine.close,
  };
}

/** As `runAgent` does it: the run is ahead of the disk, and what it says waits until it is there. */
function asRunAgent(saver: ReturnType<typeof checkpointer>): Ground["host"] {
  return async (threadId, work) => {
    const run = saver.runAhead(threadId);
    try {
      await work();
    } finally {
      await run.end();
    }
  };
}

function fileBytes(path: string): number {
  const database = new DatabaseSync(path);
  database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  database.close();
  return statSync(path).size;
}

async function postgresBytes(
  url: string,
  schema: string,
): Promise<{ readonly checkpoints: number; readonly all: number }> {
  const client = new Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ checkpoints: string; all: string }>(
    `SELECT sum(pg_total_relation_size(c.oid)) FILTER (WHERE relname LIKE 'checkpoint%') AS checkpoints,
       sum(pg_total_relation_size(c.oid)) AS all
     FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace WHERE nspname = $1 AND relkind = 'r'`,
    [schema],
  );
  await client.end();
  return { checkpoints: Number(rows[0]?.checkpoints), all: Number(rows[0]?.all) };
}

type Kept = {
  readonly checkpoint: Checkpoint;
  readonly metadata: CheckpointMetadata;
  readonly parent: string | undefined;
};

class ReferenceSaver extends BaseCheckpointSaver {
  readonly #threads = new Map<string, Map<string, Kept>>();
  readonly #writes = new Map<string, Map<string, [string, string, unknown]>>();

  async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { thread, ns, id } = read(config);
    const kept = this.#threads.get(`${thread} ${ns}`);
    const last = id ?? [...(kept?.keys() ?? [])].at(-1);
    const found = last === undefined ? undefined : kept?.get(last);
    if (found === undefined || last === undefined) return undefined;
    const at = (checkpoint_id: string) => ({
      configurable: { thread_id: thread, checkpoint_ns: ns, checkpoint_id },
    });
    return {
      config: at(last),
      checkpoint: copyCheckpoint(found.checkpoint),
      metadata: found.metadata,
      pendingWrites: [...(this.#writes.get(`${thread} ${ns} ${last}`)?.values() ?? [])],
      ...(found.parent === undefined ? {} : { parentConfig: at(found.parent) }),
    };
  }

  // oxlint-disable-next-line require-yield -- nothing here asks for histories
  async *list(): AsyncGenerator<CheckpointTuple> {
    return;
  }

  async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
  ): Promise<RunnableConfig> {
    const { thread, ns, id } = read(config);
    const kept = this.#threads.get(`${thread} ${ns}`) ?? new Map<string, Kept>();
    kept.set(checkpoint.id, { checkpoint: copyCheckpoint(checkpoint), metadata, parent: id });
    this.#threads.set(`${thread} ${ns}`, kept);
    return {
      configurable: { thread_id: thread, checkpoint_ns: ns, checkpoint_id: checkpoint.id },
    };
  }

  async putWrites(config: RunnableConfig, writes: PendingWrite[], taskId: string): Promise<void> {
    const { thread, ns, id } = read(config);
    const key = `${thread} ${ns} ${id}`;
    const kept = this.#writes.get(key) ?? new Map<string, [string, string, unknown]>();
    writes.forEach(([channel, value], index) =>
      kept.set(`${taskId} ${WRITES_IDX_MAP[channel] ?? index}`, [taskId, channel, value]),
    );
    this.#writes.set(key, kept);
  }

  async deleteThread(threadId: string): Promise<void> {
    for (const map of [this.#threads, this.#writes])
      for (const key of map.keys()) if (key.startsWith(`${threadId} `)) map.delete(key);
  }
}

function read(config: RunnableConfig): { thread: string; ns: string; id: string | undefined } {
  const { thread_id, checkpoint_ns, checkpoint_id } = config.configurable ?? {};
  return {
    thread: String(thread_id),
    ns: typeof checkpoint_ns === "string" ? checkpoint_ns : "",
    id: typeof checkpoint_id === "string" && checkpoint_id !== "" ? checkpoint_id : undefined,
  };
}
