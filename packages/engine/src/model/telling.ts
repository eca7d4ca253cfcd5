// Has a process tell what is due, and compares what was told, and how the deliveries stand then, with the
// model. A consumer is there only while a step lasts, so that nothing is told in between.
import type { JsonObject } from "@holdpoint/core";
import type { Engine } from "../engine.ts";
import { newId } from "../ids.ts";
import type { ReviewTopic } from "../reviews/announce-reviews.ts";
import { type Database, expectSame, type ProcessName } from "./database.ts";
import { time } from "./model.ts";
import { failure, nextDue, redrive, settle, take, type Told } from "./outbox.ts";

/** What can be told of reviews. */
export const topics: readonly ReviewTopic[] = ["review.opened", "review.settled"];

/** What a consumer does with all that it is told; what it keeps it ends later, if its process lives. */
export type Manner = "takes" | "fails" | "keeps";

/** More than a history has: who tells more tells the same again and again. */
const toldAtMost = 100;

/** Has a process tell all of a topic that is due. */
export async function tell(
  database: Database,
  process: ProcessName,
  topic: ReviewTopic,
  manner: Manner,
): Promise<void> {
  const { model } = database;
  const owner = database.owner(process);
  const expected = take(model.outbox, topic, owner, model.now);
  const error = manner === "fails" ? failure : undefined;
  if (manner !== "keeps") for (const one of expected) settle(model.outbox, one, error, model.now);

  const engine = database.engine(process);
  const told: (Told & { readonly body: JsonObject })[] = [];
  const ending = Promise.withResolvers<void>();
  const leave = await engine.deliveries.deliver(
    topic,
    async ({ id, key, attempts, fence, body }) => {
      told.push({ topic, key, attempts, fence, body });
      database.told.set(`${topic} ${key}`, id);
      await ending.promise;
    },
  );
  if (manner === "takes") ending.resolve();
  if (manner === "fails") ending.reject(new Error(failure));
  ending.promise.catch(() => undefined); // the consumers have it
  await untilNothingIsDue(engine, () => told.length);
  const left = leave();
  if (manner === "keeps") {
    const end = async (error: string | undefined): Promise<void> => {
      if (error === undefined) ending.resolve();
      else ending.reject(new Error(error));
      await left;
    };
    database.kept.push({ owner, told: expected, end });
    await untilAlarmed(database); // what was given up at once is no consumer's, so nobody waits for it
  } else await left;

  const seen = told.map(({ body: _body, ...one }) => one);
  expectSame(sorted(seen), sorted(expected), `told in ${database.name} at ${time(model)}`);
  for (const { key, body } of told) {
    const review = [...model.reviews.values()].find(({ id }) => id === key);
    const status = topic === "review.opened" ? "open" : review?.state.status;
    expectSame(
      { key: body["reviewId"], thread: body["threadId"], status: body["status"] },
      { key, thread: review?.threadId, status },
      `told in ${database.name}`,
    );
  }
  await verifyDeliveries(database);
}

/** What is due before the mark is told before it; when nothing new comes before it, nothing is due. */
async function untilNothingIsDue(engine: Engine, count: () => number): Promise<void> {
  const mark = "mark";
  let passed = Promise.withResolvers<void>();
  const leave = await engine.deliveries.deliver(mark, async () => passed.resolve());
  for (let before = -1; before < count() && count() < toldAtMost;) {
    before = count();
    passed = Promise.withResolvers();
    await engine.storage.write((writing) =>
      writing.insertDeliveries([
        { id: newId("dlv"), topic: mark, key: newId("mark"), body: "{}", dueAt: writing.now },
      ]),
    );
    engine.deliveries.wake();
    await passed.promise;
  }
  await leave();
}

/** More turns than any COMMIT takes; what is never given up is found missing. */
const turnsAtMost = 1_000_000;

/** Whoever gives something up alarms once that is stored. */
async function untilAlarmed(database: Database): Promise<void> {
  for (let turn = 0; turn < turnsAtMost && database.alarms.length < givenUp(database); turn += 1)
    await new Promise((resolve) => setImmediate(resolve));
}

function givenUp({ model }: Database): number {
  const events = model.outbox.deliveries.flatMap((one) => one.events);
  return events.filter((type) => type === "delivery.stuck").length;
}

/** Lets the consumers of a process end what they have kept, well or not. */
export async function endKept(
  database: Database,
  process: ProcessName,
  error: string | undefined,
): Promise<void> {
  const { model, kept } = database;
  const owner = database.owner(process);
  for (const { told, end } of kept.filter((one) => one.owner === owner)) {
    for (const one of told) settle(model.outbox, one, error, model.now);
    await end(error);
  }
  kept.splice(0, kept.length, ...kept.filter((one) => one.owner !== owner));
  await verifyDeliveries(database);
}

/** Has a process redrive what is stuck, and whatever else was told, which changes nothing. */
export async function redriveAll(database: Database, process: ProcessName): Promise<void> {
  const { model, told } = database;
  for (const one of model.outbox.deliveries) {
    const id = told.get(`${one.topic} ${one.key}`);
    if (id === undefined) continue;
    const isStuck = one.status === "stuck";
    if (isStuck) redrive(one, model.now);
    const found = await database.engine(process).deliveries.redrive(id);
    expectSame(found, isStuck, `redriven in ${database.name}`);
  }
  await verifyDeliveries(database);
}

/** Throws unless the deliveries stand as in the model; of what nobody was told, only when the next is due. */
export async function verifyDeliveries(database: Database): Promise<void> {
  const { model, name, told, alarms } = database;
  const { deliveries } = model.outbox;
  const { storage } = database.engine("A");
  const where = `in ${name} at ${time(model)}`;
  await storage.read(async (reading) => {
    for (const topic of topics) {
      const due = nextDue(model.outbox, topic);
      const next = due === undefined ? undefined : new Date(due).toISOString();
      expectSame(await reading.nextDelivery([topic]), next, `next ${topic} ${where}`);
    }
    for (const { topic, key, ...one } of deliveries) {
      const id = told.get(`${topic} ${key}`);
      if (id === undefined) continue;
      const { status, attempts, fence, dueAt, lastError } = (await reading.findDelivery(id)) ?? {};
      const events = (await reading.auditOf(id)).map(({ type }) => type);
      expectSame(
        { status, attempts, fence, dueAt, lastError, events },
        {
          status: one.status,
          attempts: one.attempts,
          fence: one.fence,
          dueAt: new Date(one.due).toISOString(),
          lastError: one.error,
          events: one.events,
        },
        `${topic} of ${key} ${where}`,
      );
    }
    const stuck = (await reading.stuckDeliveries(100)).map(({ topic, key }) => `${topic} ${key}`);
    const expected = deliveries.filter(({ status }) => status === "stuck");
    const names = expected.map(({ topic, key }) => `${topic} ${key}`);
    expectSame(stuck.toSorted(), names.toSorted(), `stuck ${where}`);
  });
  expectSame(alarms.length, givenUp(database), `alarms ${where}`);
}

function sorted(told: readonly Told[]): readonly Told[] {
  return told.toSorted((one, other) => (one.key < other.key ? -1 : 1));
}
