import type { ReviewTopic } from "../reviews/announce-reviews.ts";
import type { Delivery } from "../storage/storage.ts";

/** How deliveries are told again in this model: after 5 and 10 seconds, and then never. */
export const retry = { attempts: 3, patience: 600_000, firstDelay: 10_000, random: () => 0 };
const leaseFor = 1_200_000;
const delays = [5_000, 10_000];

/** What goes wrong with a delivery, in the engine's words and in a consumer's. */
const allDied = "every process that took it died";
export const failure = "the consumer fails";

/** A delivery as it should stand; `owner` while a process has it. */
export type ModelDelivery = {
  readonly topic: ReviewTopic;
  readonly key: string;
  status: Delivery["status"];
  attempts: number;
  fence: number;
  due: number;
  error: string | undefined;
  owner: string | undefined;
  /** The types of its audit events. */
  readonly events: string[];
};

/** Names one telling of a delivery: whoever claims it again has a higher fence. */
export type Told = Pick<ModelDelivery, "topic" | "key" | "attempts" | "fence">;

/** What is told to somebody: the topics that have had a consumer, and their deliveries. */
export type Outbox = { readonly topics: Set<ReviewTopic>; readonly deliveries: ModelDelivery[] };

/** Writes a delivery, once for each topic and key, if anybody ever wanted it. */
export function announce(outbox: Outbox, topic: ReviewTopic, key: string, now: number): void {
  if (!outbox.topics.has(topic)) return;
  if (outbox.deliveries.some((one) => one.topic === topic && one.key === key)) return;
  const fresh = { status: "pending", attempts: 0, fence: 0, due: now } as const;
  outbox.deliveries.push({ topic, key, ...fresh, error: undefined, owner: undefined, events: [] });
}

/** Subscribes a topic and claims all of it that is due; what every process died of is not told again. */
export function take(outbox: Outbox, topic: ReviewTopic, owner: string, now: number): Told[] {
  outbox.topics.add(topic);
  const due = outbox.deliveries.filter(
    (one) => one.topic === topic && one.status === "pending" && one.due <= now,
  );
  for (const one of due) {
    one.attempts += 1;
    one.fence += 1;
    one.due = now + leaseFor;
    one.owner = owner;
  }
  for (const one of due) if (one.attempts > retry.attempts) settle(outbox, one, allDied, now);
  return due
    .filter(({ status }) => status === "pending")
    .map(({ key, attempts, fence }) => ({ topic, key, attempts, fence }));
}

/** When the next of a topic is due, which may be when a lease ends. */
export function nextDue({ deliveries }: Outbox, topic: ReviewTopic): number | undefined {
  const pending = deliveries.filter((one) => one.topic === topic && one.status === "pending");
  return pending.map(({ due }) => due).toSorted((one, other) => one - other)[0];
}

/** Ends a telling, with what went wrong, if anything; one that another process has taken over ends nothing. */
export function settle(outbox: Outbox, told: Told, error: string | undefined, now: number): void {
  const one = outbox.deliveries.find(({ topic, key }) => topic === told.topic && key === told.key);
  if (one === undefined || one.fence !== told.fence || one.status !== "pending") return;
  const isStuck = error !== undefined && one.attempts >= retry.attempts;
  if (isStuck) one.events.push("delivery.stuck");
  one.status = error === undefined ? "delivered" : isStuck ? "stuck" : "pending";
  one.due = one.status === "pending" ? now + (delays[one.attempts - 1] ?? 0) : now;
  one.error = error;
  one.owner = undefined;
}

/** Makes a stuck delivery due, as if for the first time. */
export function redrive(one: ModelDelivery, now: number): void {
  one.status = "pending";
  one.attempts = 0;
  one.fence += 1;
  one.due = now;
  one.events.push("delivery.redriven");
}

/** What a process that leaves has not ended is due at once, and was not tried. */
export function giveBack(outbox: Outbox, owner: string, now: number): void {
  for (const one of outbox.deliveries.filter((each) => each.owner === owner)) {
    one.owner = undefined;
    one.due = now;
    one.attempts -= 1;
    one.error = undefined;
  }
}

/** What dead processes have is due at once. */
export function free(outbox: Outbox, dead: ReadonlySet<string>, now: number): void {
  for (const one of outbox.deliveries)
    if (one.owner !== undefined && dead.has(one.owner)) one.due = Math.min(one.due, now);
}
