import assert from "node:assert/strict";
import { newId } from "../../ids.ts";
import type { Delivery, Storage } from "../storage.ts";
import { check, rivals, type StorageCheck } from "./check.ts";
import { aLease, hardText, late, past, soon } from "./samples.ts";

type Draft = Pick<Delivery, "id" | "topic" | "key" | "body" | "dueAt">;

/** What is promised of deliveries as due work. */
export const deliveryChecks: readonly StorageCheck[] = [
  check(
    "a delivery is kept once for each topic and key, as it was written, and only where somebody subscribed",
    async (storage) => {
      const topic = await subscribe(storage);
      const body = JSON.stringify({ text: hardText });
      const [first, same, other] = [
        aDelivery(topic, { key: hardText, body }),
        aDelivery(topic, { key: hardText, body: "{}" }),
        aDelivery(topic),
      ];
      const unwanted = aDelivery(newId("topic"));
      await insert(storage, first);
      await insert(storage, same, unwanted, other);
      const found = await find(storage, first);
      assert.deepEqual(found, {
        ...first,
        status: "pending",
        attempts: 0,
        fence: 0,
        createdAt: found?.createdAt,
      });
      assert.notEqual(await find(storage, other), undefined);
      assert.equal(await find(storage, same), undefined);
      assert.equal(await find(storage, unwanted), undefined);
    },
  ),

  check("what throws leaves no delivery behind", async (storage) => {
    const delivery = aDelivery(await subscribe(storage));
    const write = storage.write(async (writing) => {
      await writing.insertDeliveries([delivery]);
      throw new Error("changed my mind");
    });
    await assert.rejects(write);
    assert.equal(await find(storage, delivery), undefined);
  }),

  check(
    "delay: of a topic what is due is claimed, the earliest first, and the rest waits",
    async (storage) => {
      const [topic, beside] = [await subscribe(storage), await subscribe(storage)];
      const after = (milliseconds: number): string =>
        new Date(Date.parse(past) + milliseconds).toISOString();
      const [second, first, third] = [1, 0, 2].map((n) => aDelivery(topic, { dueAt: after(n) }));
      const [waits, another] = [aDelivery(topic, { dueAt: soon }), aDelivery(beside)];
      assert.ok(first !== undefined && second !== undefined && third !== undefined);
      await insert(storage, second, first, third, waits, another);
      assert.equal(await next(storage, topic), first.dueAt);
      assert.equal(await next(storage, topic, beside), past);
      assert.deepEqual(await claimIds(storage, topic, 2), [first.id, second.id].toSorted());
      assert.deepEqual(await claimIds(storage, topic), [third.id]);
      assert.deepEqual(await claimIds(storage, topic), []);
      assert.equal(await next(storage, topic), soon);
      assert.equal((await find(storage, another))?.fence, 0);
    },
  ),

  check("of claims at once exactly one gets a delivery", async (storage) => {
    const topic = await subscribe(storage);
    await insert(storage, aDelivery(topic));
    const claims = await Promise.all(rivals.map(() => claim(storage, topic)));
    assert.equal(claims.flat().length, 1);
  }),

  check(
    "lease loss: a claimed delivery is due again when its lease ends, and the first claim cannot settle it any more",
    async (storage) => {
      const topic = await subscribe(storage);
      await insert(storage, aDelivery(topic));
      const [lost] = await claim(storage, topic, past);
      const [again] = await claim(storage, topic);
      assert.ok(lost !== undefined && again !== undefined);
      assert.deepEqual([lost.attempts, lost.fence, again.attempts, again.fence], [1, 1, 2, 2]);
      assert.deepEqual(await claim(storage, topic), []);
      for (const status of ["delivered", "pending", "stuck"] as const)
        assert.equal(await settle(storage, lost, { status }), false);
      assert.deepEqual(await find(storage, again), again);
      assert.equal(await settle(storage, again, { status: "delivered" }), true);
      assert.equal(await settle(storage, again, { status: "pending" }), false);
      assert.deepEqual(await claim(storage, topic), []);
    },
  ),

  check("the leases of an owner that is dead are freed at once, and no others", async (storage) => {
    const [topic, beside] = [await subscribe(storage), await subscribe(storage)];
    await insert(storage, aDelivery(topic), aDelivery(beside));
    const lease = aLease();
    await storage.write((writing) => writing.claimDeliveries(topic, lease, 1));
    await claim(storage, beside);
    assert.ok((await storage.read((reading) => reading.leaseOwners())).includes(lease.owner));
    await storage.write((writing) => writing.expireLeases(lease.owner));
    assert.equal((await claim(storage, topic)).length, 1);
    assert.equal((await claim(storage, beside)).length, 0);
  }),

  check(
    "retry: one that failed is due at the time it was given, with what went wrong",
    async (storage) => {
      const topic = await subscribe(storage);
      await insert(storage, aDelivery(topic));
      const [claimed] = await claim(storage, topic);
      assert.ok(claimed !== undefined);
      const failed = { status: "pending", dueAt: soon, error: hardText } as const;
      assert.equal(await settle(storage, claimed, failed), true);
      assert.equal((await find(storage, claimed))?.lastError, hardText);
      assert.deepEqual(await claim(storage, topic), []);
      assert.equal(await next(storage, topic), soon);
    },
  ),

  check("stuck: it is listed and never due again, until it is redriven", async (storage) => {
    const topic = await subscribe(storage);
    await insert(storage, aDelivery(topic));
    const [claimed] = await claim(storage, topic);
    assert.ok(claimed !== undefined);
    const redrive = () => storage.write((writing) => writing.redriveDelivery(claimed.id));
    const isListed = async () => {
      const stuck = await storage.read((reading) => reading.stuckDeliveries(1_000_000));
      return stuck.some(({ id }) => id === claimed.id);
    };
    assert.equal(await redrive(), false);
    assert.equal(await settle(storage, claimed, { status: "stuck", error: "gone" }), true);
    assert.equal(await isListed(), true);
    assert.deepEqual([await claim(storage, topic), await next(storage, topic)], [[], undefined]);
    assert.equal(await redrive(), true);
    assert.equal(await redrive(), false);
    assert.equal(await isListed(), false);
    const [again] = await claim(storage, topic);
    assert.deepEqual([again?.id, again?.attempts], [claimed.id, 1]);
    assert.ok((again?.fence ?? 0) > claimed.fence);
  }),

  check(
    "withdrawn: what is not delivered yet is gone, also what somebody has claimed or is stuck, and nothing else",
    async (storage) => {
      const [topic, beside] = [await subscribe(storage), await subscribe(storage)];
      const [waits, claimed, stuck, delivered, kept] = Array.from({ length: 5 }, () =>
        aDelivery(topic, { dueAt: soon }),
      );
      assert.ok(waits && claimed && stuck && delivered && kept);
      const same = aDelivery(beside, { key: waits.key });
      await insert(storage, ...[claimed, stuck, delivered].map((one) => ({ ...one, dueAt: past })));
      const claims = new Map((await claim(storage, topic)).map((one) => [one.id, one]));
      const settled = async (one: Draft, status: "stuck" | "delivered"): Promise<void> => {
        const found = claims.get(one.id);
        assert.ok(found !== undefined && (await settle(storage, found, { status })));
      };
      await settled(stuck, "stuck");
      await settled(delivered, "delivered");
      await insert(storage, waits, kept, same);
      const keys = [waits, claimed, stuck, delivered].map(({ key }) => key);
      await storage.write((writing) => writing.withdrawDeliveries(topic, [...keys, "none"]));
      for (const gone of [waits, claimed, stuck])
        assert.equal(await find(storage, gone), undefined);
      for (const one of [delivered, kept, same])
        assert.notEqual(await find(storage, one), undefined);
      const late = claims.get(claimed.id);
      assert.ok(late !== undefined && !(await settle(storage, late, { status: "delivered" })));
    },
  ),
];

