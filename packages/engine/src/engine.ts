import { type Holdpoint, HoldpointError } from "@holdpoint/core";
import { type Access, createAccess } from "./access.ts";
import { type AuditOptions, type Sealer, startSealer } from "./audit/sealer.ts";
import { type Checkpoints, createCheckpoints } from "./checkpoints/checkpoints.ts";
import { type Clock, systemClock } from "./clock.ts";
import { startLeases } from "./due/leases.ts";
import { isKillable } from "./failpoint.ts";
import { createPermits } from "./permits.ts";
import { createReviews, type Reviews } from "./reviews/reviews.ts";
import { createRuns, type Runs } from "./due/runs.ts";
import { openHints } from "./storage/hints.ts";
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
  /** A Postgres address that leads past any pooler: other processes' work is then heard of at once. */
  readonly directAddress?: string;
  readonly audit?: AuditOptions;
};

/** The durable heart: what the gate needs, and what a host needs. */
export type Engine = Holdpoint & {
  readonly reviews: Reviews;
  readonly runs: Runs;
  readonly checkpoints: Checkpoints;
  readonly access: Access;
  /** Seals what was audited until now, besides the timer; throws `config_invalid` without a key. */
  readonly sealAudit: Sealer["seal"];
  readonly storage: Storage;
  /**
   * Calls back after work on a thread became due; returns a function that stops it. Of what other processes
   * do it is told on Postgres, and may be told late or never: look for yourself now and then.
   */
  readonly onDue: (listener: (threadId: string) => void) => () => void;
  /** Calls back, as a hint, after other processes stored events of threads; returns a function that stops it. */
  readonly onEvents: (listener: (threadIds: readonly string[]) => void) => () => void;
  readonly close: () => Promise<void>;
};

/** Opens the engine on a database. Throws `database_refused` when the database cannot keep the promise. */
export async function openEngine(options: EngineOptions): Promise<Engine> {
  const opened = await openStorage(options.database, options.clock);
  const storage = isKillable ? withKillableWrites(opened) : opened;
  const sealer = await startSealing(storage, options.audit);
  const leases = await startLeases(storage);
  const listeners = new Set<(threadId: string) => void>();
  const eventListeners = new Set<(threadIds: readonly string[]) => void>();
  const hints = await openHints(options.database, options.directAddress);
  const callBack = (threadId: string): void => listeners.forEach((listener) => listener(threadId));
  const signalDue = (threadId: string): void => {
    callBack(threadId);
    hints.tell("due", threadId);
  };
  hints.listen(({ due, said }) => {
    due.forEach(callBack);
    if (said.length > 0) eventListeners.forEach((listener) => listener(said));
  });
  const reviews = createReviews(storage, { threadResumable: signalDue });
  const permits = createPermits(storage, leases);
  return {
    openReview: reviews.openReview,
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
    runs: createRuns(storage, leases, {
      due: signalDue,
      said: (threadId) => hints.tell("said", threadId),
    }),
    checkpoints: createCheckpoints(storage),
    access: createAccess(storage),
    sealAudit: sealer.seal,
    storage,
    onDue: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onEvents: (listener) => {
      eventListeners.add(listener);
      return () => void eventListeners.delete(listener);
    },
    close: async () => {
      leases.stop();
      await hints.close();
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
