import { openEngine } from "@holdpoint/engine";
import { storageChecks } from "@holdpoint/engine/conformance";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { openStorage } from "../packages/engine/src/storage/open-storage.ts";
import { type PgBouncer, startPgBouncer } from "./harness/pgbouncer.ts";
import { startPostgres, type TestPostgres } from "./harness/postgres.ts";

let postgres: TestPostgres;
let bouncer: PgBouncer;

beforeAll(async () => {
  postgres = await startPostgres();
  bouncer = await startPgBouncer(postgres.url);
  console.log(bouncer.version);
});

afterAll(async () => {
  await bouncer.stop();
  await postgres.stop();
});

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

describe("F55: through PgBouncer in transaction mode", () => {
  for (const { name, run } of storageChecks) test(name, () => run(() => openStorage(bouncer.url)));
});

describe("F55: behind PgBouncer", () => {
  async function twoEngines(directAddress?: string) {
    const options = {
      database: bouncer.url,
      ...(directAddress === undefined ? {} : { directAddress }),
    };
    const engines = [await openEngine(options), await openEngine(options)] as const;
    onTestFinished(async () => void (await Promise.all(engines.map((engine) => engine.close()))));
    const due: string[] = [];
    engines[1].onDue((threadId) => due.push(threadId));
    let started = 0;
    const start = async () => {
      started += 1;
      const threadId = `thread_${Math.random()}`;
      const input = { started };
      await engines[0].runs.start({ threadId, agent: "a", input, dedupeKey: "1" });
      return threadId;
    };
    return { start, due };
  }

  test("a direct address lets one process hear at once what another does", async () => {
    const { start, due } = await twoEngines(postgres.url);
    await vi.waitFor(async () => {
      await start(); // until both are connected
      expect(due).not.toEqual([]);
    }, 10_000);
    const threadId = await start();
    await vi.waitFor(() => expect(due).toContain(threadId));
  });

  test("without one nobody listens", async () => {
    const { start, due } = await twoEngines();
    for (let number = 0; number < 5; number += 1) await start();
    const client = await connect(postgres.url);
    const { rows } = await client.query(
      "SELECT 1 FROM pg_stat_activity WHERE query ILIKE '%listen%' AND pid <> pg_backend_pid()",
    );
    expect(rows).toEqual([]);
    expect(due).toEqual([]);
  });
});

describe("negative controls: through this PgBouncer", () => {
  test("a prepared statement is met under its name by somebody who never made it, or missed", async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => connect(bouncer.url)));
    const failures = new Set<unknown>();
    for (let round = 0; round < 5; round += 1) {
      await Promise.all(
        clients.map((client) =>
          client
            .query({ name: "one", text: "SELECT pg_sleep(0.01), $1::int", values: [round] })
            .catch((error: { code?: string }) => failures.add(error.code)),
        ),
      );
    }
    expect([...failures].some((code) => code === "26000" || code === "42P05")).toBe(true);
  });

  test("a listener hears nothing", async () => {
    const listener = await connect(bouncer.url);
    const heard: unknown[] = [];
    listener.on("notification", (message) => heard.push(message));
    await listener.query("LISTEN holdpoint");
    const teller = await connect(postgres.url);
    await teller.query("SELECT pg_notify('holdpoint', 'x')");
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(heard).toEqual([]);
  });
});
