import type { JsonObject } from "@holdpoint/core";
import type { AuditEvent, EventWithPrevious, StoredSeal } from "../storage.ts";
import { optionalText, type Row } from "./row.ts";

/** A seal from its row. */
export function sealFrom(row: Row): StoredSeal {
  return { number: Number(row.number), line: String(row.line) };
}

/** An audit event from its row, with its body as it stands there. */
export function pageEventFrom(row: Row): EventWithPrevious {
  return {
    position: Number(row.position),
    stream: String(row.stream),
    seq: Number(row.seq),
    type: String(row.type),
    at: String(row.at),
    body: String(row.body),
    previous: String(row.previous),
    hash: String(row.hash),
    salt: optionalText(row.salt),
    hashBefore: optionalText(row.hash_before),
  };
}

/** An audit event from its row. */
export function eventFrom(row: Row): AuditEvent {
  return {
    stream: String(row.stream),
    seq: Number(row.seq),
    type: String(row.type),
    at: String(row.at),
    body: JSON.parse(String(row.body)) as JsonObject, // written by us
    previous: String(row.previous),
    hash: String(row.hash),
    ...(typeof row.salt === "string" ? { salt: row.salt } : {}),
  };
}
