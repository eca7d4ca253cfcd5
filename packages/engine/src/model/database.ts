import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import { type ReviewId } from "@holdpoint/core";
import { firstBrokenEvent } from "../audit/chain.ts";
import type { Alarm } from "../alarm.ts";
import type { Clock } from "../clock.ts";
import { type Engine, startEngine } from "../engine.ts";
import { openStorage } from "../storage/open-storage.ts";
import type { DeliveryId, Storage } from "../storage/storage.ts";
import { foldOf, stateOf } from "../testing/audit-fold.ts";
import { createTestClock, type TestClock } from "../testing/test-clock.ts";
import { editVerdict, emptyModel, type Model, time } from "./model.ts";
import { retry, type Told } from "./outbox.ts";

/** The processes that share a database. */
export const processes = ["A", "B"] as const;
export type ProcessName = (typeof processes)[number];

/** Puts a fault into the storage of an engine that is about to start. */
export type Sabotage = (storage: Storage) => void;

/** What a consumer was told and still works on, and how to let it end. */
export type Kept = {
  readonly owner: string;
  readonly told: readonly Told[];
  readonly end: (error: string | undefined) => Promise<void>;
};

/** One database with the processes that work on it, and the model of what it should hold. */
export type Database = {
  readonly name: string;
  readonly agent: string;
  model: Model;
  readonly engine: (process: ProcessName) => Engine;
  readonly owner: (process: ProcessName) => string;
  readonly advance: (milliseconds: number) => void;
  /** Lets a millisecond pass once the clock was read so often; what it returns makes sure that it has passed. */
  readonly advanceAfter: (readings: number) => () => void;
  /** Ends a process, which may store its last words or not, and starts another one in its place. */
  readonly restart: (process: ProcessName, isDeath: boolean) => Promise<void>;
  readonly stop: () => Promise<void>;
  /** What was ever told, by topic and key; what consumers still work on; and how often somebody was called. */
  readonly told: Map<string, DeliveryId>;
  readonly kept: Kept[];
  readonly alarms: Alarm[];
};

/** Opens a database for two processes, at noon. */
export async function openDatabase(
  name: string,
  url: string,
  agent: string,
  sabotage: Sabotage,
): Promise<Database> {
  const { clock, advance }: TestClock = createTestClock();
  const alarms: Alarm[] = [];
  let readingsLeft = 0;
  const readClock: Clock = () => {
    if (readingsLeft > 0) {
      readingsLeft -= 1;
      if (readingsLeft === 0) advance(1);
    }
    return clock();
  };
  const generation = new Map<ProcessName, number>();
  const engines = new Map<ProcessName, Engine>();
  const start = async (process: ProcessName): Promise<void> => {
    const onAlarm = (alarm: Alarm): void => void alarms.push(alarm);
    const storage = await openStorage(url, readClock);
    sabotage(storage);
    const engine = await startEngine(storage, { database: url, retry, onAlarm });
    engine.registerAgent(agent, () => Promise.resolve(editVerdict));
    engines.set(process, engine);
    generation.set(process, (generation.get(process) ?? 0) + 1);
  };
  const engine = (process: ProcessName): Engine => {
    const found = engines.get(process);
    if (found === undefined) throw new Error(`Process ${process} does not run.`);
    return found;
  };
  for (const process of processes) await start(process);
  const database: Database = {
    name,
    agent,
    model: emptyModel(clock()),
    engine,
    owner: (process) => `${process}${generation.get(process)}`,
    advance: (milliseconds) => {
      advance(milliseconds);
      database.model.now += milliseconds;
    },
    advanceAfter: (readings) => {
      readingsLeft = readings;
      return () => {
        if (readingsLeft > 0) advance(1);
        readingsLeft = 0;
      };
    },
    restart: async (process, isDeath) => {
      const ending = engine(process);
      const refuse = (): Promise<never> => Promise.reject(new Error("its process is dead"));
      if (isDeath) Object.assign(ending.storage, { write: refuse });
      await ending.close();
      await start(process);
    },
    stop: async () => void (await Promise.all([...engines.values()].map((one) => one.close()))),
    told: new Map(),
    kept: [],
    alarms,
  };
  return database;
}

/** Throws unless the database holds of this review exactly what the model holds. */
export async function verifyReview(database: Database, id: ReviewId): Promise<void> {
  const { model, name } = database;
  for (const process of processes) {
    const engine = database.engine(process);
    const where = `${name}, seen by ${process}, at ${time(model)}`;
    const review = await engine.readReview(id);
    expectSame(review, model.reviews.get(id), `review ${id} in ${where}`);
    const events = await engine.storage.read((reading) => reading.auditOf(id));
    expectSame(
      events.map(({ type }) => type),
      model.audit.get(id),
      `audit of ${id} in ${where}`,
    );
    assert.equal(firstBrokenEvent(events), undefined, `chain of ${id} in ${where}`);
    expectSame(foldOf(events), stateOf(await engine.reviews.view(id)), `fold of ${id} in ${where}`);
    for (const action of review?.actions ?? []) {
      const found = await engine.storage.read((reading) => reading.findPermit(action.id));
      const expected = model.permits.get(action.id);
      expectSame(found?.permit, expected?.permit, `permit of ${action.id} in ${where}`);
      const until = expected?.lease && new Date(expected.lease.until).toISOString();
      expectSame(found?.lease?.until, until, `lease on ${action.id} in ${where}`);
    }
  }
}

/** Throws unless the two are the same, absent fields aside. */
export function expectSame(found: unknown, expected: unknown, what: string): void {
  if (isSame(found, expected)) return;
  assert.deepEqual(plain(found), plain(expected), what);
}

/** True when the two are the same, absent fields aside. */
export function isSame(found: unknown, expected: unknown): boolean {
  return isDeepStrictEqual(plain(found), plain(expected));
}

function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value));
}
