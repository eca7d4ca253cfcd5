import { digestJson, digestText, type Review } from "@holdpoint/core";
import type { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { firstBrokenEvent, streamStart } from "./chain.ts";
import type { Engine } from "../engine.ts";
import { readAudit } from "../storage/sqlite/audit.ts";
import { createStatements } from "../storage/sqlite/statements.ts";
import type { AuditEvent } from "../storage/storage.ts";
import { openRaw } from "../testing/raw-database.ts";
import { aDraft, anna, ben, decideEach } from "../testing/review-draft.ts";
import { openTestEngine, temporaryFile } from "../testing/temporary-engine.ts";

function eventsOf(engine: Engine, stream: string): Promise<readonly AuditEvent[]> {
  return engine.storage.read((reading) => reading.auditOf(stream));
}

/** A review with every kind of event: opened, decided twice, refused, started, ended. */
async function aFullStory(engine: Engine): Promise<Review> {
  const review = await engine.openReview(aDraft(2));
  const [first, second] = decideEach(review, { type: "approve" });
  const [action] = review.actions;
  if (first === undefined || second === undefined || action === undefined)
    throw new Error("a draft has two actions");
  await engine.decide({ reviewId: review.id, decisions: [first], reviewer: anna });
  await engine.decide({
    reviewId: review.id,
    decisions: [{ ...second, decision: { type: "reject" } }],
    reviewer: ben,
  });
  await engine.startPermit(action.id, digestText("another call"));
  await engine.startPermit(action.id, action.digest);
  await engine.closePermit(action.id, 1, { status: "succeeded", message: { content: "sent" } });
  return review;
}

describe("the audit chain", () => {
  test("P7: tells the whole story in order, and verifies", async () => {
    const engine = await openTestEngine(temporaryFile());
    const review = await aFullStory(engine);
    const events = await eventsOf(engine, review.id);
    expect(events.map((event) => [event.seq, event.type])).toEqual([
      [1, "review.opened"],
      [2, "action.decided"],
      [3, "action.decided"],
      [4, "permit.refused"],
      [5, "permit.started"],
      [6, "permit.succeeded"],
    ]);
    expect(events[0]?.previous).toBe(streamStart);
    expect(firstBrokenEvent(events)).toBeUndefined();
    expect(firstBrokenEvent([])).toBeUndefined();
    expect(JSON.stringify(events)).not.toContain("a@b.c");
  });

  test("each review has a chain of its own", async () => {
    const engine = await openTestEngine();
    const reviews = await Promise.all([aFullStory(engine), aFullStory(engine), aFullStory(engine)]);
    for (const review of reviews) {
      const events = await eventsOf(engine, review.id);
      expect(events.map((event) => event.seq)).toEqual([1, 2, 3, 4, 5, 6]);
      expect(firstBrokenEvent(events)).toBeUndefined();
    }
  });

  /** Every value that a column of an event might be changed into. */
  function forgeries(
    event: AuditEvent,
  ): readonly (readonly [column: string, value: string | number])[] {
    const other = digestText("forged");
    const bodies = Object.keys(event.body).flatMap((key) => {
      const { [key]: _removed, ...rest } = event.body;
      return [rest, { ...event.body, [key]: "forged" }];
    });
    return [
      ["stream", "rev_forged"],
      ["seq", event.seq + 100],
      ["seq", -event.seq],
      ["type", "review.closed"],
      ["type", event.type.toUpperCase()],
      ["at", "2020-01-01T00:00:00.000Z"],
      ["at", event.at.replace("Z", "+00:00")],
      ["previous", other],
      ["previous", ""],
      ["hash", other],
      ["hash", event.hash.toUpperCase()],
      ...[...bodies, { ...event.body, extra: null }, {}].map(
        (body) => ["body", JSON.stringify(body)] as const,
      ),
      ["body", '{"amount":9007199254740993}'],
      ["body", '{"amount":1e400}'],
      ["body", String.raw`{"text":"\ud800"}`],
    ];
  }

  /** The first broken event of every stream, as this connection sees them. */
  async function brokenStreams(raw: DatabaseSync): Promise<(readonly [string, number])[]> {
    const { auditOf } = readAudit(createStatements(raw));
    const streams = raw.prepare("SELECT DISTINCT stream FROM audit_events").all();
    const found = streams.map(async ({ stream }) => {
      const at = firstBrokenEvent(await auditOf(String(stream)));
      return at === undefined ? [] : [[String(stream), at] as const];
    });
    return (await Promise.all(found)).flat();
  }

  test("T34: every change of every column of every event is found", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    const review = await aFullStory(engine);
    const raw = openRaw(path);
    raw.exec("DROP TRIGGER audit_events_no_update");
    const tried = new Set<string>();
    for (const event of await eventsOf(engine, review.id)) {
      for (const [column, value] of forgeries(event)) {
        raw.exec("BEGIN");
        const update = `UPDATE audit_events SET ${column} = ? WHERE stream = ? AND seq = ?`;
        expect(raw.prepare(update).run(value, event.stream, event.seq).changes).toBe(1);
        const broken = await brokenStreams(raw);
        raw.exec("ROLLBACK");
        const where = `${event.seq} ${column} = ${value}`;
        expect(broken, where).not.toEqual([]);
        if (column !== "stream" && column !== "seq")
          expect(broken, where).toEqual([[review.id, event.seq]]);
        tried.add(`${event.seq} ${column}`);
      }
    }
    expect(tried.size).toBe(6 * 7);
    expect(await brokenStreams(raw)).toEqual([]);
  });

  test("a body that is no JSON any more cannot be read, and stops nobody from deciding", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    const review = await engine.openReview(aDraft());
    const raw = openRaw(path);
    raw.exec("DROP TRIGGER audit_events_no_update");
    raw.exec("UPDATE audit_events SET body = '{'");
    await expect(eventsOf(engine, review.id)).rejects.toThrow("JSON");
    const decisions = decideEach(review, { type: "approve" });
    const decided = await engine.decide({ reviewId: review.id, decisions, reviewer: anna });
    expect(decided).toMatchObject({ type: "recorded", review: { version: 2 } });
  });

  test("an event that is taken out, put in or moved is found where it happened", async () => {
    const engine = await openTestEngine();
    const events = await eventsOf(engine, (await aFullStory(engine)).id);
    events.slice(0, -1).forEach((event, index) => {
      expect(firstBrokenEvent(events.toSpliced(index, 1))).toBe(index + 1);
      expect(firstBrokenEvent(events.toSpliced(index, 0, event))).toBe(index + 2);
      const swapped = events.with(index, events[index + 1] ?? event).with(index + 1, event);
      expect(firstBrokenEvent(swapped)).toBe(index + 1);
    });
  });

  test("numbers start at one without gaps, also where every hash is right", () => {
    const unhashed = { stream: "s", seq: 2, type: "x", at: "now", body: {}, previous: streamStart };
    expect(firstBrokenEvent([{ ...unhashed, hash: digestJson(unhashed) }])).toBe(1);
    const first = { ...unhashed, seq: 1 };
    expect(firstBrokenEvent([{ ...first, hash: digestJson(first) }])).toBeUndefined();
  });

  test("a forger who hashes anew must rewrite all that follows", async () => {
    const engine = await openTestEngine();
    const review = await aFullStory(engine);
    const events = await eventsOf(engine, review.id);
    // Another story of the same shape, hashed by the engine itself.
    const other = await eventsOf(engine, (await aFullStory(engine)).id);
    const forged = events.map((event, index) => (index === 2 ? (other[2] ?? event) : event));
    expect(firstBrokenEvent(forged)).toBe(3);
  });
});
