import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Alarm } from "../alarm.ts";
import { later } from "../clock.ts";
import type { Consumer, Delivered } from "../due/deliveries.ts";
import type { Engine, EngineOptions } from "../engine.ts";
import { newId } from "../ids.ts";
import { aDraft } from "./review-draft.ts";

/** One database, the engines on it as so many processes, and the clock that all of them read. */
export type DueGround = {
  readonly open: (options?: Pick<EngineOptions, "retry" | "onAlarm">) => Promise<Engine>;
  readonly clock: () => string;
  readonly advance: (milliseconds: number) => void;
  /** Waits until it is so; rejects when it does not become so. */
  readonly until: (isSo: () => boolean | Promise<boolean>) => Promise<void>;
};

/** One promise of due work; `run` rejects when it is not kept. */
export type DueCheck = {
  readonly name: string;
  readonly run: (ground: DueGround) => Promise<void>;
};

/** Long enough that no attempt ends by itself while a check holds it. */
const patience = 60_000;

/** Retries whose waits are known. */
export const steady = { patience, random: () => 0.5, firstDelay: 1_000 };

/** What is promised of deliveries, whatever the database: at least once, never in silence, never in each other's way. */
export const dueChecks: readonly DueCheck[] = [
  {
    name: "delay: nothing is told before its time, and it is the injected clock's",
    run: async ({ open, clock, advance, until }) => {
      const engine = await open();
      const told = await listen(engine, "topic", clock);
      const due = later(clock(), 60_000);
      await insert(engine, "topic", due);
      for (let step = 0; step < 6; step += 1) {
        assert.deepEqual(told, []);
        advance(10_000);
        await look(engine);
      }
      await until(() => told.length === 1);
      assert.equal(told[0]?.at, due);
    },
  },

  {
    name: "F41: retry: each failure doubles the wait, a success ends it",
    run: async ({ open, clock, advance, until }) => {
      const engine = await open({ retry: steady });
      let times = 0;
      await engine.deliveries.deliver("topic", async () => {
        times += 1;
        if (times <= 3) throw new Error("not yet");
      });
      const id = await insert(engine, "topic");
      const left = async (): Promise<number> =>
        Date.parse((await rowOf(engine, id))?.dueAt ?? "") - Date.parse(clock());
      // Three quarters of 1, 2 and 4 seconds.
      for (const [index, wait] of [750, 1_500, 3_000].entries()) {
        await until(async () => times === index + 1 && (await left()) < patience); // its claim holds longer
        assert.equal(await left(), wait);
        advance(wait - 1);
        await look(engine);
        assert.equal(times, index + 1);
        advance(1);
        engine.deliveries.wake();
      }
      await until(async () => (await rowOf(engine, id))?.status === "delivered");
      assert.equal((await rowOf(engine, id))?.attempts, 4);
      advance(1_000_000);
      await look(engine);
      assert.equal(times, 4);
    },
  },

  {
    name: "F41: stuck: after the last attempt it alarms once, is audited and listed, and can be redriven",
    run: async ({ open, advance, until }) => {
      const alarms: Alarm[] = [];
      const retry = { ...steady, attempts: 3 };
      const engine = await open({ retry, onAlarm: (alarm) => void alarms.push(alarm) });
      let isBroken = true;
      let times = 0;
      await engine.deliveries.deliver("topic", async () => {
        times += 1;
        if (isBroken) throw new Error("the channel is gone");
      });
      const id = await insert(engine, "topic");
      for (let step = 0; step < 60 && alarms.length === 0; step += 1) {
        await look(engine);
        advance(1_000);
      }
      advance(1_000_000);
      await look(engine);
      const { key = "" } = (await rowOf(engine, id)) ?? {};
      const stuck = { topic: "topic", key, attempts: 3 };
      const error = "the channel is gone";
      assert.deepEqual(alarms, [{ type: "delivery.stuck", deliveryId: id, ...stuck, error }]);
      assert.equal(times, 3);
      assert.deepEqual(
        (await engine.deliveries.stuck()).map((one) => one.id),
        [id],
      );
      const events = await engine.storage.read((reading) => reading.auditOf(id));
      assert.deepEqual(
        events.map(({ type, body }) => ({ type, body })),
        [{ type: "delivery.stuck", body: stuck }],
      );
      isBroken = false;
      assert.equal(await engine.deliveries.redrive(id), true);
      await until(async () => (await rowOf(engine, id))?.status === "delivered");
      assert.deepEqual(await engine.deliveries.stuck(), []);
      assert.equal(await engine.deliveries.redrive(id), false);
      assert.equal(alarms.length, 1);
    },
  },

  {
    name: "F40: what always fails at the head of a topic holds up neither its topic nor another",
    run: async ({ open, until }) => {
      const engine = await open({ retry: { ...steady, attempts: 1_000_000 } });
      const told = new Set<string>();
      const consumer: Consumer = async ({ key, topic }) => {
        if (key.startsWith("bad")) throw new Error("poisoned");
        if (topic === "hangs") return new Promise(() => undefined);
        told.add(key);
      };
      for (const topic of ["topic", "hangs"]) await engine.deliveries.deliver(topic, consumer);
      for (let number = 0; number < 20; number += 1) {
        await insert(engine, "hangs");
        await insert(engine, "topic", undefined, `bad ${number}`);
      }
      for (let number = 0; number < 5; number += 1)
        await insert(engine, "topic", undefined, `good ${number}`);
      const raw = { id: newId("dlv"), topic: "topic", key: "bad text", body: "{" };
      await engine.storage.write(async (writing) =>
        writing.insertDeliveries([{ ...raw, dueAt: writing.now }]),
      );
      await until(() => told.size === 5);
    },
  },

  {
    name: "lease loss: another process takes over, and what the first one comes to late changes nothing",
    run: async ({ open, advance, until }) => {
      const [first, second] = [await open({ retry: steady }), await open({ retry: steady })];
      for (const late of ["delivered", "failed"] as const) {
        const topic = `topic ${late}`;
        const held = Promise.withResolvers<void>();
        const begun = Promise.withResolvers<Delivered>();
        const leave = await first.deliveries.deliver(topic, async (delivery) => {
          begun.resolve(delivery);
          await held.promise;
          if (late === "failed") throw new Error("too late");
        });
        const id = await insert(first, topic);
        assert.equal((await begun.promise).fence, 1);
        const release = Promise.withResolvers<void>();
        const told: Delivered[] = [];
        await second.deliveries.deliver(topic, (delivery) => {
          told.push(delivery);
          return release.promise;
        });
        await look(second);
        assert.deepEqual(told, []);
        advance(2 * patience);
        second.deliveries.wake();
        await until(() => told.length === 1);
        const taken = await rowOf(second, id);
        assert.deepEqual([taken?.status, taken?.fence, taken?.attempts], ["pending", 2, 2]);
        held.resolve();
        await leave();
        assert.deepEqual(await rowOf(second, id), taken);
        release.resolve();
        await until(async () => (await rowOf(second, id))?.status === "delivered");
        assert.deepEqual([(await rowOf(second, id))?.fence, told.length], [2, 1]);
      }
    },
  },

  {
    name: "a claim whose process died counts: what kills every process is stuck without being told again",
    run: async ({ open, clock, until }) => {
      const alarms: Alarm[] = [];
      const dying = await open();
      const leave = await dying.deliveries.deliver("topic", async () => undefined);
      await leave();
      const id = await insert(dying, "topic");
      for (let death = 0; death < 2; death += 1)
        await dying.storage.write((writing) =>
          writing.claimDeliveries("topic", { owner: "dead/1/1/x", until: writing.now }, 1),
        );
      const onAlarm = (alarm: Alarm): void => void alarms.push(alarm);
      const engine = await open({ retry: { ...steady, attempts: 2 }, onAlarm });
      const told = await listen(engine, "topic", clock);
      await until(() => alarms.length === 1);
      assert.deepEqual(told, []);
      assert.equal((await rowOf(engine, id))?.status, "stuck");
    },
  },

  {
    name: "a process that joins takes a share: everything is told once, whoever tells it",
    run: async ({ open, clock, until }) => {
      const engines = [await open({ retry: steady }), await open({ retry: steady })] as const;
      const [first, second] = [
        await listen(engines[0], "topic", clock),
        await listen(engines[1], "topic", clock),
      ];
      const ids: string[] = [];
      for (let number = 0; number < 40; number += 1)
        ids.push(await insert(engines[number % 2 === 0 ? 0 : 1], "topic"));
      await until(() => first.length + second.length >= ids.length);
      await sleep(20);
      const told = [...first, ...second].map(({ id }) => id).toSorted();
      assert.deepEqual(told, ids.toSorted());
    },
  },

  {
    name: "a process that leaves gives back what it has not finished, and the attempt does not count",
    run: async ({ open, clock, until }) => {
      const [leaving, staying] = [await open({ retry: steady }), await open({ retry: steady })];
      const begun = Promise.withResolvers<void>();
      await leaving.deliveries.deliver("topic", (_, signal) => {
        begun.resolve();
        return new Promise((_resolve, reject) => {
          signal.addEventListener("abort", () => reject(new Error("stopped")));
        });
      });
      const id = await insert(leaving, "topic");
      await begun.promise;
      const told = await listen(staying, "topic", clock);
      await leaving.close();
      staying.deliveries.wake();
      await until(() => told.length === 1);
      assert.deepEqual([told[0]?.attempts, told[0]?.fence], [1, 2]);
      await until(async () => (await rowOf(staying, id))?.status === "delivered");
    },
  },

  {
    name: "of a topic that nobody ever wanted nothing is kept; one that somebody wanted is kept until he is back",
    run: async ({ open, clock, until }) => {
      const before = await open();
      const unheard = await before.openReview(aDraft());
      const leave = await before.deliveries.deliver("review.opened", async () => undefined);
      await leave();
      await before.close();
      const between = await open();
      const review = await between.openReview(aDraft());
      await between.close();
      const engine = await open();
      const told = await listen(engine, "review.opened", clock);
      await until(() => told.length === 1);
      assert.equal(told[0]?.key, review.id);
      assert.notEqual(told[0]?.key, unheard.id);
    },
  },
];

/** What a consumer was told, and when by the clock of the check. */
export type Told = Delivered & { readonly at: string };

/** Notes what is told to a consumer of its own. */
export async function listen(engine: Engine, topic: string, clock: () => string): Promise<Told[]> {
  const told: Told[] = [];
  await engine.deliveries.deliver(topic, async (delivery) => {
    told.push({ ...delivery, at: clock() });
  });
  return told;
}

/** Writes one delivery, due now unless told otherwise. */
async function insert(engine: Engine, topic: string, dueAt?: string, key: string = newId("key")) {
  const id = newId("dlv");
  await engine.storage.write((writing) =>
    writing.insertDeliveries([{ id, topic, key, body: "{}", dueAt: dueAt ?? writing.now }]),
  );
  engine.deliveries.wake();
  return id;
}

function rowOf(engine: Engine, id: Awaited<ReturnType<typeof insert>>) {
  return engine.storage.read((reading) => reading.findDelivery(id));
}

/** Lets the engine look, and do at once what is due. */
export async function look(engine: Engine): Promise<void> {
  engine.deliveries.wake();
  await sleep(8);
  for (let turn = 0; turn < 3; turn += 1) await engine.storage.write(async () => undefined);
}
