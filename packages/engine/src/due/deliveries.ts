// The life of a delivery, in one row:
//
//   pending ── claimed: attempt + 1, fence + 1, due again when the lease ends ── delivered
//      ▲                     └─ failed: due again after a back-off ── too often: stuck, with an alarm
//      └── redriven by a person ───────────────────────────────────────────────────┘
//
// It is told at least once: a process may die between telling and saying so. What an earlier claim comes to
// has an old fence and changes nothing. A claim whose process died counts as an attempt.
import { isJsonObject, type JsonObject } from "@holdpoint/core";
import type { AlarmListener } from "../alarm.ts";
import { appendAudit } from "../audit/chain.ts";
import { later } from "../clock.ts";
import type { Delivery, DeliveryId, Storage } from "../storage/storage.ts";
import { backOff, type Retry } from "./back-off.ts";
import { startDueTimer } from "./due-timer.ts";
import { messageOf } from "../error-message.ts";

/** How many deliveries of one topic are under way at once; another topic does not wait for them. */
const atOnce = 8;
/** How much of an error is kept, in characters. */
const errorLimit = 500;

/** What a consumer is told. The same `id` may come again, with a higher fence. */
export type Delivered = Pick<Delivery, "id" | "topic" | "key" | "attempts" | "fence"> & {
  readonly body: JsonObject;
};

/** Takes a delivery; one that rejects, or takes longer than the patience, is told again later. */
export type Consumer = (delivery: Delivered, signal: AbortSignal) => Promise<void>;

/** Tells consumers of what happened. */
export type Deliveries = {
  /**
   * Has a topic told to this consumer while this engine is open. From the first time on, in any process, what
   * happens is kept until a consumer has taken it. Returns a function that ends it here.
   */
  readonly deliver: (topic: string, consumer: Consumer) => Promise<() => Promise<void>>;
  /** What was given up, oldest first. */
  readonly stuck: (limit?: number) => Promise<readonly Delivery[]>;
  /** Tries a stuck delivery again, as if for the first time; `false` when it is not stuck. */
  readonly redrive: (id: DeliveryId) => Promise<boolean>;
  /** Looks at once whether something is due, besides the timer. */
  readonly wake: () => void;
};

/** The same while it runs by itself. */
export type RunningDeliveries = Deliveries & {
  /** Resolves when no consumer is at work; what was under way is given back. */
  readonly stop: () => Promise<void>;
};

/** What deliveries need. */
export type DeliveryParts = {
  readonly storage: Storage;
  readonly owner: string;
  readonly retry: Retry;
  readonly alarm: AlarmListener;
};

type Topic = { readonly consumer: Consumer; readonly working: Set<Promise<void>> };

