import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type Engine, openEngine } from "@holdpoint/engine";
import { Client } from "pg";
import { startPostgres } from "../test/harness/postgres.ts";

/**
 * How long a page of 50 pending reviews takes, as an inbox asks for it: whole reviews, with their actions and
 * permits, the newest and from the middle on. Half of all reviews are pending, the others are decided.
 */
const sizes = (process.argv[2] ?? "10000,100000,1000000").split(",").map(Number);
const pages = 300;
const time = "2026-11-30T12:00:00.000Z";
const call = `'{"name":"send_email","args":{"to":"anna@example.com","subject":"Invoice 17","body":"${"Please pay. ".repeat(10)}"}}'`;

/** The rows from `n > from` to `to`, in SQL that both databases read; `numbers` gives the numbers. */
function rows(numbers: string, schema: string): string {
  const state = `CASE WHEN n % 2 = 0 THEN '{"status":"open"}' ELSE
    '{"status":"decided","outcome":{"type":"rejected"},"recorded":{"decision":{"type":"reject"},"reviewer":{"id":"anna","name":"Anna"},"at":"${time}"}}' END`;
  return `INSERT INTO ${schema}reviews (id, version, thread_id, agent, turn_id, interrupt_id, raised, cause, status,
      created_at, settled_at)
    SELECT 'rev_' || n, 1, 'thread-' || n, 'mailer', 'turn', 'interrupt', '{"taskId":"t","round":0,"votes":0}',
      'policy', CASE WHEN n % 2 = 0 THEN 'open' ELSE 'decided' END, '${time}',
      CASE WHEN n % 2 = 0 THEN NULL ELSE '${time}' END
    FROM ${numbers};
    INSERT INTO ${schema}actions (id, review_id, idx, thread_id, turn_id, tool_call_id, call, digest, allowed, rule,
      reason, reason_code, state)
    SELECT 'act_' || n, 'rev_' || n, 0, 'thread-' || n, 'turn', 'call-' || n, ${call}, 'sha256:x',
      '["approve","edit","reject","respond"]', 'interruptOn.send_email', 'send_email always asks a person first.',
      'always', ${state}
    FROM ${numbers};`;
}

async function measure(name: string, size: number, engine: Engine): Promise<void> {
  const list = (cursor?: string) =>
    engine.reviews.list({
      status: "open",
      order: "newest",
      limit: 50,
      ...(cursor === undefined ? {} : { cursor }),
    });
  const middle = String(Math.floor(size / 2)).padStart(20, "0");
  const timesOf = async (cursor?: string): Promise<string> => {
    for (let warm = 0; warm < 50; warm += 1) await list(cursor);
    const times: number[] = [];
    for (let page = 0; page < pages; page += 1) {
      const start = performance.now();
      const { reviews } = await list(cursor);
      times.push(performance.now() - start);
      if (reviews.length !== 50) throw new Error(`The page has ${reviews.length} reviews.`);
    }
    const sorted = times.toSorted((a, b) => a - b);
    const at = (part: number): string => (sorted[Math.floor(pages * part)] ?? 0).toFixed(2);
    return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
  };
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const newest = await timesOf();
  const fromMiddle = await timesOf(middle);
  globalThis.gc?.();
  const grown = (process.memoryUsage().rss - before) / 1024 / 1024;
  console.log(
    `${name}, ${size.toLocaleString("en")} reviews: newest ${newest}; from the middle ${fromMiddle}; memory ${grown < 0 ? "−" : "+"}${Math.abs(grown).toFixed(0)} MB`,
  );
}

const folder = mkdtempSync(join(tmpdir(), "holdpoint-bench-"));
const postgres = await startPostgres();
let filled = 0;
const path = join(folder, "pages.db");
for (const size of sizes) {
  await (await openEngine({ database: `file:${path}` })).close();
  const database = new DatabaseSync(path);
  database.exec(`PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; BEGIN;
    CREATE TEMP TABLE numbers AS WITH RECURSIVE counted (n) AS
      (SELECT ${filled + 1} UNION ALL SELECT n + 1 FROM counted WHERE n < ${size}) SELECT n FROM counted;
    ${rows("numbers", "")} COMMIT`);
  database.close();
  const onSqlite = await openEngine({ database: `file:${path}` });
  await measure("SQLite", size, onSqlite);
  await onSqlite.close();

  await (await openEngine({ database: postgres.url })).close();
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(
    `${rows(`generate_series(${filled + 1}, ${size}) AS numbers (n)`, "holdpoint.")} ANALYZE`,
  );
  await client.end();
  const onPostgres = await openEngine({ database: postgres.url });
  await measure("Postgres", size, onPostgres);
  await onPostgres.close();
  filled = size;
}
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
