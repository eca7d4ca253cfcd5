import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "pg";
import { openStorage } from "../../packages/engine/src/storage/open-storage.ts";
import { makeFolder } from "../harness/temporary-folder.ts";
import type { Ground } from "./ground.ts";

/** How the connections of who looks are told from those of the processes that work. */
const looking = "looking";

type Query = (sql: string) => Promise<readonly unknown[]>;

/** Makes databases on one Postgres server, each with the schema. */
export function postgresGrounds(server: string): () => Promise<Ground> {
  const query = queriesOf(server);
  let made = 0;
  return async () => {
    made += 1;
    const name = `crash_${made}`;
    await query(`CREATE DATABASE ${name}`);
    // Kept while the database is used: a connection costs the server as much as all that is looked up.
    const storage = await openStorage(addressOf(server, name, looking));
    const folder = await makeFolder("crash");
    return {
      database: addressOf(server, name),
      effects: join(folder.path, "effects.jsonl"),
      quiet: () => untilAlone(query, name),
      open: async () => ({ ...storage, close: async () => undefined }),
      problems: async () => [],
      remove: async () => {
        await storage.close();
        await query(`DROP DATABASE ${name} WITH (FORCE)`);
        await folder.remove();
      },
    };
  };
}

function addressOf(server: string, database: string, who?: string): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  if (who !== undefined) url.searchParams.set("application_name", who);
  return url.href;
}

/** The server notices that a process is gone when it next reads from it, and rolls back what it left. */
async function untilAlone(query: Query, name: string): Promise<void> {
  for (;;) {
    const rows = await query(
      `SELECT pid FROM pg_stat_activity WHERE datname = '${name}' AND backend_type = 'client backend'
         AND application_name <> '${looking}'`,
    );
    if (rows.length === 0) return;
    await sleep(2);
  }
}

/** Asks a server over one connection, which is made again after a crash and keeps no process alive. */
function queriesOf(server: string): Query {
  const pool = new Pool({ connectionString: server, max: 1, allowExitOnIdle: true });
  pool.on("error", () => undefined);
  return async (sql) => (await pool.query(sql)).rows;
}
