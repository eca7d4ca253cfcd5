import { canonicalJson } from "@holdpoint/core";
import { eventFrom, sealFrom } from "../rows/audit-row.ts";
import type { Statements } from "./statements.ts";
import type { Reading, Writing } from "../storage.ts";

type AuditReads =
  | "auditOf"
  | "lastAuditOf"
  | "auditHead"
  | "auditSettled"
  | "auditBetween"
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
    lastAuditOf: async (stream) => {
      const row = await sql.get(
        `SELECT * FROM holdpoint.audit_events WHERE stream = $1 ORDER BY seq DESC LIMIT 1`,
        stream,
      );
      return row === undefined ? undefined : eventFrom(row);
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
export function writeAudit(sql: Statements): Pick<Writing, "insertAuditEvent" | "insertSeal"> {
  return {
    insertAuditEvent: async (event) => {
      await sql.run(
        `INSERT INTO holdpoint.audit_events (stream, seq, type, at, body, previous, hash) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        event.stream,
        event.seq,
        event.type,
        event.at,
        canonicalJson(event.body), // as it was hashed, so that verifying need not write it anew
        event.previous,
        event.hash,
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
