import type { Clock } from "../../clock.ts";
import type { Reading, Storage, Writing } from "../storage.ts";
import { readAccess, writeAccess } from "./access.ts";
import { readActions } from "./actions.ts";
import { readAudit, writeAudit } from "./audit.ts";
import { readCheckpoints, writeCheckpoints } from "./checkpoints.ts";
import { connect } from "./connect.ts";
import { readDeliveries, writeDeliveries } from "./deliveries.ts";
import { migrate } from "./migrate.ts";
import { readPermits, writePermits } from "./permits.ts";
import { readReviews, writeReviews } from "./reviews.ts";
import { readRunEvents, writeRunEvents } from "./run-events.ts";
import { readRuns, writeRuns } from "./runs.ts";
import type { Statements } from "./statements.ts";
import { createTransactions } from "./transactions.ts";

/**
 * Opens Postgres storage at an address. The time is the database's, one clock for every process,
 * unless a test brings its own.
 */
export async function openPostgres(address: string, clock?: Clock): Promise<Storage> {
  const connections = await connect(address);
  try {
    await migrate(connections.take);
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
  return {
    read: (work) => tracked(transactions.read((sql, now) => work(reading(sql, now)))),
    write: (work) => tracked(transactions.write((sql, now) => work(writing(sql, now)))),
    close: async () => {
      await Promise.all(underWay);
      await connections.close();
    },
  };
}

function reading(sql: Statements, now: string): Reading {
  const reviews = readReviews(sql);
  const permits = readPermits(sql);
  return {
    now,
    ...reviews,
    ...permits,
    ...readActions(sql, { ...reviews, ...permits }),
    ...readRuns(sql, now),
    ...readRunEvents(sql),
    ...readCheckpoints(sql),
    ...readAccess(sql, now),
    ...readAudit(sql),
    ...readDeliveries(sql),
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
    ...writeAudit(sql),
    ...writeDeliveries(sql, now),
  };
}
