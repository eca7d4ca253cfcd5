import { type Holdpoint, HoldpointError, type Review } from "@holdpoint/core";
import { type Access, createAccess } from "./access.ts";
import { type AuditOptions, type Sealer, startSealer } from "./audit/sealer.ts";
import { type AuditWatch, type AuditWatchOptions, watchAudit } from "./audit/watch-audit.ts";
import { refuseCopies } from "./backup/refuse-copies.ts";
import { type Checkpoints, createCheckpoints } from "./checkpoints/checkpoints.ts";
import type { Clock } from "./clock.ts";
import { type AlarmListener, createAlarm } from "./alarm.ts";
import { type RetryOptions, retryFrom } from "./due/back-off.ts";
import { type Deliveries, startDeliveries } from "./due/deliveries.ts";
import { type Deadlines, startDeadlines } from "./due/deadlines.ts";
import { renewEvery, startLeases } from "./due/leases.ts";
import { isKillable } from "./failpoint.ts";
import { createListeners } from "./listeners.ts";
import { createPermits, type Permits } from "./permits.ts";
import { createReviews, type Reviews } from "./reviews/reviews.ts";
import { createRuns, type Runs } from "./due/runs.ts";
import { openHints } from "./storage/hints.ts";
import { withKillableWrites } from "./storage/killable-writes.ts";
import { openStorage } from "./storage/open-storage.ts";
import type { Storage } from "./storage/storage.ts";
import type { Health } from "./storage/unwell.ts";
import { watchHealth } from "./storage/watch-health.ts";

/**
 * Where the state lives (`file:…`, `:memory:` or `postgres://…`), the clock to use instead of the machine's,
 * or of the Postgres server's, who seals the audit, if anybody, and where starts of tools are noted besides
 * the database, so that an old copy of it is noticed: a file beside an SQLite file unless another is named.
 */
export type EngineOptions = {
  readonly database: string;
  readonly clock?: Clock;
  /** A Postgres address that leads past any pooler: other processes' work is then heard of at once. */
  readonly directAddress?: string;
  readonly audit?: AuditOptions;
  readonly startsFile?: string;
  /** When the audit is checked besides the work; only on demand when it is left out. */
  readonly auditWatch?: AuditWatchOptions;
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
  /** Settles now, besides the timer, what processes that are gone have left started. */
  readonly settleLost: Permits["settleLost"];
  readonly deliveries: Deliveries;
  readonly checkpoints: Checkpoints;
  readonly access: Access;
  /** Seals what was audited until now, besides the timer; throws `config_invalid` without a key. */
  readonly sealAudit: Sealer["seal"];
  /** Checks the audit now; resolves to what is wrong, if anything: then no tool starts any more. */
  readonly checkAudit: AuditWatch["check"];
  readonly storage: Storage;
  /** Whether decisions can be saved; asking while they cannot tries again. */
  readonly health: () => Promise<Health>;
  /**
   * Calls back after work on a thread became due; returns a function that stops it. Of what other processes
   * do it is told on Postgres, and may be told late or never: look for yourself now and then.
   */
  readonly onDue: (listener: (threadId: string) => void) => () => void;
  /** Calls back, as a hint, after other processes stored events of threads; returns a function that stops it. */
  readonly onEvents: (listener: (threadIds: readonly string[]) => void) => () => void;
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
  options: Omit<EngineOptions, "clock">,
): Promise<Engine> {
  const storage = isKillable ? withKillableWrites(opened) : opened;
  const { starts, sealer } = await closedOnFailure(storage, async () => ({
    starts: await refuseCopies(storage, options.database, options.startsFile),
    sealer: await startSealing(storage, options.audit),
  }));
  const leases = await startLeases(storage);
  const alarm = createAlarm(options.onAlarm);
  const retry = retryFrom(options.retry);
  const running = startDeliveries({ storage, owner: leases.owner, retry, alarm });
  const { stop, ...deliveries } = running;
  const { wake } = deliveries;
  const onDue = createListeners<string>();
  const onEvents = createListeners<readonly string[]>();
  const onExpired = createListeners<Review>();
  const hints = await openHints(options.database, options.directAddress);
  const signalDue = (threadId: string): void => {
    onDue.tell(threadId);
    wake();
    hints.tell("due", threadId);
  };
  hints.listen(({ due, said }) => {
    due.forEach(onDue.tell);
    if (said.length > 0) onEvents.tell(said);
  });
  const reviews = createReviews(storage, {
    threadResumable: signalDue,
    overdue: () => deadlines.wake(),
  });
  const deadlines = startDeadlines(storage, (expired) => {
    for (const review of expired) {
      signalDue(review.threadId);
      onExpired.tell(review);
    }
  });
  const permits = createPermits(storage, leases, starts);
  const settling = setInterval(() => {
    permits.settleLost().catch(() => undefined); // while the database is unwell the next one does it
  }, renewEvery);
  settling.unref();
  const watch = watchAudit(storage, alarm, options.auditWatch);
  const healthWatch = watchHealth(storage, alarm);
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
    startPermit: async (actionId, digest, again) => {
      const refusal = watch.refusal(actionId);
      if (refusal !== undefined) return { type: "refused", refusal };
      return permits.startPermit(actionId, digest, again);
    },
    reviews,
    runs: createRuns(storage, leases, {
      due: signalDue,
      said: (threadId) => hints.tell("said", threadId),
      alarm,
    }),
    checkpoints: createCheckpoints(storage),
    deadlines: { expire: deadlines.expire },
    deliveries,
    access: createAccess(storage),
    sealAudit: sealer.seal,
    checkAudit: watch.check,
    storage,
    health: healthWatch.health,
    onDue: onDue.add,
    onExpired: onExpired.add,
    onEvents: onEvents.add,
    close: async () => {
      leases.stop();
      clearInterval(settling);
      healthWatch.stop();
      await watch.stop();
      await deadlines.stop();
      await hints.close();
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
  return startSealer(storage, options);
}

async function closedOnFailure<Result>(
  storage: Storage,
  start: () => Promise<Result>,
): Promise<Result> {
  try {
    return await start();
  } catch (error) {
    await storage.close();
    throw error;
  }
}
