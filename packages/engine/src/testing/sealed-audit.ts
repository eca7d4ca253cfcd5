import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { canonicalJson, digestJson, type JsonObject } from "@holdpoint/core";
import { createKeyFile } from "../audit/signing-key.ts";
import { streamStart } from "../audit/chain.ts";
import { type Engine, openEngine } from "../engine.ts";
import type { StoredSeal } from "../storage/storage.ts";
import { aDraft, anna, decideEach } from "./review-draft.ts";

/** A row of the table of events. */
export type EventRow = {
  stream: string;
  seq: number;
  position: number;
  type: string;
  at: string;
  body: string;
  previous: string;
  hash: string;
  salt: string | null;
};

/** An audit as a forger sees it: everything can be changed. */
export type Forgery = { events: EventRow[]; seals: StoredSeal[]; file: string[] };

/** Where the parts of a sealed audit lie. */
export type SealedAudit = {
  readonly engine: Engine;
  readonly database: string;
  readonly sealsFile: string;
  readonly keyFile: string;
};

/** A key pair in a folder, and an engine there that seals on demand; the caller closes it. */
export async function openSealedAudit(folder: string): Promise<SealedAudit> {
  const keyFile = join(folder, "audit.pem");
  createKeyFile(keyFile);
  const database = join(folder, "holdpoint.db");
  const sealsFile = join(folder, "seals.jsonl");
  const engine = await openEngine({
    database: `file:${database}`,
    audit: { keyFile, sealsFile },
  });
  return { engine, database, sealsFile, keyFile };
}

/** Opens reviews and decides them, side by side: three events each, and the streams interleaved. */
export async function audit(engine: Engine, reviews: number): Promise<void> {
  const opened = [];
  for (let index = 0; index < reviews; index += 1) opened.push(await engine.openReview(aDraft(2)));
  for (const place of [0, 1]) {
    for (const review of opened) {
      const decisions = decideEach(review, { type: "approve" }).slice(place, place + 1);
      await engine.decide({ reviewId: review.id, decisions, reviewer: anna });
    }
  }
}

/** Three seals over 6, 6 and 3 events of five streams, and one stream of three events that are not sealed yet. */
export async function aSealedStory(folder: string): Promise<SealedAudit> {
  const sealed = await openSealedAudit(folder);
  for (const reviews of [2, 2, 1]) {
    await audit(sealed.engine, reviews);
    await sealed.engine.sealAudit();
  }
  await audit(sealed.engine, 1);
  return sealed;
}

/** What lies there. */
export function readForgery({ database, sealsFile }: SealedAudit): Forgery {
  const raw = new DatabaseSync(database, { timeout: 5000 });
  const rows = raw.prepare("SELECT * FROM audit_events ORDER BY position").all();
  const seals = raw.prepare("SELECT number, line FROM audit_seals ORDER BY number").all();
  raw.close();
  return {
    events: rows.map((row) => ({ ...row }) as EventRow), // columns as the schema has them
    seals: seals.map((row) => ({ number: Number(row["number"]), line: String(row["line"]) })),
    file: existsSync(sealsFile) ? readFileSync(sealsFile, "utf8").trimEnd().split("\n") : [],
  };
}

/** Puts a forgery in the place of what lay there, beside the open engine. */
export function writeForgery({ database, sealsFile }: SealedAudit, forgery: Forgery): void {
  const raw = new DatabaseSync(database, { timeout: 5000 });
  raw.exec("PRAGMA synchronous = OFF; BEGIN IMMEDIATE");
  for (const table of ["audit_events", "audit_seals"]) {
    raw.exec(`DROP TRIGGER IF EXISTS ${table}_no_delete; DELETE FROM ${table}`);
  }
  const event = raw.prepare(`INSERT INTO audit_events
    (stream, seq, position, type, at, body, previous, hash, salt) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`);
  for (const { stream, seq, position, type, at, body, previous, hash, salt } of forgery.events)
    event.run(stream, seq, position, type, at, body, previous, hash, salt);
  const seal = raw.prepare("INSERT INTO audit_seals (number, line) VALUES (?, ?)");
  for (const { number, line } of forgery.seals) seal.run(number, line);
  raw.exec("COMMIT");
  raw.close();
  writeFileSync(sealsFile, forgery.file.map((line) => `${line}\n`).join(""));
}

/** The same forgery as an export, with a last line that agrees with it. */
export function writeForgedExport(file: string, { events, seals }: Forgery): void {
  const lines = events.map(({ body, salt, ...event }) => {
    const read = { ...event, body: JSON.parse(body) as JsonObject };
    return canonicalJson({ event: salt === null ? read : { ...read, salt } });
  });
  const end = canonicalJson({ end: { events: events.length, seals: seals.length } });
  const all = [...lines, ...seals.map(({ line }) => line), end];
  writeFileSync(file, all.map((line) => `${line}\n`).join(""));
}

/** Hashes a stream anew, so that its links hold. */
export function relink(events: readonly EventRow[], stream: string): void {
  let previous: string = streamStart;
  const own = events.filter((event) => event.stream === stream);
  for (const event of own.toSorted((left, right) => left.seq - right.seq)) {
    const { seq, type, at } = event;
    const salted = event.salt === null ? {} : { salt: event.salt };
    const body = JSON.parse(event.body) as JsonObject;
    event.previous = previous;
    event.hash = previous = digestJson({ stream, seq, type, at, body, previous, ...salted });
  }
}
