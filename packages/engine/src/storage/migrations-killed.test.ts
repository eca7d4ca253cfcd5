import { readdirSync } from "node:fs";
import { Client } from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startPostgres, type TestPostgres } from "../../../../test/harness/postgres.ts";
import { openEngine } from "../engine.ts";
import { type Child, startChild } from "../testing/child-process.ts";
import { openRaw } from "../testing/raw-database.ts";
import { aDraft } from "../testing/review-draft.ts";
import { temporaryFile } from "../testing/temporary-engine.ts";

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.stop());

function migrationsOf(database: "sqlite" | "postgres"): readonly number[] {
  const files = readdirSync(new URL(`./${database}/migrations/`, import.meta.url));
  return files.filter((name) => name.endsWith(".sql")).map((_, index) => index + 1);
}

/** A process that is killed with SIGKILL when so many migrations have run and none is committed. */
function killedAfter(count: number): Child {
  const script = new URL("../testing/engine-child.ts", import.meta.url);
  return startChild(script, [], { HOLDPOINT_FAILPOINT: `migration.after_file@${count}` });
}

async function openIn(child: Child, database: string): Promise<readonly string[]> {
  await child.next(); // it is ready
  child.send(JSON.stringify({ type: "open", database }));
  await child.ended;
  return child.lines;
}

async function works(database: string): Promise<void> {
  const engine = await openEngine({ database });
  const { id } = await engine.openReview(aDraft());
  expect(await engine.readReview(id)).toBeDefined();
  await engine.close();
}

test("F57: a process that is killed in any migration of SQLite leaves nothing of it, and the next one runs them all", async () => {
  await Promise.all(
    migrationsOf("sqlite").map(async (count) => {
      const path = temporaryFile();
      expect(await openIn(killedAfter(count), `file:${path}`)).toEqual(["ready"]);
      const raw = openRaw(path);
      expect(raw.prepare("PRAGMA user_version").get()).toEqual({ user_version: 0 });
      expect(raw.prepare("SELECT name FROM sqlite_schema").all()).toEqual([]);
      raw.close();
      await works(`file:${path}`);
    }),
  );
});

test("F57: a process that is killed in any migration of Postgres leaves nothing of it, and the next one runs them all", async () => {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  const children = migrationsOf("postgres").map(killedAfter);
  for (const child of children) {
    expect(await openIn(child, postgres.url)).toEqual(["ready"]);
    const { rows } = await client.query("SELECT 1 FROM pg_namespace WHERE nspname = 'holdpoint'");
    expect(rows).toEqual([]);
  }
  await client.end();
  await works(postgres.url);
});
