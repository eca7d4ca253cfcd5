import { randomBytes } from "node:crypto";
import { type AuditEntry, type Digest, isPlainJson, type JsonObject } from "@holdpoint/core";
import { digestOfText } from "../digest.ts";
import type { AuditEvent, AuditLink, Writing } from "../storage/storage.ts";
import { bodyText } from "./body-text.ts";

/** The hash before the first event of a stream. */
export const streamStart = "sha256:start";

/** Too many to be guessed, so that the hash of an erased body says nothing of it. */
const saltBytes = 16;

/** The text of a body that was erased. */
export const erasedBody = '{"erased":true}';

/** An entry and the stream it belongs to. */
export type StreamEntry = { readonly stream: string; readonly entry: AuditEntry };

/** Appends an entry to its stream, linked to the event before it, in the caller's transaction. */
export function appendAudit(writing: Writing, stream: string, entry: AuditEntry): Promise<void> {
  return appendAudits(writing, [{ stream, entry }]);
}

/** Appends entries in their order, each linked to the event before it on its stream. */
export async function appendAudits(
  writing: Writing,
  entries: readonly StreamEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const streams = [...new Set(entries.map(({ stream }) => stream))];
  const last = new Map<string, AuditLink>(await writing.lastAuditsOf(streams));
  const salts = randomBytes(saltBytes * entries.length);
  const events = entries.map(({ stream, entry }, index): AuditEvent => {
    const before = last.get(stream);
    const event = {
      stream,
      seq: (before?.seq ?? 0) + 1,
      type: entry.type,
      at: writing.now,
      body: entry.body,
      previous: before?.hash ?? streamStart,
      salt: salts.toString("base64url", saltBytes * index, saltBytes * (index + 1)),
    };
    const linked = { ...event, hash: hashOf(event) };
    last.set(stream, linked);
    return linked;
  });
  await writing.insertAuditEvents(events);
}

/** Names the first event of a stream that is wrong or missing, or `undefined` when the chain holds. */
export function firstBrokenEvent(events: readonly AuditEvent[]): number | undefined {
  let previous: string = streamStart;
  for (const [index, event] of events.entries()) {
    const { hash, ...linked } = event;
    if (event.seq !== index + 1 || event.previous !== previous || !isHashOf(hash, linked))
      return index + 1;
    previous = hash;
  }
  return undefined;
}

/** False as well for an event that was changed into something that cannot be hashed. */
function isHashOf(hash: string, event: Omit<AuditEvent, "hash">): boolean {
  return isPlainJson(event) && hash === hashOf(event);
}

/**
 * True when this is the hash of an event whose body is known as text. The text of an event as it is hashed
 * is put together without reading the body, which is stored the way it was hashed; only a body of before,
 * in another order of keys, is read and written anew. The hash cannot be met by any other text.
 */
export function isHashOfText(
  claimed: string,
  event: Omit<AuditEvent, "hash" | "body" | "salt"> & { readonly salt: string | undefined },
  body: string,
): boolean {
  const { at, previous, salt, seq, stream, type } = event;
  if (claimed === digestOfText(hashedText(event, body))) return true;
  try {
    const read = JSON.parse(body) as JsonObject; // anything else has another hash
    const linked = { at, previous, seq, stream, type, ...(salt === undefined ? {} : { salt }) };
    return JSON.stringify(read) === body && isHashOf(claimed, { ...linked, body: read });
  } catch {
    return false;
  }
}

function hashOf(event: Omit<AuditEvent, "hash">): Digest {
  return digestOfText(hashedText(event, bodyText(event.body)));
}

/** The canonical JSON of an event without its hash, put together around its body. */
function hashedText(
  {
    at,
    previous,
    salt,
    seq,
    stream,
    type,
  }: Omit<AuditEvent, "hash" | "body" | "salt"> & { readonly salt?: string | undefined },
  body: string,
): string {
  const salted = salt === undefined ? "" : `"salt":${JSON.stringify(salt)},`;
  return `{"at":${JSON.stringify(at)},"body":${body},"previous":${JSON.stringify(previous)},${salted}"seq":${seq},"stream":${JSON.stringify(stream)},"type":${JSON.stringify(type)}}`;
}
