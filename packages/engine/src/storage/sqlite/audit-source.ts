import { DatabaseSync } from "node:sqlite";
import { HoldpointError } from "@holdpoint/core";
import type { AuditSource, KeptEvent, PlacedEvent } from "../../audit/audit-source.ts";
import type { StoredSeal } from "../storage.ts";
import { openReadOnly } from "./open-read-only.ts";

const columns = "position, hash, stream, seq, type, at, body, previous";

/** The first schema whose events have salts. */
const firstSalted = 10;

/**
 * Opens the audit of a database file as it is now, also beside a running server. Nothing is created, migrated
 * or written. Throws `database_refused` for anything but a database with seals.
 */
export function openAuditFile(path: string): AuditSource {
  const database = openReadOnly(path);
  try {
    database.exec("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; BEGIN");
    const schema = Number(database.prepare("PRAGMA user_version").get()?.user_version);
    if (schema < 4) {
      throw new HoldpointError(
        "database_refused",
        `The database ${path} has schema ${schema}, which has no seals; start Holdpoint on it once, or on a copy.`,
      );
    }
    return {
      // Before the schema with salts no event has one.
      ...sourceOn(database, "the database", `0, ${schema < firstSalted ? "NULL" : "salt"}`),
      sealNow: (number) => sealNow(path, number),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A place on disk, removed when it is closed, for the events and seals of an export. */
export function openAuditScratch(name: string): {
  readonly source: AuditSource;
  readonly addEvent: (event: KeptEvent) => void;
  readonly addSeal: (seal: StoredSeal) => void;
} {
  const database = new DatabaseSync(""); // a temporary file of SQLite's own
  database.exec(`PRAGMA synchronous = OFF;
    CREATE TABLE audit_events (position INTEGER, hash TEXT, stream TEXT, seq INTEGER, type TEXT, at TEXT, body TEXT, previous TEXT, redacted INTEGER, salt TEXT);
    CREATE TABLE audit_seals (number INTEGER, line TEXT);
    CREATE INDEX audit_events_by_position ON audit_events (position, hash);
    BEGIN`);
  const event = database.prepare("INSERT INTO audit_events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const seal = database.prepare("INSERT INTO audit_seals VALUES (?, ?)");
  return {
    source: sourceOn(database, name, "redacted, salt"),
    addEvent: (one) =>
      void event.run(
        one.position,
        one.hash,
        one.stream,
        one.seq,
        one.type,
        one.at,
        one.body,
        one.previous,
        Number(one.redacted),
        one.salt ?? null,
      ),
    addSeal: ({ number, line }) => void seal.run(number, line),
  };
}

function sourceOn(database: DatabaseSync, name: string, more: string): AuditSource {
  const events = (order: string): Iterable<KeptEvent> =>
    rowsOf(database, `SELECT ${columns}, ${more} FROM audit_events ORDER BY ${order}`, keptEvent);
  // The order of an inner query is kept for group_concat; a sort inside it would take twice the time.
  const inRange = database.prepare(`SELECT count(*) AS count, group_concat(line, '') AS text
    FROM (SELECT position || ' ' || hash || char(10) AS line FROM audit_events
          WHERE position > ? AND position <= ? ORDER BY position, hash)`);
  return {
    name,
    byStream: () => events("stream, seq"),
    byPosition: () => events("position, stream, seq"),
    bodiesOf: (type) =>
      rowsOf(
        database,
        "SELECT body FROM audit_events WHERE type = ?",
        (row) => String(row[0]),
        type,
      ),
    places: (after, to) =>
      rowsOf(
        database,
        `SELECT position, hash, stream, seq FROM audit_events
         WHERE position > ? AND position <= ? ORDER BY position, hash`,
        placedEvent,
        after,
        to,
      ),
    placesText: (after, to) => {
      const row = inRange.get(after, to);
      return { count: Number(row?.count), text: String(row?.text ?? "") };
    },
    seals: () =>
      rowsOf(database, "SELECT number, line FROM audit_seals ORDER BY number", (row) => ({
        number: Number(row[0]),
        line: String(row[1]),
      })),
    sealNow: () => undefined,
    close: () => database.close(),
  };
}

function* rowsOf<Kept>(
  database: DatabaseSync,
  sql: string,
  read: (row: readonly unknown[]) => Kept,
  ...values: readonly (number | string)[]
): Generator<Kept> {
  const statement = database.prepare(sql);
  statement.setReturnArrays(true); // a third faster than objects
  for (const row of statement.iterate(...values)) yield read(row as unknown as readonly unknown[]); // as just set
}

function placedEvent(row: readonly unknown[]): PlacedEvent {
  return {
    position: Number(row[0]),
    hash: String(row[1]),
    stream: String(row[2]),
    seq: Number(row[3]),
  };
}

function keptEvent(row: readonly unknown[]): KeptEvent {
  return {
    position: Number(row[0]),
    hash: String(row[1]),
    stream: String(row[2]),
    seq: Number(row[3]),
    type: String(row[4]),
    at: String(row[5]),
    body: String(row[6]),
    previous: String(row[7]),
    redacted: row[8] === 1,
    salt: typeof row[9] === "string" ? row[9] : undefined,
  };
}

function sealNow(path: string, number: number): StoredSeal | undefined {
  const database = openReadOnly(path);
  try {
    const row = database.prepare("SELECT line FROM audit_seals WHERE number = ?").get(number);
    return row === undefined ? undefined : { number, line: String(row.line) };
  } finally {
    database.close();
  }
}
