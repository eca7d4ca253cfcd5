import { type Holdpoint, HoldpointError, type Review } from "@holdpoint/core";
import { type Access, createAccess } from "./access.ts";
import { type AuditOptions, type Sealer, startSealer } from "./audit/sealer.ts";
import { type Checkpoints, createCheckpoints } from "./checkpoints/checkpoints.ts";
import { type Clock, systemClock } from "./clock.ts";
import { type AlarmListener, createAlarm } from "./alarm.ts";
import { type RetryOptions, retryFrom } from "./due/back-off.ts";
import { type Deliveries, startDeliveries } from "./due/deliveries.ts";
import { type Deadlines, startDeadlines } from "./due/deadlines.ts";
import { startLeases } from "./due/leases.ts";
import { isKillable } from "./failpoint.ts";
import { createPermits } from "./permits.ts";
import { createReviews, type Reviews } from "./reviews/reviews.ts";
import { createRuns, type Runs } from "./due/runs.ts";
import { withKillableWrites } from "./storage/killable-writes.ts";
import { openSqlite } from "./storage/sqlite/sqlite.ts";
import type { Storage } from "./storage/storage.ts";

/**
 * Where the state lives (`file:…`, `:memory:` or `postgres://…`), the clock to use instead of the machine's,
 * or of the Postgres server's, and who seals the audit, if anybody.
 */
export type EngineOptions = {
  readonly database: string;
  readonly clock?: Clock;
  readonly audit?: AuditOptions;
  /** How often and when a delivery that failed is told again. */
  readonly retry?: RetryOptions;
  /** Hears what is given up and needs a person; a warning of the process when it is left out. */
  readonly onAlarm?: AlarmListener;
};

/** The durable heart: what the gate needs, and what a host needs. */
export type Engine = Holdpoint & {
  readonly reviews: Reviews;
  readonly runs: Runs;
  readonly deadlines: Deadlines;
  readonly deliveries: Deliveries;
  readonly checkpoints: Checkpoints;
  readonly access: Access;
  /** Seals what was audited until now, besides the timer; throws `config_invalid` without a key. */
  readonly sealAudit: Sealer["seal"];
  readonly storage: Storage;
  /** Calls back after work on a thread became due; returns a function that stops it. */
  readonly onDue: (listener: (threadId: string) => void) => () => void;
  /** Calls back after a review expired here; returns a function that stops it. */
  readonly onExpired: (listener: (review: Review) => void) => () => void;
  readonly close: () => Promise<void>;
};

/** Opens the engine on a database. Throws `database_refused` when the database cannot keep the promise. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  return startEngine(await openStorage(options.database, options.clock), options);
}

/** The engine over a storage that is open; closing the one closes the other. */
export async function startEngine(
  opened: Storage,
  options: Omit<EngineOptions, "database" | "clock">,
): Promise<Engine> {
  const storage = isKillable ? withKillableWrites(opened) : opened;
  const sealer = await startSealing(storage, options.audit);
  const leases = await startLeases(storage);
  const alarm = createAlarm(options.onAlarm);
  const retry = retryFrom(options.retry);
  const running = startDeliveries({ storage, owner: leases.owner, retry, alarm });
  const { stop, ...deliveries } = running;
  const { wake } = deliveries;
  const listeners = new Set<(threadId: string) => void>();
  const signalDue = (threadId: string): void => {
    listeners.forEach((listener) => listener(threadId));
    wake();
  };
  const reviews = createReviews(storage, {
    threadResumable: signalDue,
    overdue: () => deadlines.wake(),
  });
  const expiryListeners = new Set<(review: Review) => void>();
  const deadlines = startDeadlines(storage, (expired) => {
    for (const review of expired) {
      signalDue(review.threadId);
      expiryListeners.forEach((listener) => listener(review));
    }
  });
  const permits = createPermits(storage, leases);
  return {
    now: reviews.now,
    openReview: async (draft) => {
      const review = await reviews.openReview(draft);
      wake();
      return review;
    },
    findAction: reviews.findAction,
    readReview: reviews.readReview,
    openReviewsOf: reviews.openReviewsOf,
    findReviewOfInterrupt: reviews.findReviewOfInterrupt,
    findReviewOfAction: reviews.findReviewOfAction,
    decide: reviews.decide,
    closeReview: reviews.closeReview,
    registerAgent: reviews.registerAgent,
    ...permits,
    reviews,
    runs: createRuns(storage, leases, { signalDue, alarm }),
    checkpoints: createCheckpoints(storage),
    deadlines: { expire: deadlines.expire },
    deliveries,
    access: createAccess(storage),
    sealAudit: sealer.seal,
    storage,
    onDue: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onExpired: (listener) => {
      expiryListeners.add(listener);
      return () => void expiryListeners.delete(listener);
    },
    close: async () => {
      leases.stop();
      await deadlines.stop();
      await stop();
      await sealer.stop();
      await storage.close();
    },
  };
}

/** A key that cannot be used stops the start: nobody should believe that the audit is sealed. */
async function startSealing(storage: Storage, options: AuditOptions | undefined): Promise<Sealer> {
  if (options === undefined) {
    const refuse = async (): Promise<never> => {
      throw new HoldpointError(
        "config_invalid",
        `The audit is not sealed without a key; open the engine with the option "audit".`,
      );
    };
    return { seal: refuse, stop: async () => undefined };
  }
  try {
    return await startSealer(storage, options);
  } catch (error) {
    await storage.close();
    throw error;
  }
}

/** Opens the database alone, without taking part in its due work. */
export async function openStorage(database: string, clock?: Clock): Promise<Storage> {
  if (database === ":memory:") return openSqlite(database, clock ?? systemClock);
  if (database.startsWith("file:"))
    return openSqlite(database.slice("file:".length), clock ?? systemClock);
  if (/^postgres(ql)?:/.test(database)) {
    // Who does not use Postgres does not wait for its client to be loaded.
    const { openPostgres } = await import("./storage/postgres/postgres.ts");
    return openPostgres(database, clock);
  }
  throw new HoldpointError(
    "config_invalid",
    `The database "${database.split(":")[0]}:…" is not supported; use "file:path/to/file.db", ":memory:" or "postgres://…".`,
  );
}
