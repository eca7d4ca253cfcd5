import { type Engine, openEngine, type Run } from "@holdpoint/engine";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { startPostgres, type TestPostgres } from "../../../../test/harness/postgres.ts";
import { createEventLog, protocolEvent } from "./event-log.ts";

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.stop());

async function open(directAddress: string): Promise<Engine> {
  const engine = await openEngine({ database: postgres.url, directAddress });
  onTestFinished(() => engine.close());
  return engine;
}

/** A run on one engine that says something when asked, and all that another engine's page hears of it. */
async function twoProcesses(directAddress: string) {
  const [one, two] = [await open(directAddress), await open(directAddress)];
  const threadId = `thread_${Math.random()}`;
  await one.runs.start({ threadId, agent: threadId, input: {}, dedupeKey: "1" });
  const run = (await one.runs.claim([threadId])) as Run; // it is the only one
  const heard: string[] = [];
  const stop = createEventLog(two).follow(threadId, 0, {
    hear: ({ method }) => void heard.push(method),
    fail: (error) => void heard.push(String(error)),
  });
  onTestFinished(stop);
  const log = createEventLog(one);
  return {
    one,
    two,
    threadId,
    heard,
    say: (what: string) => log.append(run, [protocolEvent(what, {})]),
  };
}

test("on Postgres another process hears at once that there is due work, and what a thread said", async () => {
  const { one, two, threadId, heard, say } = await twoProcesses(postgres.url);
  const due: string[] = [];
  const said: string[] = [];
  two.onDue((id) => due.push(id));
  two.onEvents((ids) => said.push(...ids));
  await vi.waitFor(async () => {
    await say("x"); // until both are connected
    expect(said).toContain(threadId);
  }, 10_000);
  const another = `${threadId}b`;
  await one.runs.start({ threadId: another, agent: threadId, input: {}, dedupeKey: "1" });
  await vi.waitFor(() => expect(due).toContain(another));
  await say("last");
  await vi.waitFor(() => expect(heard.at(-1)).toBe("last"));
  expect(new Set(heard)).toEqual(new Set(["x", "last"]));
});

test("F44: where no notification arrives, a page hears everything one poll later, in order", async () => {
  vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  const { two, heard, say } = await twoProcesses("postgres://127.0.0.1:1/nowhere");
  const said: string[] = [];
  two.onEvents((ids) => said.push(...ids));
  for (const what of ["one", "two", "three"]) await say(what);
  await vi.waitFor(() => expect(heard).toEqual(["one", "two", "three"]), 5_000);
  expect(said).toEqual([]);
});
