import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { openStorage } from "../../packages/engine/src/storage/open-storage.ts";
import type { Ground } from "./ground.ts";

/** Makes databases on one Postgres server, each with the schema. */
export function postgresGrounds(server: string): () => Promise<Ground> {
  let made = 0;
  return async () => {
    made += 1;
    const name = `crash_${made}`;
    await query(server, `CREATE DATABASE ${name}`);
    await (await openStorage(addressOf(server, name))).close();
    const folder = await mkdtemp(join(tmpdir(), "holdpoint-crash-"));
    const database = addressOf(server, name);
    return {
      database,
      effects: join(folder, "effects.jsonl"),
      quiet: () => untilAlone(server, name),
      problems: async () => [],
      remove: async () => {
        await query(server, `DROP DATABASE ${name} WITH (FORCE)`);
        await rm(folder, { recursive: true, force: true });
      },
    };
  };
}

function addressOf(server: string, database: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  return url.href;
}

/** The server notices that a process is gone when it next reads from it, and rolls back what it left. */
async function untilAlone(server: string, name: string): Promise<void> {
  for (;;) {
    const rows = await query(
      server,
      `SELECT pid FROM pg_stat_activity WHERE datname = '${name}' AND backend_type = 'client backend'`,
    );
    if (rows.length === 0) return;
    await sleep(5);
  }
}

async function query(server: string, sql: string): Promise<readonly unknown[]> {
  const client = new Client({ connectionString: server });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}
