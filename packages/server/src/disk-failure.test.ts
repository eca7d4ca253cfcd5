import { statSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { canLimitFiles, limitFiles } from "../../../test/harness/file-size-limit.ts";
import {
  hello,
  startForTest as start,
  waitForReview,
  waitUntilIdle,
} from "./testing/conversation.ts";
import type { TestServer } from "./testing/test-server.ts";

/** No file of this process, the server's log of changes above all, grows from now on. */
function fillDisk({ dataFolder }: TestServer): void {
  onTestFinished(() => limitFiles(process.pid, "unlimited"));
  limitFiles(process.pid, statSync(join(dataFolder, "holdpoint.db-wal")).size);
}

const makeRoom = (): void => limitFiles(process.pid, "unlimited");

async function approve(one: TestServer, review: Awaited<ReturnType<typeof waitForReview>>) {
  const decisions = review.actions.map(({ id }) => ({
    actionId: id,
    decision: { type: "approve" },
  }));
  return one.request(`/api/reviews/${review.id}/decisions`, { body: { decisions } });
}

test("a server that can save says that it is well, also to whoever is not signed in", async () => {
  const one = await start();
  const response = await fetch(`${one.server.url}/ok`);
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ ok: true });
});

test("F53: a server whose log somebody keeps from shrinking says so, and is well", async () => {
  const one = await start();
  const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  onTestFinished(() => warned.mockRestore());
  const beside = [1, 2].map(() => new DatabaseSync(join(one.dataFolder, "holdpoint.db")));
  onTestFinished(() => beside.forEach((database) => database.close()));
  const [reads, writes] = beside;
  reads?.exec("BEGIN; SELECT count(*) FROM reviews");
  writes?.exec("CREATE TABLE filler AS SELECT zeroblob(70 * 1024 * 1024) AS bytes");
  expect(await one.request("/ok")).toEqual({
    status: 200,
    body: { ok: true, warning: expect.stringMatching(/^The log beside the database holds 7/) },
  });
  expect(warned).toHaveBeenCalledTimes(1);
});

describe.skipIf(!canLimitFiles)("F17: while the disk is full", () => {
  test("a decision is refused in one sentence, the server says that it is unwell, reads work, and it recovers by itself", async () => {
    const one = await start();
    await one.command("t1", "run.start", hello("m1"));
    const review = await waitForReview(one);
    fillDisk(one);
    const unwell = {
      status: 503,
      body: {
        error: {
          code: "database_unwell",
          message: expect.stringMatching(/^The database .*disk I\/O error\).*[.]$/),
        },
      },
    };
    expect(await approve(one, review)).toMatchObject(unwell);
    expect(await one.request("/ok")).toMatchObject(unwell);
    expect((await waitForReview(one)).status).toBe("open");
    expect(one.ran).toEqual([]);
    makeRoom();
    expect((await one.request("/ok")).status).toBe(200);
    expect((await approve(one, review)).status).toBe(200);
    await waitUntilIdle(one, "t1");
    expect(one.ran).toEqual(["a=x"]);
  });

  test("a tool that was running then gets its receipt once there is room, and does not run again", async () => {
    let finish = (): void => undefined;
    let isRunning = false;
    const one = await start({
      wait: () =>
        new Promise<void>((resolve) => {
          isRunning = true;
          finish = resolve;
        }),
    });
    await one.command("t1", "run.start", hello("m1"));
    const review = await waitForReview(one);
    expect((await approve(one, review)).status).toBe(200);
    await vi.waitFor(() => expect(isRunning).toBe(true), 5_000);
    fillDisk(one);
    finish();
    await vi.waitFor(async () => expect((await one.request("/ok")).status).toBe(503), 5_000);
    expect(one.ran).toEqual(["a=x"]);
    makeRoom();
    const state = await waitUntilIdle(one, "t1");
    expect(JSON.stringify(state["values"])).toContain("wrote a");
    const after = await one.request(`/api/reviews/${review.id}`);
    expect(after.body["actions"]).toMatchObject([{ permit: "succeeded" }]);
    expect(one.ran).toEqual(["a=x"]);
  });
});
