import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../clock.ts";
import { failpoint } from "../../failpoint.ts";
import type { Taken } from "./connect.ts";
import {
  type Failure,
  failureOf,
  lockedNow,
  unknownCommit,
  unreachableNow,
  unsaved,
} from "./failures.ts";
import { settings } from "./settings.ts";
import { shareForLooks } from "./shared-looks.ts";
import { type Connection, createTransaction, type Statements } from "./statements.ts";

// How a change is made, whoever else is at work:
//
//   begin ── work ── COMMIT ── acknowledged
//     ▲        │        ├─ refused by the server: nothing was saved ── again
//     │        │        └─ connection lost: nobody knows ── rejected, never repeated
//     └────────┴─ a rival was first, or the connection was lost ── again
//
// Every write is SERIALIZABLE, so whatever commits is what some order of one after the other would
// have done; a loser starts again from what the winner left. One that has lost too often takes its
// turn alone. Nothing outlives a transaction on its connection: a pooler may give it to somebody else.

/** What is done in a transaction, with the time that it counts as now. It may be called again. */
export type Work<Result> = (sql: Statements, now: string) => Promise<Result>;

/** Runs work in transactions. */
export type Transactions = {
  /** One statement, in a transaction only where that is needed to bound it. */
  readonly look: <Result>(work: (sql: Statements) => Promise<Result>) => Promise<Result>;
  readonly read: <Result>(work: Work<Result>) => Promise<Result>;
  readonly write: <Result>(work: Work<Result>) => Promise<Result>;
};

type Attempt<Result> =
  | { readonly type: "done"; readonly value: Result }
  | { readonly type: "failed"; readonly error: unknown; readonly because: Failure };

/** After so many lost races a write locks out all others; then there is nobody left to lose to. */
const racesBeforeTurn = 4;
const attemptsAtMost = 12;
/** Each waits for a lock for ten seconds. */
const locksAtMost = 3;
/** A server that restarts is waited for, with pauses that grow to this: about seven seconds in all. */
const longestPause = 1000;

/** One trip opens a transaction and reads the clock. */
const time = `SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS now`;
const beginRead = begin("REPEATABLE READ READ ONLY", "");
/** The lock comes before the first read, and so before the snapshot: nothing slips in between. */
const beginWrite = begin("SERIALIZABLE", "LOCK TABLE holdpoint.turns IN ROW SHARE MODE;");
const beginAlone = begin("SERIALIZABLE", "LOCK TABLE holdpoint.turns IN EXCLUSIVE MODE;");

/** The statements that begin, on a session of our own and on a borrowed one. */
type Begin = { readonly ours: string; readonly borrowed: string };

function begin(kind: string, lock: string): Begin {
  const start = `BEGIN ISOLATION LEVEL ${kind};`;
  return {
    ours: `${start} ${lock} ${time}`,
    borrowed: `${start} ${settings("LOCAL")}; ${lock} ${time}`,
  };
}

