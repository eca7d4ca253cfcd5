import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { holdAgent } from "@holdpoint/langchain";
import { callsOnce, ScriptedModel } from "@holdpoint/langchain/testing";
import { tool } from "langchain";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import {
  hello,
  messagesOf,
  startForTest,
  startRun,
  waitForReview,
} from "../testing/conversation.ts";
import type { TestServer } from "../testing/test-server.ts";

afterEach(() => void vi.restoreAllMocks());

/** A connection of the test's own, to break the database and to see what is in it. */
function openRaw(one: TestServer): DatabaseSync {
  const database = new DatabaseSync(join(one.dataFolder, "holdpoint.db"), { timeout: 5_000 });
  onTestFinished(() => database.close());
  return database;
}

/** Makes the database refuse one kind of write until it is mended. */
function breakDatabase(raw: DatabaseSync, when: string): () => void {
  raw.exec(`CREATE TRIGGER broken BEFORE ${when} BEGIN SELECT RAISE(ABORT, 'disk full'); END`);
  return () => raw.exec("DROP TRIGGER broken");
}

function statusOf(raw: DatabaseSync, runId: string): unknown {
  return raw.prepare("SELECT status FROM runs WHERE id = ?").get(runId)?.["status"];
}

/** What a tool waits for, and whether it has begun. */
function gate() {
  const waiting: (() => void)[] = [];
  return {
    begun: () => waiting.length,
    open: () => waiting.splice(0).forEach((letGo) => letGo()),
    wait: () => new Promise<void>((resolve) => waiting.push(resolve)),
  };
}

test("an event that cannot be stored ends its run with a sentence, not the process (C4)", async () => {
  const { wait, begun, open } = gate();
  const one = await startForTest({ free: true, wait });
  const raw = openRaw(one);
  const mend = breakDatabase(raw, "INSERT ON run_events WHEN NEW.method = 'values'");
  const run = await startRun(one, "t1");
  await vi.waitFor(() => expect(statusOf(raw, run)).toBe("failed"), 5_000);
  mend();
  expect(raw.prepare("SELECT error FROM runs WHERE id = ?").get(run)?.["error"]).toContain(
    "disk full",
  );
  expect(begun()).toBeLessThanOrEqual(1);
  open();
  expect((await one.command("t1", "run.start", hello("m2"))).body).toMatchObject({
    type: "success",
  });
  await vi.waitFor(() => expect(begun()).toBe(1), 5_000);
  open();
});

test("a run whose end cannot be stored either is taken up again once it can (C5)", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const one = await startForTest({ free: true });
  const raw = openRaw(one);
  const mend = breakDatabase(raw, "INSERT ON run_events");
  const run = await startRun(one, "t1");
  await vi.waitFor(() => expect(vi.mocked(console.error)).toHaveBeenCalled(), 5_000);
  expect(vi.mocked(console.error).mock.calls[0]?.[0]).toBe(
    `Run ${run} could not be recorded and is tried again: disk full.`,
  );
  mend();
  expect(statusOf(raw, run)).toBe("running");
  raw.exec("UPDATE runs SET lease_until = '2020-01-01T00:00:00.000Z'"); // as if the time had passed
  await vi.waitFor(() => expect(statusOf(raw, run)).toBe("completed"), 5_000);
  expect(one.ran).toHaveLength(1);
});

test("a thread whose state cannot be read after the run has a run that failed, not one that never ends (C5)", async () => {
  let reads = 0;
  const one = await startForTest({
    create: ({ holdpoint }) => {
      const model = new ScriptedModel(callsOnce());
      const agent = holdAgent({ name: "writer", holdpoint, tools: [], interruptOn: {}, model });
      const read = agent.graph.getState.bind(agent.graph);
      agent.graph.getState = (config) => {
        if ((reads += 1) === 2) throw new Error("not readable");
        return read(config);
      };
      return agent;
    },
  });
  const raw = openRaw(one);
  const run = await startRun(one, "t1");
  await vi.waitFor(() => expect(statusOf(raw, run)).toBe("failed"), 5_000);
  expect(raw.prepare("SELECT error FROM runs WHERE id = ?").get(run)?.["error"]).toBe(
    "The agent could not finish its answer: not readable. Nothing that was decided is lost; send a message to try again.",
  );
});

test("a worker whose run was taken from it stops, and says nothing more in the thread (H10)", async () => {
  const { wait, begun, open } = gate();
  const one = await startForTest({ free: true, wait });
  const raw = openRaw(one);
  const run = await startRun(one, "t1");
  await vi.waitFor(() => expect(begun()).toBe(1), 5_000);
  raw.exec("UPDATE runs SET fence = fence + 1, lease_owner = 'elsewhere/1/1/x'");
  const events = () => Number(raw.prepare("SELECT count(*) AS n FROM run_events").get()?.["n"]);
  const before = events();
  open();
  await vi.waitFor(() => expect(one.ran).toHaveLength(1));
  await vi.waitFor(async () => {
    expect((await messagesOf(one, "t1")).map((message) => message.type)).toContain("tool");
  }, 5_000);
  expect(events()).toBe(before);
  expect(statusOf(raw, run)).toBe("running");
});

