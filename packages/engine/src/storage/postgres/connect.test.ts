import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:net";
import { refusalOf } from "@holdpoint/core";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { startPostgres, type TestPostgres } from "../../../../../test/harness/postgres.ts";
import { openEngine } from "../../engine.ts";

const migrations = new URL("./migrations/", import.meta.url);
let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.stop());

async function refusalOfOpening(database: string) {
  const failure = await openEngine({ database }).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(JSON.stringify([String(failure), { ...refusalOf(failure) }])).not.toContain("secret");
  return refusalOf(failure);
}

/** One sentence: one full stop at the end, and a way out behind a semicolon. */
const oneSentence = /^[A-Z][^\n]*; [^\n]*[^.]\.$/;

function message(type: string, ...parts: readonly (Buffer | string)[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part)));
  const head = Buffer.alloc(5, type);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}

const int32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32BE(value);
  return bytes;
};
const int16 = (value: number): Buffer => int32(value).subarray(2);
const ready = message("Z", "I");
const welcome = Buffer.concat([message("R", int32(0)), ready]);

/** The answer of a server to a query: one row. */
function row(values: Readonly<Record<string, string>>): Buffer {
  const text = Buffer.concat([int32(0), int16(0), int32(25), int16(-1), int32(-1), int16(0)]);
  const columns = Object.keys(values).flatMap((name) => [`${name}\0`, text]);
  const cells = Object.values(values).flatMap((value) => [int32(value.length), value]);
  const count = int16(Object.keys(values).length);
  return Buffer.concat([
    message("T", count, ...columns),
    message("D", count, ...cells),
    message("C", "SELECT 1\0"),
    ready,
  ]);
}