/** Makes transactions on the connections that `take` gives; a `clock` replaces the database's in tests. */
export function createTransactions(
  take: () => Promise<Taken>,
  clock: Clock | undefined,
): Transactions {
  const takeToLook = shareForLooks(take);
  const taking = async <Result>(
    work: (connection: Taken) => Promise<Attempt<Result>>,
    from = take,
  ): Promise<Attempt<Result>> => {
    let connection: Taken;
    try {
      connection = await from();
    } catch (error) {
      return failed(error);
    }
    return work(connection);
  };
  const attempt = async <Result>(
    connection: Taken,
    begin: Begin,
    work: Work<Result>,
    commit: (connection: Connection) => Promise<unknown>,
  ): Promise<Attempt<Result>> => {
    try {
      const now = timeIn(await connection.query(connection.isOurs ? begin.ours : begin.borrowed));
      const transaction = createTransaction(connection);
      const worked = await outcomeOf(work(transaction.sql, clock?.() ?? now));
      await transaction.settled();
      const failure = transaction.failure();
      if (failure === undefined && worked.type === "done") {
        await commit(connection);
        connection.release(false);
        return worked;
      }
      const because = failureOf(failure);
      await rollBack(connection, because);
      if (because !== "other" || worked.type === "done") return failed(failure);
      return { ...worked, because };
    } catch (error) {
      await rollBack(connection, failureOf(error));
      return failed(error);
    }
  };
  const readOnce = <Result>(connection: Taken, work: Work<Result>): Promise<Attempt<Result>> =>
    attempt(connection, beginRead, work, () => connection.query("COMMIT"));
  const lookOnce = async <Result>(
    connection: Taken,
    work: (sql: Statements) => Promise<Result>,
  ): Promise<Attempt<Result>> => {
    if (!connection.isOurs) {
      connection.release(false);
      return taking((own) => readOnce(own, work));
    }
    const { sql, failure } = createTransaction(connection);
    const worked = await outcomeOf(work(sql));
    const because = failureOf(failure());
    connection.release(because === "stale" || because === "connection");
    return worked.type === "done" ? worked : { ...worked, because };
  };
  return {
    look: (work) => persist(() => taking((connection) => lookOnce(connection, work), takeToLook)),
    read: (work) => persist(() => taking((connection) => readOnce(connection, work))),
    write: (work) =>
      persist((alone) =>
        taking((connection) =>
          attempt(connection, alone ? beginAlone : beginWrite, work, commitWrite),
        ),
      ),
  };
}

/** Attempts until it is done, or until another attempt would end no better. */
async function persist<Result>(
  attempt: (alone: boolean) => Promise<Attempt<Result>>,
): Promise<Result> {
  let races = 0;
  let locks = 0;
  let alone = false;
  for (let attempts = 1; ; attempts += 1) {
    const made = await attempt(alone);
    if (made.type === "done") return made.value;
    switch (made.because) {
      case "contention":
        if (attempts === attemptsAtMost) throw made.error;
        races += 1;
        await sleep(Math.random() * 5 * races); // rivals must not meet again in step
        alone = races >= racesBeforeTurn;
        break;
      case "locked":
        locks += 1;
        if (locks === locksAtMost) throw lockedNow(made.error);
        break;
      case "duplicate":
        // Alone nobody can have made the row meanwhile: it is there, and would be for ever.
        if (alone) throw made.error;
        alone = true;
        break;
      case "connection":
        if (attempts === attemptsAtMost) throw unreachableNow(made.error);
        await sleep(Math.min(longestPause, 25 * 2 ** attempts) * (0.5 + Math.random() / 2));
        break;
      case "stale":
        if (attempts === attemptsAtMost) throw made.error;
        break;
      case "other":
        throw unsaved(made.error);
      default:
        return made.because satisfies never;
    }
  }
}

async function commitWrite(connection: Connection): Promise<void> {
  failpoint("commit.before");
  try {
    await connection.query("COMMIT");
    failpoint("commit.after");
  } catch (error) {
    throw failureOf(error) === "connection" ? unknownCommit(error) : error;
  }
}

/**
 * A connection that cannot even be rolled back is given up, and the server rolls back by itself. One whose
 * prepared statements are of no use any more goes too.
 */
async function rollBack(connection: Taken, because: Failure): Promise<void> {
  try {
    await connection.query("ROLLBACK");
    connection.release(because === "stale");
  } catch {
    connection.release(true);
  }
}

async function outcomeOf<Result>(
  work: Promise<Result>,
): Promise<
  | { readonly type: "done"; readonly value: Result }
  | { readonly type: "failed"; readonly error: unknown }
> {
  try {
    return { type: "done", value: await work };
  } catch (error) {
    return { type: "failed", error };
  }
}

function failed(error: unknown): {
  readonly type: "failed";
  readonly error: unknown;
  readonly because: Failure;
} {
  return { type: "failed", error, because: failureOf(error) };
}

/** Several statements in one text are answered by as many results; the last one tells the time. */
function timeIn(results: unknown): string {
  const last: unknown = Array.isArray(results) ? results.at(-1) : results;
  const { rows } = last as { rows: readonly { readonly now?: unknown }[] }; // what `pg` documents
  return String(rows[0]?.now);
}