test("a worker whose run was taken from it stops what the run is doing (H10)", async () => {
  const { wait, begun, open } = gate();
  let isStopped = false;
  const first = tool(
    async () => {
      await wait();
      return "done";
    },
    { name: "first", description: "waits to be let go", schema: z.object({}) },
  );
  const second = tool(
    (_args, { signal }: { signal?: AbortSignal }) =>
      new Promise<string>((resolve) => {
        signal?.addEventListener("abort", () => {
          isStopped = true;
          resolve("stopped");
        });
      }),
    { name: "second", description: "waits to be stopped", schema: z.object({}) },
  );
  const one = await startForTest({
    create: ({ holdpoint }) =>
      holdAgent({
        name: "writer",
        holdpoint,
        tools: [first, second],
        interruptOn: { first: false, second: false },
        model: new ScriptedModel(
          callsOnce({ name: "first", args: {} }, { name: "second", args: {} }),
        ),
      }),
  });
  await startRun(one, "t1");
  await vi.waitFor(() => expect(begun()).toBe(1), 5_000);
  openRaw(one).exec("UPDATE runs SET fence = fence + 1, lease_owner = 'elsewhere/1/1/x'");
  open();
  await vi.waitFor(() => expect(isStopped).toBe(true), 5_000);
});

test("closing the server gives its runs back at once and reports no trouble; the next start goes on", async () => {
  const reported = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { wait, begun, open } = gate();
  const first = await startForTest({ free: true, wait });
  const run = await startRun(first, "t1");
  await vi.waitFor(() => expect(begun()).toBe(1), 5_000);
  await first.server.close();
  const raw = openRaw(first);
  expect(raw.prepare("SELECT status, attempts FROM runs WHERE id = ?").get(run)).toEqual({
    status: "queued",
    attempts: 0,
  });
  open();
  const second = await startForTest({ free: true, dataFolder: first.dataFolder });
  await vi.waitFor(() => expect(statusOf(raw, run)).toBe("completed"), 5_000);
  expect(second.ran.length).toBeLessThanOrEqual(1);
  expect(reported).not.toHaveBeenCalled();
});

test("a run that waits in line can be stopped, and never works (M13)", async () => {
  const { wait, begun, open } = gate();
  const one = await startForTest({ free: true, wait });
  for (let number = 0; number < 8; number += 1) await startRun(one, `busy${number}`);
  await vi.waitFor(() => expect(begun()).toBe(8), 5_000);
  const queued = await startRun(one, "t1");
  expect((await one.request(`/threads/t1/runs/${queued}/cancel`, { body: {} })).status).toBe(202);
  const raw = openRaw(one);
  expect(statusOf(raw, queued)).toBe("cancelled");
  const answer = await one.command("t1", "run.start", hello("m1"));
  expect(answer.body).toMatchObject({ type: "success" });
  expect(answer.body["result"]).not.toEqual({ run_id: queued });
  const timer = setInterval(open, 20);
  onTestFinished(() => clearInterval(timer));
  await vi.waitFor(() => expect(one.ran).toHaveLength(9), 5_000);
  expect(statusOf(raw, queued)).toBe("cancelled");
});

test("only a run of the thread can be stopped, and one that is not there is named (M13)", async () => {
  const one = await startForTest();
  const run = await startRun(one, "t1");
  await waitForReview(one);
  for (const path of [`/threads/t2/runs/${run}/cancel`, "/threads/t1/runs/run_nowhere/cancel"]) {
    expect(await one.request(path, { body: {} })).toMatchObject({
      status: 404,
      body: { error: { code: "not_found", message: expect.stringContaining("There is no run") } },
    });
  }
  expect((await one.request(`/threads/t1/runs/${run}/cancel`, { body: {} })).status).toBe(202);
});

test("F40: a run that every process died with is given up: failed, audited as stuck, with an alarm", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  const { wait, begun, open } = gate();
  const one = await startForTest({ free: true, wait });
  const raw = openRaw(one);
  const run = await startRun(one, "t1");
  await vi.waitFor(() => expect(begun()).toBe(1), 5_000);
  // As five processes leave it that died with it one after the other.
  raw.exec(`UPDATE runs SET attempts = 5, fence = fence + 5, lease_owner = 'elsewhere/1/1/x',
    lease_until = '2020-01-01T00:00:00.000Z'`);
  open();
  await vi.waitFor(() => expect(statusOf(raw, run)).toBe("failed"), 5_000);
  const events = raw.prepare("SELECT type, body FROM audit_events WHERE stream = ?").all(run);
  expect(events).toEqual([
    { type: "run.stuck", body: JSON.stringify({ attempts: 6, threadId: "t1" }) },
  ]);
  expect(String(warned.mock.calls.at(-1)?.[0])).toMatch(
    new RegExp(
      `^Run ${run} of thread t1 was given up after 6 attempts: The run was given up after 5`,
    ),
  );
});
