import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../../clock.ts";
import type { Reading, Storage, Writing } from "../storage.ts";
import { reasonIn, unwellNow } from "../unwell.ts";
import { readAccess, writeAccess } from "./access.ts";
import { readActions } from "./actions.ts";
import { readAudit, writeAudit } from "./audit.ts";
import { readCheckpoints, writeCheckpoints } from "./checkpoints.ts";
import { connect } from "./connect.ts";
import { readInstance, writeInstance } from "./instance.ts";
import { readDeliveries, writeDeliveries } from "./deliveries.ts";
import { migrate } from "./migrate.ts";
import { readPermits, writePermits } from "./permits.ts";
import { readReplies, writeReplies } from "./replies.ts";
import { readRetention, writeRetention } from "./retention.ts";
import { readReviews, writeReviews } from "./reviews.ts";
import { readRunEvents, writeRunEvents } from "./run-events.ts";
import { readRuns, writeRuns } from "./runs.ts";
import type { Statements } from "./statements.ts";
import { createTransactions } from "./transactions.ts";

/** How long whoever asks for the health waits for a server that does not answer, in milliseconds. */
const longestTry = 1000;

/**
 * Opens Postgres storage at an address. The time is the database's, one clock for every process,
 * unless a test brings its own.
 */
export async function openPostgres(address: string, clock?: Clock): Promise<Storage> {
  const connections = await connect(address);
  try {
    await migrate(connections.takeForLong);
  } catch (error) {
    await connections.close();
    throw connections.refusal(error);
  }
  const transactions = createTransactions(connections.take, clock);
  const underWay = new Set<Promise<unknown>>();
  const tracked = <Result>(work: Promise<Result>): Promise<Result> => {
    const ended = work.then(
      () => undefined,
      () => undefined,
    );
    underWay.add(ended);
    void ended.then(() => underWay.delete(ended));
    return work;
  };
  let why: string | undefined;
  const watched = async <Result>(work: Promise<Result>): Promise<Result> => {
    try {
      const result = await work;
      why = undefined;
      return result;
    } catch (error) {
      const reason = reasonIn(error);
      if (reason !== undefined) why = unwellNow(reason);
      throw error;
    }
  };
  return {
    look: (work) =>
      tracked(
        transactions.look((sql) =>
          work({
            ...readReviews(sql),
            ...readActions(sql),
            ...readPermits(sql),
            ...readCheckpoints(sql),
          }),
        ),
      ),
    read: (work) => tracked(transactions.read((sql, now) => work(reading(sql, now)))),
    write: (work) => {
      const proven = async (sql: Statements, now: string) => {
        const result = await work(writing(sql, now));
        // What changes nothing waits for nothing, and may have seen what a synchronous copy does not have.
        if (why !== undefined) await prove(sql);
        return result;
      };
      return tracked(watched(transactions.write(proven)));
    },
    health: async () => {
      if (why !== undefined) {
        const tried = tracked(watched(transactions.write(prove))).catch(() => undefined);
        await Promise.race([tried, sleep(longestTry, undefined, { ref: false })]);
      }
      return why === undefined ? { status: "well" } : { status: "unwell", why };
    },
    close: async () => {
      await Promise.all(underWay);
      await connections.close();
    },
  };
}

/** A commit that changes nothing and yet is written and synced, as long as the server can do that. */
async function prove(sql: Statements): Promise<void> {
  await sql.run(`SELECT pg_logical_emit_message(true, 'holdpoint', 'is there room')`);
}

function reading(sql: Statements, now: string): Reading {
  return {
    now,
    ...readReviews(sql),
    ...readPermits(sql),
    ...readActions(sql),
    ...readRuns(sql, now),
    ...readRunEvents(sql),
    ...readCheckpoints(sql),
    ...readAccess(sql, now),
    ...readReplies(sql),
    ...readAudit(sql),
    ...readInstance(sql),
    ...readDeliveries(sql),
    ...readRetention(sql),
  };
}

function writing(sql: Statements, now: string): Writing {
  return {
    ...reading(sql, now),
    ...writeReviews(sql, now),
    ...writePermits(sql),
    ...writeRuns(sql, now),
    ...writeRunEvents(sql),
    ...writeCheckpoints(sql),
    ...writeAccess(sql, now),
    ...writeReplies(sql),
    ...writeAudit(sql),
    ...writeInstance(sql),
    ...writeDeliveries(sql, now),
    ...writeRetention(sql),
  };
}