function aDelivery(topic: string, overrides: Partial<Draft> = {}): Draft {
  return { id: newId("dlv"), topic, key: newId("key"), body: "{}", dueAt: past, ...overrides };
}

async function subscribe(storage: Storage): Promise<string> {
  const topic = newId("topic");
  await storage.write((writing) => writing.subscribeTopic(topic));
  await storage.write((writing) => writing.subscribeTopic(topic));
  return topic;
}

function insert(storage: Storage, ...rows: readonly Draft[]): Promise<void> {
  return storage.write((writing) => writing.insertDeliveries(rows));
}

function find(storage: Storage, { id }: Pick<Delivery, "id">): Promise<Delivery | undefined> {
  return storage.read((reading) => reading.findDelivery(id));
}

function next(storage: Storage, ...topics: readonly string[]): Promise<string | undefined> {
  return storage.read((reading) => reading.nextDelivery(topics));
}

function claim(storage: Storage, topic: string, until = late): Promise<readonly Delivery[]> {
  return storage.write((writing) => writing.claimDeliveries(topic, aLease(until), 100));
}

async function claimIds(storage: Storage, topic: string, limit = 100): Promise<readonly string[]> {
  const claimed = await storage.write((writing) => writing.claimDeliveries(topic, aLease(), limit));
  return claimed.map(({ id }) => id).toSorted();
}

function settle(
  storage: Storage,
  claimed: Delivery,
  settled: {
    readonly status: Delivery["status"];
    readonly dueAt?: string;
    readonly error?: string;
  },
): Promise<boolean> {
  const { attempts } = claimed;
  return storage.write((writing) =>
    writing.settleDelivery(claimed, { attempts, dueAt: past, ...settled }),
  );
}
