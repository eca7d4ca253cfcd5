import { Client } from "pg";
import type { NewDatabase } from "./temporary-engine.ts";

/** Every table that a test may leave rows in, those that refer to others first. */
const tables = [
  "audit_events",
  "deliveries",
  "delivery_topics",
  "decisions",
  "permits",
  "actions",
  "reviews",
  "run_events",
  "runs",
  "threads",
  "checkpoint_writes",
  "checkpoint_parts",
  "checkpoints",
  "api_keys",
  "reviewers",
  "replies",
];

/** Databases that are emptied and used again, because making and dropping one takes a second. */
export type Databases = { readonly take: NewDatabase; readonly stop: () => Promise<void> };

/** Keeps the databases that `make` makes until they are stopped. */
export function keepDatabases(make: NewDatabase): Databases {
  const free: string[] = [];
  const stops: (() => Promise<void>)[] = [];
  return {
    take: async () => {
      const url = free.pop() ?? (await made());
      const stop = async (): Promise<void> => {
        await empty(url);
        free.push(url);
      };
      return { url, stop };
    },
    stop: async () => void (await Promise.all(stops.map((stop) => stop()))),
  };

  async function made(): Promise<string> {
    const { url, stop } = await make();
    stops.push(stop);
    return url;
  }
}

/** Whoever is still connected, such as a process that was killed, is cut off first. */
async function empty(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid();
     SET session_replication_role = replica; -- append-only tables as well
     ${tables.map((table) => `DELETE FROM holdpoint.${table}`).join(";")}`,
  );
  await client.end();
}
