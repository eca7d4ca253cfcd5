import { sign, verify } from "node:crypto";
import { canonicalJson, type Digest, type Json } from "@holdpoint/core";
import { digestOfText } from "../digest.ts";
import type { PlacedHash, StoredSeal } from "../storage/storage.ts";
import { publicKeyFrom, type SigningKey } from "./signing-key.ts";

/**
 * What is signed: every event with a position in `after < position <= to`. Changed with the version only.
 * Version 1: the first.
 */
export type Seal = {
  readonly version: 1;
  readonly number: number;
  readonly at: string;
  /** The digest of the whole line of the seal before it. */
  readonly previous: string;
  readonly after: number;
  readonly to: number;
  readonly count: number;
  /** Positions in the range that no event has, as first and last: a database may leave some out. */
  readonly gaps: readonly (readonly [first: number, last: number])[];
  /** SHA-256 over a line `position hash` for each event. */
  readonly root: string;
  /** The first eight hex digits of each event's hash, so that a wrong event can be named. */
  readonly marks: string;
  /** The public key, as base64 of its SubjectPublicKeyInfo. */
  readonly key: string;
};

/** What the first seal names as the one before it. */
export const sealsStart = "sha256:start";

/** Seals these events, which are all there are after the last seal up to `to`. */
export function sealEvents(
  events: readonly PlacedHash[],
  place: { readonly last: StoredSeal | undefined; readonly to: number; readonly at: string },
  key: SigningKey,
): StoredSeal {
  const { last, to, at } = place;
  const after = last === undefined ? 0 : rangeEnd(last);
  const gaps: [number, number][] = [];
  let expected = after + 1;
  for (const event of events) {
    if (event.position > expected) gaps.push([expected, event.position - 1]);
    expected = event.position + 1;
  }
  if (expected <= to) gaps.push([expected, to]);
  const number = (last?.number ?? 0) + 1;
  const seal: Seal = {
    version: 1,
    number,
    at,
    previous: last === undefined ? sealsStart : digestOfText(last.line),
    after,
    to,
    count: events.length,
    gaps,
    root: rootOf(events.map(({ position, hash: own }) => `${position} ${own}\n`).join("")),
    marks: events.map((event) => markOf(event.hash)).join(""),
    key: key.publicKey,
  };
  const text = canonicalJson(seal as unknown as Json); // every field is JSON
  return { number, line: lineOf(text, sign(null, signed(text), key.privateKey)) };
}

/** The last position that a seal of ours covers. Throws when the line is none. */
export function rangeEnd({ number, line }: StoredSeal): number {
  const seal = readSeal(line);
  if (seal === undefined) throw new TypeError(`Seal ${number} cannot be read.`);
  return seal.to;
}

/** The seal in a line, or `undefined` for anything but the exact text of one; the signature is not checked. */
export function readSeal(line: string): Seal | undefined {
  const parts = partsOf(line);
  return parts === undefined ? undefined : parts.seal;
}

/** True when the line is signed by the key that it names. */
export function isSigned(line: string): boolean {
  const parts = partsOf(line);
  const key = parts === undefined ? undefined : publicKeyFrom(parts.seal.key);
  if (parts === undefined || key === undefined) return false;
  return verify(null, signed(parts.text), key, parts.signature);
}

/** The part of an event's hash that a seal keeps. */
export function markOf(digest: string): string {
  return digest.slice("sha256:".length, "sha256:".length + markLength);
}

/** How long the mark of one event is, in characters. */
export const markLength = 8;

/** The root over the lines `position hash` of all events. */
export function rootOf(lines: string): Digest {
  return digestOfText(lines);
}

/** Signed with its purpose in front: the key's signature under anything else is no seal. */
function signed(text: string): Buffer {
  return Buffer.from(`holdpoint audit seal\n${text}`);
}

function lineOf(text: string, signature: Buffer): string {
  return `{"seal":${text},"signature":"${signature.toString("base64")}"}`;
}

function partsOf(
  line: string,
): { readonly seal: Seal; readonly text: string; readonly signature: Buffer } | undefined {
  try {
    const { seal, signature } = JSON.parse(line) as { seal: unknown; signature: unknown }; // checked below
    if (!isSeal(seal) || typeof signature !== "string") return undefined;
    const text = canonicalJson(seal as unknown as Json); // came from JSON
    const bytes = Buffer.from(signature, "base64");
    // One text for each seal: no byte of a line can be changed without being seen.
    return line === lineOf(text, bytes) ? { seal, text, signature: bytes } : undefined;
  } catch {
    return undefined;
  }
}

function isSeal(value: unknown): value is Seal {
  if (typeof value !== "object" || value === null) return false;
  const seal = value as Readonly<Record<string, unknown>>; // an object, as just checked
  const numbers = [seal["number"], seal["after"], seal["to"], seal["count"]];
  const texts = [seal["at"], seal["previous"], seal["root"], seal["marks"], seal["key"]];
  const { version, gaps } = seal;
  return (
    version === 1 &&
    Object.keys(seal).length === 11 &&
    numbers.every((one) => Number.isSafeInteger(one)) &&
    texts.every((one) => typeof one === "string") &&
    Array.isArray(gaps) &&
    gaps.every(
      (gap) =>
        Array.isArray(gap) && gap.length === 2 && gap.every((one) => Number.isSafeInteger(one)),
    )
  );
}
