import { canonicalJson, HoldpointError, type Json, type JsonObject } from "@holdpoint/core";
import { openAuditScratch } from "../storage/sqlite/audit-source.ts";
import type { AuditFinding, AuditSource, KeptEvent } from "./audit-source.ts";
import { type RedactionPolicy, redact } from "./redact.ts";
import { readSeal } from "./seal.ts";
import { linesOf } from "./seals-file.ts";

/**
 * An audit as JSON Lines: every event by position, then every seal, then how many there are of each. Secrets
 * and what the policy names are left out; such an event keeps its hash and its links. Closes the source.
 */
export function* exportAudit(source: AuditSource, policy: RedactionPolicy): Generator<string> {
  let [events, seals] = [0, 0];
  try {
    for (const event of source.byPosition()) {
      yield eventLine(event, policy);
      events += 1;
    }
    for (const seal of source.seals()) {
      yield seal.line;
      seals += 1;
    }
    yield endLine(events, seals);
  } finally {
    source.close();
  }
}

/** Reads an export onto the disk, to be verified there; or says which line no export of ours has. */
export function openAuditExport(
  file: string,
): { readonly source: AuditSource } | { readonly finding: AuditFinding } {
  const scratch = openAuditScratch("the export");
  let [line, events, seals, position, ended] = [0, 0, 0, 0, false];
  for (const text of linesOf(file)) {
    line += 1;
    const read = ended ? undefined : readLine(text);
    const problem =
      read === undefined
        ? "is not a line of an export"
        : read.type === "event" && (seals > 0 || read.event.position <= position)
          ? "is out of order"
          : undefined;
    if (read === undefined || problem !== undefined)
      return stop(scratch.source, position, `Line ${line} of the export ${problem}.`);
    if (read.type === "event") {
      position = read.event.position;
      events += 1;
      scratch.addEvent(read.event);
    } else if (read.type === "seal") {
      seals += 1;
      scratch.addSeal({ number: read.number, line: text });
    } else {
      ended = true;
      // What is missing is named by links and seals; the numbers are for what those do not cover.
      const message = `The export ends with ${events} events and ${seals} seals instead of ${read.events} and ${read.seals}.`;
      if (read.events !== events || read.seals !== seals)
        return { source: { ...scratch.source, cut: message } };
    }
  }
  return ended
    ? { source: scratch.source }
    : { source: { ...scratch.source, cut: "The export has no last line, so it was cut off." } };
}

function stop(source: AuditSource, position: number, message: string): { finding: AuditFinding } {
  source.close();
  return { finding: { problem: "unreadable", position: position + 1, message } };
}

function eventLine(event: KeptEvent, policy: RedactionPolicy): string {
  const { position, stream, seq, type, at, previous, hash, salt } = event;
  try {
    const { body, redacted } = redact(JSON.parse(event.body) as JsonObject, policy); // ours, or not writable
    const kept = { position, stream, seq, type, at, body, previous, hash };
    // With the salt whoever tries every short value would find the one that was left out.
    if (redacted.length > 0) return canonicalJson({ event: kept, redacted });
    return canonicalJson({ event: salt === undefined ? kept : { ...kept, salt } });
  } catch (cause) {
    throw new HoldpointError(
      "database_refused",
      `Event ${seq} of stream ${stream} cannot be exported, because its body is not JSON; run "holdpoint audit verify".`,
      { cause },
    );
  }
}

function endLine(events: number, seals: number): string {
  return canonicalJson({ end: { events, seals } });
}

type Line =
  | { readonly type: "event"; readonly event: KeptEvent }
  | { readonly type: "seal"; readonly number: number }
  | { readonly type: "end"; readonly events: number; readonly seals: number };

/** Only the very text that the export writes for a value: no byte of it can change unseen. */
function readLine(text: string): Line | undefined {
  const seal = readSeal(text);
  if (seal !== undefined) return { type: "seal", number: seal.number };
  try {
    const value = JSON.parse(text) as Record<string, unknown>; // checked below
    if (canonicalJson(value as Json) !== text) return undefined;
    const { event, redacted = [], end } = value;
    if (event !== undefined && isEvent(event) && Array.isArray(redacted)) {
      const body = canonicalJson(event.body);
      const salt = event.salt; // absent in events of before
      return { type: "event", event: { ...event, body, salt, redacted: redacted.length > 0 } };
    }
    if (typeof end !== "object" || end === null) return undefined;
    const { events, seals } = end as Record<string, unknown>; // an object, as just checked
    return typeof events === "number" && typeof seals === "number"
      ? { type: "end", events, seals }
      : undefined;
  } catch {
    return undefined;
  }
}

function isEvent(value: unknown): value is Omit<KeptEvent, "body" | "redacted" | "salt"> & {
  readonly body: JsonObject;
  readonly salt?: string;
} {
  if (typeof value !== "object" || value === null) return false;
  const event = value as Record<string, unknown>; // an object, as just checked
  return (
    Object.keys(event).length === (event["salt"] === undefined ? 8 : 9) &&
    ["string", "undefined"].includes(typeof event["salt"]) &&
    [event["position"], event["seq"]].every((one) => Number.isSafeInteger(one)) &&
    ["stream", "type", "at", "previous", "hash"].every((key) => typeof event[key] === "string") &&
    typeof event["body"] === "object" &&
    event["body"] !== null
  );
}
