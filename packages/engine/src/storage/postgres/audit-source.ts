import { HoldpointError } from "@holdpoint/core";
import type { AuditSource } from "../../audit/audit-source.ts";
import { openAuditScratch } from "../sqlite/audit-source.ts";
import type { StoredSeal } from "../storage.ts";
import { connect } from "./connect.ts";
import { unbounded } from "./settings.ts";
import { restoreText } from "./storable-text.ts";
import type { Taken } from "./connect.ts";

/** How many rows are on their way at once, so that memory does not grow with the audit. */
const rowsAtOnce = 5000;

/** The first schema whose events have salts. */
const firstSalted = 8;

/**
 * Lays out the audit of a Postgres on this machine's disk as it is at one moment. The user needs the right to
 * read two tables and the schema's number. Throws `database_refused` for anything but a database with seals.
 */
export async function openPostgresAudit(address: string): Promise<AuditSource> {
  const connections = await connect(address);
  try {
    const connection = await connections.takeForLong();
    try {
      return await layOut(connection);
    } finally {
      connection.release(true); // whatever state it is in
    }
  } catch (error) {
    throw connections.refusal(error);
  } finally {
    await connections.close();
  }
}

async function layOut(connection: Taken): Promise<AuditSource> {
  await connection.query(`BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${unbounded}`);
  const salt = (await schemaOf(connection)) < firstSalted ? "NULL" : "salt";
  const { source, addEvent, addSeal } = openAuditScratch("the database");
  await connection.query(`DECLARE events NO SCROLL CURSOR FOR SELECT position, hash, stream, seq,
    type, at, body, previous, ${salt} AS salt FROM holdpoint.audit_events ORDER BY position`);
  const isText = (value: unknown): value is string => typeof value === "string";
  for (;;) {
    const { rows } = await connection.query(`FETCH ${rowsAtOnce} FROM events`);
    for (const row of rows) {
      const text = (name: string): string => restoreText(String(row[name]));
      addEvent({
        position: Number(row["position"]),
        hash: text("hash"),
        stream: text("stream"),
        seq: Number(row["seq"]),
        type: text("type"),
        at: text("at"),
        body: text("body"),
        previous: text("previous"),
        redacted: false,
        salt: isText(row["salt"]) ? row["salt"] : undefined,
      });
    }
    if (rows.length === 0) break;
  }
  for (const seal of await sealsOf(connection, 0)) addSeal(seal);
  await connection.query("COMMIT");
  return source;
}

async function sealsOf(connection: Taken, after: number): Promise<readonly StoredSeal[]> {
  const { rows } = await connection.query(
    "SELECT number, line FROM holdpoint.audit_seals WHERE number > $1 ORDER BY number",
    [after],
  );
  return rows.map((row) => ({ number: Number(row["number"]), line: String(row["line"]) }));
}

async function schemaOf(connection: Taken): Promise<number> {
  const { rows } = await connection.query("SELECT version FROM holdpoint.schema_version");
  const schema = Number(rows[0]?.["version"]);
  if (schema >= 2) return schema;
  throw new HoldpointError(
    "database_refused",
    `The database has schema ${schema}, which has no seals; start Holdpoint on it once.`,
  );
}
