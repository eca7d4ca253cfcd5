import { bodyText } from "../../audit/body-text.ts";
import { eventFrom, pageEventFrom, sealFrom } from "../rows/audit-row.ts";
import type { Statements } from "./statements.ts";
import type { AuditLink, Reading, Writing } from "../storage.ts";

type AuditReads =
  | "auditOf"
  | "lastAuditsOf"
  | "auditHead"
  | "auditSettled"
  | "auditBetween"
  | "auditPage"
  | "lastSeal"
  | "sealsAfter";

/** Reads audit events in the order of their stream or of their position, and seals. */
export function readAudit(sql: Statements): Pick<Reading, AuditReads> {
  return {
    auditOf: async (stream) =>
      sql.all(`SELECT * FROM audit_events WHERE stream = ? ORDER BY seq`, stream).map(eventFrom),
    lastAuditsOf: async (streams) => {
      const last = new Map<string, AuditLink>();
      for (const stream of streams) {
        const row = sql.get(
          `SELECT seq, hash FROM audit_events WHERE stream = ? ORDER BY seq DESC LIMIT 1`,
          stream,
        );
        if (row !== undefined) last.set(stream, { seq: Number(row.seq), hash: String(row.hash) });
      }
      return last;
    },
    auditHead: async () => {
      const row = sql.get(`SELECT coalesce(max(position), 0) AS position FROM audit_events`);
      return { position: Number(row?.position), mark: "" };
    },
    // One writer at a time: a lower position is always committed before a higher one.
    auditSettled: async () => true,
    auditBetween: async ({ after, to, limit }) =>
      sql
        .all(
          `SELECT position, hash FROM audit_events WHERE position > ? AND position <= ? ORDER BY position LIMIT ?`,
          after,
          to,
          limit,
        )
        .map((row) => ({ position: Number(row.position), hash: String(row.hash) })),
    auditPage: async ({ after, to, limit }) =>
      sql
        .all(
          `SELECT e.*, p.hash AS hash_before FROM audit_events AS e
           LEFT JOIN audit_events AS p ON p.stream = e.stream AND p.seq = e.seq - 1
           WHERE e.position > ? AND e.position <= ? ORDER BY e.position LIMIT ?`,
          after,
          to,
          limit,
        )
        .map(pageEventFrom),
    lastSeal: async () => {
      const row = sql.get(`SELECT number, line FROM audit_seals ORDER BY number DESC LIMIT 1`);
      return row === undefined ? undefined : sealFrom(row);
    },
    sealsAfter: async (after, limit) =>
      sql
        .all(
          `SELECT number, line FROM audit_seals WHERE number > ? ORDER BY number LIMIT ?`,
          after,
          limit,
        )
        .map(sealFrom),
  };
}

/** Appends audit events and seals. */
export function writeAudit(sql: Statements): Pick<Writing, "insertAuditEvents" | "insertSeal"> {
  return {
    insertAuditEvents: async (events) => {
      for (const event of events) {
        sql.run(
          `INSERT INTO audit_events (stream, seq, position, type, at, body, previous, hash, salt)
           VALUES (?, ?, (SELECT coalesce(max(position), 0) + 1 FROM audit_events), ?, ?, ?, ?, ?, ?)`,
          event.stream,
          event.seq,
          event.type,
          event.at,
          bodyText(event.body), // as it was hashed, so that verifying need not write it anew
          event.previous,
          event.hash,
          event.salt,
        );
      }
    },
    insertSeal: async ({ number, line }) =>
      sql.run(
        `INSERT INTO audit_seals (number, line) VALUES (?, ?) ON CONFLICT DO NOTHING`,
        number,
        line,
      ) === 1,
  };
}
