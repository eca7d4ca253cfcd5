import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../clock.ts";
import type { Reading, Storage, Writing } from "../storage.ts";
import { readAccess, writeAccess } from "./access.ts";
import { readActions } from "./actions.ts";
import { readAudit, writeAudit } from "./audit.ts";
import { readCheckpoints, writeCheckpoints } from "./checkpoints.ts";
import { connect } from "./connect.ts";
import { createGroupCommit } from "./group-commit.ts";
import { readDeliveries, writeDeliveries } from "./deliveries.ts";
import { migrate } from "./migrate.ts";
import { readPermits, writePermits } from "./permits.ts";
import { readReviews, writeReviews } from "./reviews.ts";
import { readRunEvents, writeRunEvents } from "./run-events.ts";
import { readRuns, writeRuns } from "./runs.ts";
import { createStatements, type Statements } from "./statements.ts";

/**
 * Opens SQLite storage at a path, or in memory. Reads have a connection of their own, so that they
 * never see a transaction that is not on disk yet; in memory there is one connection, and they queue.
 */
export function openSqlite(path: string, clock: Clock): Storage {
  const writer = connect(path);
  migrate(writer);
  const reader = path === ":memory:" ? undefined : connect(path);
  const commit = createGroupCommit(writer);
  const written = createStatements(writer);
  const seen = reader === undefined ? undefined : createStatements(reader);
  return {
    read: (work) =>
      seen === undefined
        ? commit(() => work(reading(written, clock())))
        : work(reading(seen, clock())),
    write: (work) => commit(() => work(writing(written, clock()))),
    close: async () => {
      await commit(async () => undefined);
      closeAll(writer, reader);
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

function closeAll(...databases: readonly (DatabaseSync | undefined)[]): void {
  for (const database of databases) database?.close();
}
