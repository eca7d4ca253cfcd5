import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { afterEach, expect, test, vi } from "vitest";
import { startPostgres } from "./harness/postgres.ts";

afterEach(() => {
  vi.unstubAllEnvs();
});

async function query(url: string, statement: string, values: unknown[] = []) {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 5000 });
  try {
    await client.connect();
    return await client.query<Record<string, unknown>>(statement, values);
  } finally {
    await client.end();
  }
}

test("a started Postgres keeps what is written, and is gone once stopped", async () => {
  const postgres = await startPostgres();
  await query(postgres.url, "create table notes (id int primary key, text text not null)");
  await query(postgres.url, "insert into notes values ($1, $2)", [1, "审批 ✓"]);
  const { rows } = await query(postgres.url, "select * from notes");
  expect(rows).toEqual([{ id: 1, text: "审批 ✓" }]);
  await postgres.stop();
  await expect(query(postgres.url, "select 1")).rejects.toThrow();
});

test("with DATABASE_URL each start gets a database of its own, dropped when stopped", async () => {
  vi.stubEnv("DATABASE_URL", undefined);
  const server = await startPostgres();
  vi.stubEnv("DATABASE_URL", server.url);
  const [one, two] = [await startPostgres(), await startPostgres()];
  await query(one.url, "create table notes (id int)");
  await query(two.url, "create table notes (id int)");
  await one.stop();
  await two.stop();
  const { rows } = await query(
    server.url,
    "select datname from pg_database where not datistemplate",
  );
  expect(rows).toEqual([{ datname: "postgres" }]);
  await server.stop();
});

test("a DATABASE_URL that leads nowhere fails with one sentence, without the password", async () => {
  vi.stubEnv("DATABASE_URL", "postgres://someone:secret@127.0.0.1:1/nothing");
  const failure = await startPostgres().catch((error: unknown) => error);
  expect(failure).toMatchObject({
    message: "Postgres could not start: connect ECONNREFUSED 127.0.0.1:1.",
  });
});

test("Postgres ends with the process that started it, even when that is killed", async () => {
  vi.stubEnv("DATABASE_URL", undefined);
  const harness = fileURLToPath(new URL("harness/postgres.ts", import.meta.url));
  const script = `const { startPostgres } = await import(${JSON.stringify(harness)});
    console.log((await startPostgres()).url);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line]: unknown[] = await once(child.stdout, "data");
  const url = String(line).trim();
  await query(url, "select 1");
  child.kill("SIGKILL");
  await vi.waitFor(() => expect(query(url, "select 1")).rejects.toThrow("ECONNREFUSED"), 30_000);
});
