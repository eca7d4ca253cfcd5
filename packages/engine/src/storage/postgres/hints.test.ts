import { Client } from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { startPostgres, type TestPostgres } from "../../../../../test/harness/postgres.ts";
import { likePooler, startProxy } from "../../testing/tcp-proxy.ts";
import type { News } from "../hints.ts";
import { messagesOf, newsIn } from "./hint-messages.ts";
import { openPostgresHints } from "./hints.ts";

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.stop());

function open(address = postgres.url) {
  const hints = openPostgresHints(address, undefined);
  onTestFinished(hints.close);
  const news: News[] = [];
  hints.listen((one) => news.push(one));
  const heard = (about: keyof News) => new Set(news.flatMap((one) => one[about]));
  return { ...hints, news, heard };
}

/** Tells until it is heard: a hint may be lost, and is while the other is not connected yet. */
async function untilHeard(from: ReturnType<typeof open>, to: ReturnType<typeof open>, id: string) {
  await vi.waitFor(
    () => {
      from.tell("due", id);
      expect(to.heard("due")).toContain(id);
    },
    { timeout: 10_000, interval: 30 },
  );
}

async function query(sql: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

test("what one process tells, the others hear in few messages, and itself does not", async () => {
  const [one, two] = [open(), open()];
  await untilHeard(one, two, "ready");
  await untilHeard(two, one, "ready too");
  const before = two.news.length;
  const ids = Array.from({ length: 50 }, (_, number) => `t${number}`);
  for (const id of ids) for (const about of ["due", "said"] as const) one.tell(about, id);
  await vi.waitFor(() => expect(two.heard("said")).toEqual(new Set(ids)));
  expect(two.news.length - before).toBeLessThanOrEqual(2);
  expect(one.heard("due")).toEqual(new Set(["ready too"]));
});

test("F44: a connection that is lost is made anew, and hints are heard again", async () => {
  const [one, two] = [open(), open()];
  await untilHeard(one, two, "before");
  await query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'holdpoint hints'",
  );
  await untilHeard(one, two, "after");
});

test("a connection that was cut on the way is made anew", async () => {
  const cuts: (() => void)[] = [];
  const address = await startProxy(postgres.url, (bytes, cut) => {
    cuts.push(() => cut("now"));
    return bytes;
  });
  const [one, two] = [open(), open(address)];
  await untilHeard(one, two, "before");
  for (const cut of cuts.splice(0)) cut();
  await untilHeard(one, two, "after");
});

test("what anybody else says on the channel is passed over", async () => {
  const [one, two] = [open(), open()];
  await untilHeard(one, two, "ready");
  for (const message of ["", "no JSON", "[]", '{"from":"x"}', '{"from":"x","due":[1],"said":[]}'])
    await query(`SELECT pg_notify('holdpoint', '${message}')`);
  await untilHeard(one, two, "still there");
  expect(two.heard("due")).toEqual(new Set(["ready", "still there"]));
});

test("a direct address that leads nowhere is warned of once, without the password, and holds nothing up", async () => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  const hints = openPostgresHints(postgres.url, "postgres://anna:secret@127.0.0.1:1/db");
  hints.tell("due", "t1");
  await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce(), 5_000);
  expect(warn.mock.calls[0]?.[0]).toBe(
    "The direct address of the database cannot be used (connect ECONNREFUSED 127.0.0.1:1); what other processes do is seen when it is polled for.",
  );
  await new Promise((resolve) => setTimeout(resolve, 300)); // the next attempts fail as well
  expect(warn).toHaveBeenCalledOnce();
  await hints.close();
  warn.mockRestore();
});

test("F55: behind a pooler nobody listens, and who named it as the direct address is told", async () => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  const sent: string[] = [];
  const pooler = await startProxy(
    postgres.url,
    (bytes) => {
      sent.push(bytes.toString("latin1"));
      return bytes;
    },
    likePooler,
  );
  const behind = openPostgresHints(pooler, undefined);
  await vi.waitFor(() => expect(sent.join("")).toContain("pg_backend_pid"), 5_000);
  const named = openPostgresHints(postgres.url, pooler);
  await vi.waitFor(() => expect(warn).toHaveBeenCalledOnce(), 5_000);
  expect(warn.mock.calls[0]?.[0]).toContain("leads to a pooler");
  expect(sent.join("")).not.toContain("LISTEN");
  await Promise.all([behind.close(), named.close()]);
  warn.mockRestore();
});

test("however much there is to tell, each message is one that Postgres takes, and none is lost", () => {
  const due = Array.from({ length: 2_000 }, (_, number) => `线程 "${number}"`);
  const messages = messagesOf("me", { due, said: ["x".repeat(9_000), "last"] });
  expect(messages.length).toBeGreaterThan(2);
  for (const message of messages) expect(Buffer.byteLength(message)).toBeLessThan(8_000);
  const news = messages.map((message) => newsIn(message, "you"));
  expect(news.flatMap((one) => one?.due ?? [])).toEqual(due);
  expect(news.flatMap((one) => one?.said ?? [])).toEqual(["last"]);
  expect(messages.map((message) => newsIn(message, "me"))).toEqual(messages.map(() => undefined));
  expect(messagesOf("me", { due: [], said: [] })).toEqual([]);
});
