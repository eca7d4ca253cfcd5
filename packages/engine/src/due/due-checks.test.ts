import { describe, expect, onTestFinished, test, vi } from "vitest";
import { startEngine } from "../engine.ts";
import { openStorage } from "../storage/open-storage.ts";
import type { DeliveryId, Storage, Writing } from "../storage/storage.ts";
import { announcementChecks } from "../testing/announcement-checks.ts";
import { dueChecks, type DueGround } from "../testing/due-checks.ts";
import { aDraft } from "../testing/review-draft.ts";
import { databaseAt, isOnSqlite, temporaryFile } from "../testing/temporary-engine.ts";
import { createTestClock } from "../testing/test-clock.ts";

const checks = [...dueChecks, ...announcementChecks];

/** A new database; every engine on it stands for a process. */
async function newGround(
  spoil: (storage: Storage) => Storage = (storage) => storage,
  timeout = 5_000,
): Promise<DueGround> {
  const database = await databaseAt(temporaryFile());
  const { clock, advance } = createTestClock();
  const open: DueGround["open"] = async (options = {}) => {
    const engine = await startEngine(spoil(await openStorage(database, clock)), {
      database,
      ...options,
    });
    let closed: Promise<void> | undefined;
    const close = (): Promise<void> => (closed ??= engine.close());
    onTestFinished(close);
    return { ...engine, close };
  };
  const until: DueGround["until"] = (isSo) =>
    vi.waitFor(async () => expect(await isSo()).toBe(true), { timeout, interval: 5 });
  return { open, clock, advance, until };
}

describe("due work", () => {
  for (const { name, run } of checks) test(name, async () => run(await newGround()));
});

test("what a consumer still works on whose topic was left is given back when the process leaves", async () => {
  const slowly = (storage: Storage): Storage => ({
    ...storage,
    write: async (work) => {
      for (let turn = 0; turn < 20; turn += 1)
        await new Promise((resolve) => setImmediate(resolve));
      return storage.write(work);
    },
  });
  const ground = await newGround(slowly);
  const [leaving, staying] = [await ground.open(), await ground.open()];
  const begun = Promise.withResolvers<DeliveryId>();
  const leave = await leaving.deliveries.deliver("review.opened", ({ id }) => {
    begun.resolve(id);
    return new Promise(() => undefined);
  });
  await leaving.openReview(aDraft());
  const id = await begun.promise;
  const left = leave();
  await leaving.close();
  const found = await staying.storage.read((reading) => reading.findDelivery(id));
  expect(found).toMatchObject({ status: "pending", attempts: 0, dueAt: ground.clock() });
  await left;
});

/** A storage of which one write is otherwise. */
function faulty(change: (writing: Writing) => Partial<Writing>): (storage: Storage) => Storage {
  return (storage) => ({
    ...storage,
    write: (work) => storage.write((writing) => work({ ...writing, ...change(writing) })),
  });
}

const faults: readonly (readonly [string, ReturnType<typeof faulty>, string])[] = [
  [
    "does not check the fence",
    faulty(({ settleDelivery, findDelivery }) => ({
      settleDelivery: async (claimed, settled) =>
        settleDelivery((await findDelivery(claimed.id)) ?? claimed, settled),
    })),
    "lease loss",
  ],
  [
    "tells again although the lease holds",
    faulty(({ claimDeliveries, expireLeases }) => ({
      claimDeliveries: async (topic, lease, limit) => {
        const claimed = await claimDeliveries(topic, lease, limit);
        await expireLeases(lease.owner);
        return claimed;
      },
    })),
    "a process that joins",
  ],
  [
    "ignores the back-off",
    faulty(({ settleDelivery, now }) => ({
      settleDelivery: (claimed, settled) => settleDelivery(claimed, { ...settled, dueAt: now }),
    })),
    "retry",
  ],
  [
    "forgets how often it tried",
    faulty(({ settleDelivery }) => ({
      settleDelivery: (claimed, settled) => settleDelivery(claimed, { ...settled, attempts: 0 }),
    })),
    "stuck",
  ],
  [
    "does not wait for what is due later",
    faulty(({ insertDeliveries, now }) => ({
      insertDeliveries: (rows) => insertDeliveries(rows.map((row) => ({ ...row, dueAt: now }))),
    })),
    "delay",
  ],
  [
    "claims the same one at the head for ever",
    faulty(({ claimDeliveries, settleDelivery }) => ({
      claimDeliveries: (topic, lease) => claimDeliveries(topic, lease, 1),
      settleDelivery: (claimed, settled) => settleDelivery(claimed, { ...settled, dueAt: "" }),
    })),
    "F40",
  ],
  [
    "does not count a claim whose process died",
    faulty(({ claimDeliveries }) => ({
      claimDeliveries: async (topic, lease, limit) =>
        (await claimDeliveries(topic, lease, limit)).map((one) => ({ ...one, attempts: 1 })),
    })),
    "a claim whose process died",
  ],
  [
    "keeps what it has when it leaves",
    faulty(({ settleDelivery }) => ({
      settleDelivery: async (claimed, settled) =>
        settled.attempts === 0 ? false : settleDelivery(claimed, settled),
    })),
    "a process that leaves",
  ],
  [
    "writes what nobody wants",
    faulty(({ insertDeliveries, subscribeTopic }) => ({
      insertDeliveries: async (rows) => {
        for (const { topic } of rows) await subscribeTopic(topic);
        await insertDeliveries(rows);
      },
    })),
    "nobody ever wanted",
  ],
  [
    "reminds of what was settled long ago",
    faulty(() => ({ withdrawDeliveries: async () => undefined })),
    "F14: who waits",
  ],
  [
    "keeps what is stuck of a settled review",
    faulty(() => ({ withdrawDeliveries: async () => undefined })),
    "F14, F41: a reminder",
  ],
  [
    "reminds of everything at once",
    faulty(({ insertDeliveries, now }) => ({
      insertDeliveries: (rows) => insertDeliveries(rows.map((row) => ({ ...row, dueAt: now }))),
    })),
    "F14: who waits",
  ],
];

describe("due work that", () => {
  test.for(faults)("%s is found out", async ([, spoil, caught], { skip }) => {
    skip(!isOnSqlite(), "the fault is in no database");
    vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
    onTestFinished(() => void vi.restoreAllMocks());
    const check = checks.find(({ name }) => name.includes(caught));
    if (check === undefined) throw new Error(`there is no check of ${caught}`);
    await expect(check.run(await newGround(spoil, 500))).rejects.toThrow();
  });
});
