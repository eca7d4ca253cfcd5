import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { Client } from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startPostgres, type TestPostgres } from "../../../../../test/harness/postgres.ts";
import { openAudit } from "../../audit/open-audit.ts";
import { createKeyFile } from "../../audit/signing-key.ts";
import { type AuditReport, verifyAudit } from "../../audit/verify-audit.ts";
import { openEngine } from "../../engine.ts";
import { approvedAction } from "../../testing/review-draft.ts";
import { audit } from "../../testing/sealed-audit.ts";
import { temporaryFolder } from "../../testing/temporary-engine.ts";

let postgres: TestPostgres;
let client: Client;

beforeAll(async () => {
  postgres = await startPostgres();
  client = new Client({ connectionString: postgres.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await postgres.stop();
});

/** Two seals over two reviews each, and one review of three events that are not sealed yet. */
async function aSealedAudit(): Promise<{ sealsFile: string; publicKeys: readonly string[] }> {
  const folder = temporaryFolder();
  const [keyFile, sealsFile] = [join(folder, "audit.pem"), join(folder, "seals.jsonl")];
  createKeyFile(keyFile);
  const engine = await openEngine({ database: postgres.url, audit: { keyFile, sealsFile } });
  for (const reviews of [2, 2]) {
    await audit(engine, reviews);
    await engine.sealAudit();
  }
  await audit(engine, 1);
  await engine.close();
  onTestFinished(async () => {
    await client.query(`SET session_replication_role = replica; -- append-only tables as well
      DELETE FROM holdpoint.audit_events; DELETE FROM holdpoint.audit_seals;
      SET session_replication_role = origin`);
  });
  return { sealsFile, publicKeys: [`${keyFile}.pub`] };
}

async function verify(
  against: { sealsFile?: string; publicKeys?: readonly string[] } = {},
): Promise<AuditReport> {
  return verifyAudit({ audit: { source: await openAudit(postgres.url) }, ...against });
}

/** Another value of a column, that is one of that column all the same. */
const others: Readonly<Record<string, string>> = {
  position: "position + 100000",
  stream: "stream || 'x'",
  seq: "seq + 50",
  type: "'review.closed' || type",
  at: "'2020-01-01T00:00:00.000Z'",
  body: `replace(body, '{', '{"x":1,')`,
  previous: "'sha256:' || repeat('0', 64)",
  hash: "'sha256:' || repeat('0', 64)",
  salt: "'x' || salt",
};

const columns = Object.keys(others).join(", ");

/** Whoever owns the tables can turn their triggers off. */
async function forge(sql: string, ...values: readonly unknown[]): Promise<void> {
  await client.query("SET session_replication_role = replica");
  await client.query(sql, [...values]);
  await client.query("SET session_replication_role = origin");
}

test("T34: it verifies beside its servers, and each change of each column is found, as what is removed or emptied", async () => {
  const against = await aSealedAudit();
  const whole = await verify(against);
  expect(whole).toMatchObject({ events: 15, streams: 5, seals: 2, unsealed: 3, erased: 0 });
  expect(whole).not.toHaveProperty("finding");
  const { rows: known } = await client.query<{ column_name: string }>(
    `SELECT column_name FROM information_schema.columns
     WHERE table_schema = 'holdpoint' AND table_name = 'audit_events'`,
  );
  expect(known.map((one) => one.column_name).toSorted()).toEqual(Object.keys(others).toSorted());
  await client.query("CREATE TEMPORARY TABLE honest AS SELECT * FROM holdpoint.audit_events");
  const { rows: events } = await client.query<{ position: string }>(
    "SELECT position FROM honest ORDER BY position",
  );
  const missed: string[] = [];
  const tryOut = async (name: string, sql: string, ...values: readonly unknown[]) => {
    await forge(sql, ...values);
    if ((await verify(against)).finding === undefined) missed.push(name);
    await forge("DELETE FROM holdpoint.audit_events");
    await forge(`INSERT INTO holdpoint.audit_events (${columns}) OVERRIDING SYSTEM VALUE
      SELECT ${columns} FROM honest`);
  };
  for (const { position } of [0, 4, 8, 12].flatMap((index) => events[index] ?? [])) {
    for (const [column, value] of Object.entries(others)) {
      const changed = Object.keys(others).map((one) => (one === column ? value : one));
      await tryOut(
        `${column} at ${position}`,
        `WITH gone AS (DELETE FROM holdpoint.audit_events WHERE position = $1 RETURNING *)
         INSERT INTO holdpoint.audit_events (${columns}) OVERRIDING SYSTEM VALUE
         SELECT ${changed.join(", ")} FROM gone`,
        position,
      );
    }
    await tryOut(
      `a plain delete at ${position}`,
      "DELETE FROM holdpoint.audit_events WHERE position = $1",
      position,
    );
    await tryOut(
      `an erasure without a record at ${position}`,
      `UPDATE holdpoint.audit_events SET body = '{"erased":true}', salt = NULL WHERE position = $1`,
      position,
    );
  }
  expect(missed).toEqual([]);
  expect(await verify(against)).not.toHaveProperty("finding");
  // What no seal covers is held by links alone: the last event of a stream can be cut off there.
  await forge("DELETE FROM holdpoint.audit_events WHERE position = $1", events.at(-1)?.position);
  expect(await verify(against)).not.toHaveProperty("finding");
});

test("the tables let no event be changed or removed, but for a body that is erased", async () => {
  await aSealedAudit();
  const refused = [
    `UPDATE holdpoint.audit_events SET body = '{"erased":true}'`,
    `UPDATE holdpoint.audit_events SET salt = NULL`,
    `UPDATE holdpoint.decisions SET reviewer = 'ben'`,
    `UPDATE holdpoint.decisions SET reviewer = 'erased_1', at = 'then'`,
    `DELETE FROM holdpoint.decisions`,
    `DELETE FROM holdpoint.audit_events`,
    `TRUNCATE holdpoint.audit_events`,
  ];
  for (const sql of refused) await expect(client.query(sql)).rejects.toThrow("are append-only");
});

test("the role that the guide sets up does all that a server does, and cannot even erase", async () => {
  await aSealedAudit();
  const grants = new URL("../../../../../docs/guides/snippets/postgres-role.sql", import.meta.url);
  const role = `holdpoint_app_${process.pid}`;
  await client.query(`CREATE ROLE ${role} LOGIN PASSWORD 'app'`);
  onTestFinished(async () => {
    await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`);
  });
  await client.query(readFileSync(grants, "utf8").replaceAll("holdpoint_app", role));
  const url = new URL(postgres.url);
  [url.username, url.password] = [role, "app"];
  const keyFile = join(temporaryFolder(), "audit.pem");
  createKeyFile(keyFile);
  const sealsFile = join(temporaryFolder(), "seals.jsonl");
  const engine = await openEngine({ database: url.href, audit: { keyFile, sealsFile } });
  const { id, digest } = await approvedAction(engine);
  expect(await engine.startPermit(id, digest)).toMatchObject({ type: "done" });
  await engine.sealAudit();
  await engine.close();
  const own = new Client({ connectionString: url.href });
  await own.connect();
  onTestFinished(() => own.end());
  for (const sql of [
    `UPDATE holdpoint.audit_events SET body = '{"erased":true}', salt = NULL`,
    `DELETE FROM holdpoint.audit_events`,
    `DELETE FROM holdpoint.audit_seals`,
    `ALTER TABLE holdpoint.audit_events DISABLE TRIGGER ALL`,
  ])
    await expect(own.query(sql)).rejects.toThrow(/permission denied|must be owner/);
});