/** A server of another kind: it answers what it is sent, in turn. */
async function startServer(...answers: readonly Buffer[]): Promise<string> {
  const server = createServer((socket) => {
    let asked = 0;
    socket.on("data", () => void socket.write(answers[asked++] ?? ready));
    socket.on("error", () => undefined);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const place = server.address();
  if (place === null || typeof place === "string") throw new Error("a server has a port");
  return `127.0.0.1:${place.port}`;
}

const good = {
  version: "18",
  full_version: "18.0",
  fsync: "on",
  encoding: "UTF8",
  is_copy: "f",
};

describe("a server that cannot keep the promise is refused in one sentence, without the password", () => {
  test("that cannot be reached", async () => {
    const refusal = await refusalOfOpening("postgres://user:secret@127.0.0.1:1/db");
    expect(refusal).toEqual({
      code: "database_refused",
      message:
        "The database postgres://127.0.0.1:1/db could not be opened (connect ECONNREFUSED 127.0.0.1:1); check the address, the user and that the server runs.",
      details: {},
    });
  });

  test("that does not let the user in", async () => {
    const text = 'password authentication failed for user "anna"';
    const host = await startServer(message("E", `SFATAL\0VFATAL\0C28P01\0M${text}\0\0`));
    const refusal = await refusalOfOpening(`postgresql://anna:secret@${host}/db`);
    expect(refusal).toMatchObject({ code: "database_refused" });
    expect(refusal?.message).toMatch(oneSentence);
    expect(refusal?.message).toContain(text);
  });

  test("that has no such database", async () => {
    const refusal = await refusalOfOpening(new URL("/none", postgres.url).href);
    expect(refusal).toMatchObject({ code: "database_refused" });
    expect(refusal?.message).toMatch(oneSentence);
    expect(refusal?.message).toContain('database "none" does not exist');
  });

  test.each([
    [{ version: "14", full_version: "14.19" }, "is PostgreSQL 14.19; Holdpoint needs 15 or later."],
    [{ fsync: "off" }, "runs with fsync off"],
    [{ encoding: "SQL_ASCII" }, "is not in UTF8"],
  ])("whose settings are %j", async (found, expected) => {
    const host = await startServer(welcome, row({ pid: "0" }), row({ ...good, ...found }));
    const refusal = await refusalOfOpening(`postgres://anna:secret@${host}/db`);
    expect(refusal).toMatchObject({ code: "database_refused" });
    expect(refusal?.message).toMatch(oneSentence);
    expect(refusal?.message).toContain(expected);
  });

  test("whose address cannot be read", async () => {
    const refusal = await refusalOfOpening("postgres://user:secret#/@host:1/db");
    expect(refusal).toMatchObject({ code: "database_refused" });
    expect(refusal?.message).toMatch(oneSentence);
  });

  test("that was written by a newer Holdpoint", async () => {
    await using own = await newDatabase();
    await (await openEngine({ database: own.url })).close();
    await own.query("UPDATE holdpoint.schema_version SET version = 99");
    const refusal = await refusalOfOpening(own.url);
    expect(refusal).toMatchObject({ code: "database_refused" });
    expect(refusal?.message).toMatch(
      /^The database was written by a newer Holdpoint \(schema 99, /,
    );
  });

  test("whose schema the user may not make", async () => {
    await using own = await newDatabase();
    const role = `guest_${Date.now()}`;
    await own.query(`CREATE ROLE ${role} LOGIN PASSWORD 'secret'`);
    const url = new URL(own.url);
    url.username = role;
    url.password = "secret";
    const refusal = await refusalOfOpening(url.href);
    await own.query(`DROP ROLE ${role}`);
    expect(refusal).toMatchObject({ code: "database_refused" });
    expect(refusal?.message).toMatch(oneSentence);
    expect(refusal?.message).toContain("permission denied");
  });
});

describe("the schema", () => {
  test("F57: is made once by engines that start at once, also after one that was interrupted", async () => {
    await using own = await newDatabase();
    const client = await own.client();
    // As a process leaves it that is killed halfway: its transaction is taken back.
    await client.query("BEGIN; CREATE SCHEMA holdpoint; CREATE TABLE holdpoint.turns ();");
    await client.query("ROLLBACK");
    const engines = await Promise.all(
      Array.from({ length: 8 }, () => openEngine({ database: own.url })),
    );
    for (const engine of engines) await engine.close();
    const { rows } = await client.query<{ version: number }>(
      "SELECT * FROM holdpoint.schema_version",
    );
    expect(rows).toEqual([{ version: readdirSync(migrations).length }]);
  });

  test("keeps what is append-only, and gives each audit event its position", async () => {
    await using own = await newDatabase();
    const engine = await openEngine({ database: own.url });
    for (const seq of [1, 2])
      await engine.storage.write((writing) =>
        writing.insertAuditEvents([
          { stream: "s", seq, type: "t", at: "a", body: {}, previous: "p", hash: "h" },
        ]),
      );
    await engine.close();
    const client = await own.client();
    const { rows } = await client.query("SELECT seq FROM holdpoint.audit_events ORDER BY position");
    expect(rows).toEqual([{ seq: "1" }, { seq: "2" }]);
    for (const statement of [
      "UPDATE holdpoint.audit_events SET type = 'x'",
      "DELETE FROM holdpoint.audit_events",
      "TRUNCATE holdpoint.audit_events",
      "TRUNCATE holdpoint.decisions",
    ]) {
      await expect(client.query(statement), statement).rejects.toThrow("are append-only");
    }
  });
});

test("F11: the time is the database's, whatever the clock of the host says, unless a test brings its own", async () => {
  await using own = await newDatabase();
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2001-01-01T00:00:00.000Z") });
  onTestFinished(() => void vi.useRealTimers());
  const nowOf = async (clock?: () => string) => {
    const engine = await openEngine({
      database: own.url,
      ...(clock === undefined ? {} : { clock }),
    });
    const now = await engine.storage.read(async (reading) => reading.now);
    await engine.close();
    return now;
  };
  const client = await own.client();
  const before = await client.query<{ now: Date }>("SELECT clock_timestamp() AS now");
  const now = await nowOf();
  const after = await client.query<{ now: Date }>("SELECT clock_timestamp() AS now");
  expect(Date.parse(now)).toBeGreaterThanOrEqual(before.rows[0]?.now.getTime() ?? Infinity);
  expect(Date.parse(now)).toBeLessThanOrEqual(after.rows[0]?.now.getTime() ?? 0);
  expect(await nowOf(() => "2026-11-30T12:00:00.000Z")).toBe("2026-11-30T12:00:00.000Z");
});

/** A database of the server, dropped with all its connections at the end of its block. */
async function newDatabase() {
  const name = `own_${Math.random().toString(36).slice(2)}`;
  const clients: Client[] = [];
  const connect = async (url: string): Promise<Client> => {
    const client = new Client({ connectionString: url });
    await client.connect();
    clients.push(client);
    return client;
  };
  const server = await connect(postgres.url);
  await server.query(`CREATE DATABASE ${name}`);
  const url = new URL(postgres.url);
  url.pathname = `/${name}`;
  const client = async (): Promise<Client> => connect(url.href);
  return {
    url: url.href,
    client,
    query: async (sql: string) => void (await (await client()).query(sql)),
    [Symbol.asyncDispose]: async () => {
      for (const one of clients.slice(1)) await one.end();
      await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await server.end();
    },
  };
}
