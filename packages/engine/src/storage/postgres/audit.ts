import { bodyText } from "../../audit/body-text.ts";
import { eventFrom, pageEventFrom, sealFrom } from "../rows/audit-row.ts";
import type { Statements } from "./statements.ts";
import type { Reading, Writing } from "../storage.ts";

type AuditReads =
  | "auditOf"
  | "lastAuditsOf"
  | "auditHead"
  | "auditSettled"
  | "auditBetween"
  | "auditPage"
  | "lastSeal"
  | "sealsAfter";

/**
 * The transactions that may be adding an event: each takes this lock before its event gets a position, and
 * keeps it until it has ended.
 */
const writers = `pg_locks WHERE locktype = 'relation' AND mode = 'RowExclusiveLock'
  AND relation = 'holdpoint.audit_events'::regclass AND pid <> pg_backend_pid()
  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;

/** Reads audit events in the order of their stream or of their position, and seals. */
export function readAudit(sql: Statements): Pick<Reading, AuditReads> {
  return {
    auditOf: async (stream) =>
      (
        await sql.all(`SELECT * FROM holdpoint.audit_events WHERE stream = $1 ORDER BY seq`, stream)
      ).map(eventFrom),
    lastAuditsOf: async (streams) => {
      const rows = await sql.all(
        `SELECT last.stream, last.seq, last.hash FROM unnest($1::text[]) AS asked (stream)
         CROSS JOIN LATERAL (SELECT event.stream, event.seq, event.hash FROM holdpoint.audit_events AS event
           WHERE event.stream = asked.stream ORDER BY event.seq DESC LIMIT 1) AS last`,
        streams,
      );
      return new Map(
        rows.map((row) => [String(row.stream), { seq: Number(row.seq), hash: String(row.hash) }]),
      );
    },
    auditHead: async () => {
      const last = await sql.get(
        `SELECT coalesce(max(position), 0) AS position FROM holdpoint.audit_events`,
      );
      // Asked afterwards: whoever took a lower position is among them, or has committed.
      const now = await sql.get(
        `SELECT coalesce(string_agg(virtualtransaction, ' '), '') AS mark FROM ${writers}`,
      );
      return { position: Number(last?.position), mark: String(now?.mark) };
    },
    auditSettled: async ({ mark }) => {
      if (mark === "") return true;
      const row = await sql.get(
        `SELECT count(*) AS count FROM ${writers} AND virtualtransaction = ANY (string_to_array($1, ' '))`,
        mark,
      );
      return Number(row?.count) === 0;
    },
    auditBetween: async ({ after, to, limit }) => {
      const rows = await sql.all(
        `SELECT position, hash FROM holdpoint.audit_events
         WHERE position > $1 AND position <= $2 ORDER BY position LIMIT $3`,
        after,
        to,
        limit,
      );
      return rows.map((row) => ({ position: Number(row.position), hash: String(row.hash) }));
    },
    auditPage: async ({ after, to, limit }) => {
      const rows = await sql.all(
        `SELECT e.*, p.hash AS hash_before FROM holdpoint.audit_events AS e
           LEFT JOIN holdpoint.audit_events AS p ON p.stream = e.stream AND p.seq = e.seq - 1
           WHERE e.position > $1 AND e.position <= $2 ORDER BY e.position LIMIT $3`,
        after,
        to,
        limit,
      );
      return rows.map(pageEventFrom);
    },
    lastSeal: async () => {
      const row = await sql.get(
        `SELECT number, line FROM holdpoint.audit_seals ORDER BY number DESC LIMIT 1`,
      );
      return row === undefined ? undefined : sealFrom(row);
    },
    sealsAfter: async (after, limit) => {
      const rows = await sql.all(
        `SELECT number, line FROM holdpoint.audit_seals WHERE number > $1 ORDER BY number LIMIT $2`,
        after,
        limit,
      );
      return rows.map(sealFrom);
    },
  };
}

/** Appends audit events and seals. */
export function writeAudit(sql: Statements): Pick<Writing, "insertAuditEvents" | "insertSeal"> {
  return {
    // Rows of one statement get their identities in the order in which they come.
    insertAuditEvents: async (events) => {
      await sql.run(
        `INSERT INTO holdpoint.audit_events (stream, seq, type, at, body, previous, hash, salt)
         SELECT * FROM unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])`,
        events.map((event) => event.stream),
        events.map((event) => event.seq),
        events.map((event) => event.type),
        events.map((event) => event.at),
        events.map((event) => bodyText(event.body)), // as hashed: verifying need not write it anew
        events.map((event) => event.previous),
        events.map((event) => event.hash),
        events.map((event) => event.salt),
      );
    },
    insertSeal: async ({ number, line }) =>
      (await sql.run(
        `INSERT INTO holdpoint.audit_seals (number, line) VALUES ($1, $2) ON CONFLICT DO NOTHING`,
        number,
        line,
      )) === 1,
  };
}
