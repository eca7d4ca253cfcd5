import { randomBytes } from "node:crypto";
import type { ActionId, Digest } from "@holdpoint/core";
import { Client } from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startPostgres, type TestPostgres } from "../../../../../test/harness/postgres.ts";
import { adoptDatabase } from "../../backup/restore.ts";
import { type Engine, openEngine } from "../../engine.ts";
import { approvedAction } from "../../testing/review-draft.ts";

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.stop());

async function run(url: string, sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
}

function named(name: string): string {
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  return url.href;
}

/** A database that nobody else is in, empty or as another one is now. */
async function createDatabase(like?: string): Promise<string> {
  const name = `holdpoint_test_${randomBytes(6).toString("hex")}`;
  const template = like === undefined ? "" : ` TEMPLATE ${new URL(like).pathname.slice(1)}`;
  await run(postgres.url, `CREATE DATABASE ${name}${template}`);
  onTestFinished(async () => {
    await run(postgres.url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
  return named(name);
}

/** As pg_restore would: the tables are made anew, then every row is put in as it was. */
async function dumpAndRestore(from: string): Promise<string> {
  const to = await createDatabase();
  await (await openEngine({ database: to })).close();
  const tables = await run(from, `SELECT tablename FROM pg_tables WHERE schemaname = 'holdpoint'`);
  for (const table of tables.map(({ tablename }) => String(tablename))) {
    const [all] = await run(from, `SELECT json_agg(t)::text AS rows FROM holdpoint.${table} AS t`);
    await run(
      to,
      `SET session_replication_role = replica; DELETE FROM holdpoint.${table};
       INSERT INTO holdpoint.${table} OVERRIDING SYSTEM VALUE
       SELECT * FROM json_populate_recordset(NULL::holdpoint.${table}, ${literal(String(all?.["rows"]))})`,
    );
  }
  for (const [table, column] of [
    ["audit_events", "position"],
    ["reviews", "seq"],
  ] as const) {
    const sequence = `pg_get_serial_sequence('holdpoint.${table}', '${column}')`;
    await run(to, `SELECT setval(${sequence}, max(${column})) FROM holdpoint.${table}`);
  }
  return to;
}

function literal(text: string): string {
  return text === "null" ? `'[]'` : `'${text.replaceAll("'", "''")}'`;
}

async function opened(database: string): Promise<Engine> {
  const engine = await openEngine({ database });
  let closed: Promise<void> | undefined;
  const close = (): Promise<void> => (closed ??= engine.close());
  onTestFinished(close);
  return { ...engine, close };
}

async function runs(engine: Engine, call: { id: ActionId; digest: Digest }): Promise<boolean> {
  const started = await engine.startPermit(call.id, call.digest);
  if (started.type === "refused") return false;
  const receipt = { status: "succeeded", message: { content: "sent" } } as const;
  await engine.closePermit(call.id, started.permit.fence, receipt);
  return true;
}

test("F19: a database that was dumped and restored, or copied, is refused until it is adopted, and then runs nothing again", async () => {
  const url = await createDatabase();
  const engine = await opened(url);
  const call = await approvedAction(engine);
  await engine.close();
  const restored = await dumpAndRestore(url);
  const copied = await createDatabase(url);
  const original = await opened(url);
  expect(await runs(original, call)).toBe(true);

  for (const database of [restored, copied]) {
    await expect(openEngine({ database })).rejects.toMatchObject({
      code: "database_refused",
      message: expect.stringContaining(
        `holdpoint restore --adopt --database postgres://`,
      ) as string,
    });
  }
  await adoptDatabase({ database: restored });
  const adopted = await opened(restored);
  expect(await adopted.awaitPermit(call.id)).toMatchObject({
    state: { status: "unknown", because: "restored" },
  });
  expect(await runs(adopted, call)).toBe(false);
  const fresh = await approvedAction(adopted);
  expect(await runs(adopted, fresh)).toBe(true);

  // Seeded fault: nobody looks at where the tables lie, and the tool starts a second time.
  const here = `(SELECT oid FROM pg_database WHERE datname = current_database())::text
    || '/' || 'holdpoint.instance'::regclass::oid::text`;
  await run(copied, `UPDATE holdpoint.instance SET place = ${here}`);
  expect(await runs(await opened(copied), call)).toBe(true);

  // Tables that are put back under a running server start nothing either.
  const waiting = await approvedAction(original);
  await run(url, `UPDATE holdpoint.instance SET place = '1/1'`); // as it would come with a dump
  expect(await runs(original, waiting)).toBe(false);
  expect(await original.awaitPermit(waiting.id)).toMatchObject({ state: { status: "unknown" } });
});
