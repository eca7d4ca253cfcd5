import type { DatabaseSync } from "node:sqlite";
import type { Clock } from "../../clock.ts";
import type { Reading, Storage, Writing } from "../storage.ts";
import { notRead } from "../unwell.ts";
import { readAccess, writeAccess } from "./access.ts";
import { readActions } from "./actions.ts";
import { readAudit, writeAudit } from "./audit.ts";
import { readCheckpoints, writeCheckpoints } from "./checkpoints.ts";
import { connect, notOpened } from "./connect.ts";
import { diskFailureOf } from "./disk-failure.ts";
import { createGroupCommit } from "./group-commit.ts";
import { readInstance, writeInstance } from "./instance.ts";
import { readDeliveries, writeDeliveries } from "./deliveries.ts";
import { keptLog } from "./kept-log.ts";
import { migrate } from "./migrate.ts";
import { readPermits, writePermits } from "./permits.ts";
import { readReplies, writeReplies } from "./replies.ts";
import { readRetention, writeRetention } from "./retention.ts";
import { readReviews, writeReviews } from "./reviews.ts";
import { readRunEvents, writeRunEvents } from "./run-events.ts";
import { readRuns, writeRuns } from "./runs.ts";
import { createStatements, type Statements } from "./statements.ts";
import { createWriter } from "./writer.ts";

/**
 * Opens SQLite storage at a path, or in memory. Reads have a connection of their own, so that they
 * never see a transaction that is not on disk yet; in memory there is one connection, and they queue.
 */
export function openSqlite(path: string, clock: Clock): Storage {
  const first = openMigrated(path);
  const isInMemory = path === ":memory:";
  const reader = isInMemory ? undefined : connect(path);
  let opened: DatabaseSync | undefined = first;
  const writer = createWriter(() => {
    const database = opened ?? connect(path);
    if (!isInMemory) opened = undefined;
    return database;
  });
  const commit = createGroupCommit(writer);
  const seen = reader === undefined ? undefined : createStatements(reader);
  const read: Storage["read"] = async (work) => {
    if (seen === undefined) return commit((sql) => work(reading(sql, clock())));
    try {
      return await work(reading(seen, clock()));
    } catch (error) {
      const reason = diskFailureOf(error);
      throw reason === undefined ? error : notRead(reason, error);
    }
  };
  return {
    look: read,
    read,
    write: (work) => commit((sql) => work(writing(sql, clock()))),
    health: async () => {
      // While it is unwell, each write tries first whether the disk is back.
      if (writer.health().status === "unwell")
        await commit(async () => undefined).catch(() => undefined);
      const health = writer.health();
      const warning = reader === undefined ? undefined : keptLog(reader);
      return health.status === "unwell" || warning === undefined ? health : { ...health, warning };
    },
    close: async () => {
      await commit(async () => undefined).catch(() => undefined);
      writer.close();
      reader?.close();
    },
  };
}

/** The first connection, with the schema up to date and everything found in the file made durable. */
function openMigrated(path: string): DatabaseSync {
  const database = connect(path);
  try {
    migrate(database);
    // What a killed process had written may be in the page cache alone, and so not survive a power cut:
    // it goes into the database file before anybody is told of it.
    database.exec("PRAGMA wal_checkpoint(PASSIVE)");
    return database;
  } catch (cause) {
    database.close();
    throw diskFailureOf(cause) === undefined ? cause : notOpened(path, cause);
  }
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
