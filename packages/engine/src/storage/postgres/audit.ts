import type { JsonObject } from "@holdpoint/core";
import type { Row, Statements } from "./statements.ts";
import type { AuditEvent, Reading, Writing } from "../storage.ts";

/** Reads one stream of audit events in order. */
export function readAudit(sql: Statements): Pick<Reading, "auditOf" | "lastAuditOf"> {
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
  };
}

/** Appends audit events. */
export function writeAudit(sql: Statements): Pick<Writing, "insertAuditEvent"> {
  return {
    insertAuditEvent: async (event) => {
      await sql.run(
        `INSERT INTO holdpoint.audit_events (stream, seq, type, at, body, previous, hash) VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        event.stream,
        event.seq,
        event.type,
        event.at,
        JSON.stringify(event.body),
        event.previous,
        event.hash,
      );
    },
  };
}

function eventFrom(row: Row): AuditEvent {
  return {
    stream: String(row.stream),
    seq: Number(row.seq),
    type: String(row.type),
    at: String(row.at),
    body: JSON.parse(String(row.body)) as JsonObject, // written by us
    previous: String(row.previous),
    hash: String(row.hash),
  };
}