/** Starts telling; a topic is claimed only while this process has a consumer for it. */
export function startDeliveries(parts: DeliveryParts): RunningDeliveries {
  const { storage } = parts;
  const topics = new Map<string, Topic>();
  const underWay = new Set<Promise<void>>(); // also of topics that were left
  const closing = new AbortController();
  const hasRoom = ([, { working }]: [string, Topic]): boolean => working.size < atOnce;

  const timer = startDueTimer("Delivering", async () => {
    const names = [...topics].filter(hasRoom).map(([name]) => name);
    if (names.length === 0) return undefined;
    const { now, next } = await storage.read(async (reading) => ({
      now: reading.now,
      next: await reading.nextDelivery(names),
    }));
    if (next === undefined) return undefined;
    if (next > now) return Date.parse(next) - Date.parse(now);
    let claimed = 0;
    for (const name of names) claimed += await claim(name);
    return claimed === 0 ? undefined : 0;
  });

  const claim = async (name: string): Promise<number> => {
    const topic = topics.get(name);
    if (topic === undefined) return 0;
    const deliveries = await storage.write((writing) => {
      const lease = { owner: parts.owner, until: later(writing.now, 2 * parts.retry.patience) };
      return writing.claimDeliveries(name, lease, atOnce - topic.working.size);
    });
    for (const delivery of deliveries) {
      const work = tell(parts, topic.consumer, delivery, closing.signal).finally(() => {
        topic.working.delete(work);
        underWay.delete(work);
        timer.wake();
      });
      topic.working.add(work);
      underWay.add(work);
    }
    return deliveries.length;
  };

  return {
    deliver: async (name, consumer) => {
      if (topics.has(name)) throw new Error(`The topic "${name}" has a consumer here already.`);
      const topic: Topic = { consumer, working: new Set() };
      topics.set(name, topic);
      await storage.write((writing) => writing.subscribeTopic(name));
      timer.wake();
      return async () => {
        if (topics.get(name) === topic) topics.delete(name);
        await Promise.all(topic.working);
      };
    },
    stuck: (limit = 100) => storage.read((reading) => reading.stuckDeliveries(limit)),
    redrive: async (id) => {
      const isRedriven = await storage.write(async (writing) => {
        if (!(await writing.redriveDelivery(id))) return false;
        await appendAudit(writing, id, { type: "delivery.redriven", body: {} });
        return true;
      });
      timer.wake();
      return isRedriven;
    },
    wake: () => {
      if (topics.size > 0) timer.wake();
    },
    stop: async () => {
      await timer.stop();
      closing.abort();
      await Promise.all(underWay);
    },
  };
}

/** Never rejects: when not even the result can be stored, the lease ends and it is told again. */
async function tell(
  parts: DeliveryParts,
  consumer: Consumer,
  delivery: Delivery,
  closing: AbortSignal,
): Promise<void> {
  const isWornOut = delivery.attempts > parts.retry.attempts; // each claim before this one was lost
  const error = isWornOut
    ? "every process that took it died"
    : await attempt(
        consumer,
        delivery,
        AbortSignal.any([closing, AbortSignal.timeout(parts.retry.patience)]),
      );
  try {
    await settle(parts, delivery, error, closing.aborted && error !== undefined);
  } catch {
    // As if this process had died.
  }
}

/** What went wrong, or `undefined`. */
async function attempt(
  consumer: Consumer,
  { id, topic, key, attempts, fence, body: text }: Delivery,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const body: unknown = JSON.parse(text);
    if (!isJsonObject(body)) throw new Error("its body is no JSON object");
    const aborted = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => aborted.reject(signal.reason), { once: true });
    await Promise.race([
      consumer({ id, topic, key, attempts, fence, body }, signal),
      aborted.promise,
    ]);
    return undefined;
  } catch (error) {
    const message = messageOf(error);
    return message.slice(0, errorLimit);
  }
}

async function settle(
  { storage, retry, alarm }: DeliveryParts,
  delivery: Delivery,
  error: string | undefined,
  isGivenBack: boolean,
): Promise<void> {
  const { id, topic, key, attempts } = delivery;
  const isStuck = error !== undefined && !isGivenBack && attempts >= retry.attempts;
  const isSettled = await storage.write(async (writing) => {
    const { now } = writing;
    if (error === undefined)
      return writing.settleDelivery(delivery, { status: "delivered", attempts, dueAt: now });
    if (isGivenBack) {
      const back = { status: "pending", attempts: attempts - 1, dueAt: now } as const;
      return writing.settleDelivery(delivery, back);
    }
    const dueAt = isStuck ? now : later(now, backOff(retry, attempts));
    const status = isStuck ? "stuck" : "pending";
    if (!(await writing.settleDelivery(delivery, { status, attempts, dueAt, error }))) return false;
    if (isStuck)
      await appendAudit(writing, id, { type: "delivery.stuck", body: { topic, key, attempts } });
    return true;
  });
  if (isStuck && isSettled)
    alarm({ type: "delivery.stuck", deliveryId: id, topic, key, attempts, error });
}
