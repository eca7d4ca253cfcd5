import assert from "node:assert/strict";
import { newId } from "../../ids.ts";
import { check, rivals, type StorageCheck } from "./check.ts";
import { aLease, hardJson, hardText, insertRun, insertThread, past, soon } from "./samples.ts";

/** What is promised of threads and runs as due work. */
export const runChecks: readonly StorageCheck[] = [
  check("it is known which of several threads are hosted here", async (storage) => {
    const [one, two] = await storage.write(async (writing) => [
      await insertThread(writing),
      await insertThread(writing),
    ]);
    const asked = [two?.id ?? "", "nobody's", one?.id ?? ""];
    const hosted = await storage.read((reading) => reading.hostedAmong(asked));
    assert.deepEqual(hosted, new Set([one?.id, two?.id]));
  }),

  check("a thread and its runs come back as they were stored", async (storage) => {
    const { thread, first, second } = await storage.write(async (writing) => {
      const thread = await insertThread(writing);
      const start = { kind: "start", input: hardJson, dedupeKey: hardText } as const;
      const first = await insertRun(writing, thread, start);
      return { thread, first, second: await insertRun(writing, thread) };
    });
    const seen = await storage.read(async (reading) => ({
      thread: await reading.findThread(thread.id),
      first: await reading.findRun(first.id),
      byKey: await reading.findRunByKey(thread.id, hardText),
      active: await reading.activeRunsOf(thread.id),
      latest: await reading.latestRunOf(thread.id),
      none: [await reading.findThread("none"), await reading.findRunByKey(thread.id, "none")],
    }));
    const none = [undefined, undefined];
    const active = [first, second];
    assert.deepEqual(seen, { thread, first, byKey: first, active, latest: second, none });
  }),

  check(
    "a run is claimed, released and ended only with the fence that was seen, and never after its end",
    async (storage) => {
      const queued = await storage.write(async (writing) =>
        insertRun(writing, await insertThread(writing)),
      );
      const lease = aLease();
      const claim = (seen: typeof queued) =>
        storage.write((writing) => writing.claimRun(seen, lease));
      const end = (seen: typeof queued) =>
        storage.write((writing) => writing.endRun(seen, "failed", hardText));
      assert.equal(await claim({ ...queued, fence: 7 }), undefined);
      const claimed = { ...queued, status: "running", attempts: 1, fence: 1 } as const;
      assert.deepEqual(await claim(queued), claimed);
      assert.equal(await claim(queued), undefined);
      assert.equal(await storage.write((writing) => writing.releaseRun(queued)), false);
      assert.equal(await end(queued), false);
      assert.equal(await storage.write((writing) => writing.releaseRun(claimed)), true);
      const again = { ...claimed, fence: 2 };
      assert.deepEqual(await claim({ ...claimed, status: "queued" }), again);
      assert.equal(await end(again), true);
      assert.equal(await end(again), false);
      assert.equal(await claim(again), undefined);
      const ended = await storage.read((reading) => reading.findRun(queued.id));
      assert.deepEqual(ended, { ...again, status: "failed", error: hardText });
    },
  ),

  check("of claims at once exactly one gets the run", async (storage) => {
    const queued = await storage.write(async (writing) =>
      insertRun(writing, await insertThread(writing)),
    );
    const claims = await Promise.all(
      rivals.map(() => storage.write((writing) => writing.claimRun(queued, aLease()))),
    );
    assert.equal(claims.filter((run) => run !== undefined).length, 1);
  }),

  check(
    "of starts at once that each found the thread idle exactly one is made",
    async (storage) => {
      const thread = await storage.write(insertThread);
      const made = await Promise.all(
        rivals.map((rival) =>
          storage.write(async (writing) => {
            if ((await writing.activeRunsOf(thread.id)).length > 0) return false;
            await insertRun(writing, thread, { kind: "start", dedupeKey: `key ${rival}` });
            return true;
          }),
        ),
      );
      assert.equal(made.filter(Boolean).length, 1);
      const active = await storage.read((reading) => reading.activeRunsOf(thread.id));
      assert.equal(active.length, 1);
    },
  ),

  check(
    "a run that failed or was cancelled gives its key back, one that completed keeps it",
    async (storage) => {
      for (const status of ["failed", "cancelled", "completed"] as const) {
        const found = await storage.write(async (writing) => {
          const thread = await insertThread(writing);
          const run = await insertRun(writing, thread, { dedupeKey: "key" });
          await writing.endRun(run, status, undefined);
          return writing.findRunByKey(thread.id, "key");
        });
        assert.equal(found === undefined, status !== "completed", status);
      }
    },
  ),

  check(
    "the oldest run of these agents is due, one for each thread, and not what the caller holds",
    async (storage) => {
      const { agent, first, second, other } = await storage.write(async (writing) => {
        const thread = await insertThread(writing);
        const beside = { ...thread, id: newId("thread") };
        await writing.insertThread(beside);
        const first = await insertRun(writing, thread);
        const second = await insertRun(writing, thread);
        return { agent: thread.agent, first, second, other: await insertRun(writing, beside) };
      });
      const due = (held: readonly (typeof first)[] = [], agents = [agent]) =>
        storage.read(
          async (reading) =>
            (
              await reading.dueRun(
                agents,
                held.map((run) => run.id),
              )
            )?.id,
        );
      assert.equal(await due([], []), undefined);
      assert.equal(await due([], ["nobody"]), undefined);
      assert.equal(await due([], ["nobody", agent]), first.id);
      assert.equal(await due([first]), other.id);
      await storage.write((writing) => writing.claimRun(first, aLease(soon)));
      assert.equal(await due(), other.id);
      await storage.write((writing) => writing.endRun(other, "completed", undefined));
      assert.equal(await due(), undefined);
      await storage.write((writing) =>
        writing.endRun({ ...first, fence: 1 }, "completed", undefined),
      );
      assert.equal(await due(), second.id);
    },
  ),

  check(
    "a run whose lease has run out is due again, but not to whoever holds it",
    async (storage) => {
      const { thread, run } = await storage.write(async (writing) => {
        const thread = await insertThread(writing);
        return { thread, run: await insertRun(writing, thread) };
      });
      const lease = aLease(past);
      await storage.write((writing) => writing.claimRun(run, lease));
      const due = (held: readonly (typeof run.id)[] = []) =>
        storage.read(async (reading) => (await reading.dueRun([thread.agent], held))?.id);
      assert.equal(await due(), run.id);
      assert.equal(await due([run.id]), undefined);
      const renew = (owner: string, runs: readonly (typeof run.id)[]) =>
        storage.write((writing) =>
          writing.renewLeases({ owner, until: soon }, { runs, permits: [] }),
        );
      await renew("another owner", [run.id]);
      await renew(lease.owner, []);
      assert.equal(await due(), run.id);
      await renew(lease.owner, [run.id]);
      assert.equal(await due(), undefined);
      assert.ok((await storage.read((reading) => reading.leaseOwners())).includes(lease.owner));
      await storage.write((writing) => writing.expireLeases(lease.owner));
      assert.equal(await due(), run.id);
    },
  ),
];
