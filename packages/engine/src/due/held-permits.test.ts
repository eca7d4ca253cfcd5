import { setImmediate as nextTick } from "node:timers/promises";
import type { Permit } from "@holdpoint/core";
import { expect, onTestFinished, test } from "vitest";
import { startEngine } from "../engine.ts";
import { openStorage } from "../storage/open-storage.ts";
import type { Writing } from "../storage/storage.ts";
import { approvedAction } from "../testing/review-draft.ts";
import { createHeldPermits } from "./held-permits.ts";

function started(fence: number): Permit {
  const state = { status: "started", startedAt: "2026-11-30T12:00:00.000Z" } as const;
  return { actionId: "act_1", digest: "sha256:0", fence, state };
}

test("a start is taken once, whoever was told of it first, and a later start again", () => {
  const held = createHeldPermits();
  expect([held.take(started(1)), held.take(started(1))]).toEqual([true, false]);
  expect(held.take(started(2))).toBe(true);
  expect(held.take(started(1))).toBe(false);
});

test("a start whose tool runs no longer is not renewed, and still taken; only one that is over is forgotten", () => {
  const held = createHeldPermits();
  held.take(started(2));
  held.release("act_1", 1); // somebody's before
  expect(held.running()).toEqual(["act_1"]);
  held.release("act_1", 2);
  expect([held.running(), held.has("act_1"), held.isTaken(started(2))]).toEqual([[], false, true]);
  held.forget("act_1", 1);
  expect(held.isTaken(started(2))).toBe(true);
  held.forget("act_1", 2);
  expect(held.isTaken(started(2))).toBe(false);
});

test("what is being started belongs to this engine until every caller is done, and is not renewed", () => {
  const held = createHeldPermits();
  held.begin("act_1");
  held.begin("act_1");
  held.finish("act_1");
  expect([held.has("act_1"), held.running()]).toEqual([true, []]);
  held.finish("act_1");
  expect(held.has("act_1")).toBe(false);
});

test("F2: nobody is judged while a start before may have been committed and was not told yet", async () => {
  const storage = await openStorage(":memory:");
  const engine = await startEngine(storage, { database: ":memory:" });
  onTestFinished(() => engine.close());
  const { id, digest } = await approvedAction(engine);
  const committed = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const { write } = storage;
  let writes = 0;
  Object.assign(storage, {
    write: async <Result>(work: (writing: Writing) => Promise<Result>): Promise<Result> => {
      writes += 1;
      const isFirst = writes === 1;
      const result = await write(work);
      if (isFirst) {
        committed.resolve();
        await answer.promise; // the answer to its COMMIT is slow
      }
      return result;
    },
  });
  const first = engine.startPermit(id, digest);
  await committed.promise;
  const second = engine.startPermit(id, digest);
  const receipt = { status: "succeeded", message: { content: "ran" } } as const;
  const closed = first.then(() => engine.closePermit(id, 1, receipt));
  for (let ticks = 0; ticks < 10; ticks += 1) await nextTick();
  expect(writes).toBe(1);
  answer.resolve();
  expect((await first).type).toBe("done");
  expect((await second).type).toBe("refused");
  expect((await closed).type).toBe("done");
  expect((await engine.startPermit(id, digest)).type).toBe("refused");
});
