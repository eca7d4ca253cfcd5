import { describe, expect, test } from "vitest";
import { isHashOfText } from "../audit/chain.ts";
import { exportAudit } from "../audit/export-audit.ts";
import { openAudit } from "../audit/open-audit.ts";
import { type AuditReport, verifyAudit } from "../audit/verify-audit.ts";
import type { Engine } from "../engine.ts";
import { allRows, openRaw } from "../testing/raw-database.ts";
import { aDraft, anna, approvedAction, ben, decideEach } from "../testing/review-draft.ts";
import { aSealedStory } from "../testing/sealed-audit.ts";
import {
  databaseAt,
  isOnSqlite,
  openTestEngine,
  temporaryFile,
  temporaryFolder,
} from "../testing/temporary-engine.ts";
import { createTestClock } from "../testing/test-clock.ts";
import { erase } from "./erase.ts";
import { retain } from "./retain.ts";

const day = 24 * 60 * 60 * 1000;

async function verified(path: string): Promise<AuditReport> {
  return verifyAudit({ audit: { source: await openAudit(await databaseAt(path)) } });
}

/** All that the audit says. */
async function told(path: string): Promise<string> {
  const source = await openAudit(await databaseAt(path));
  return [...exportAudit(source, { paths: [], keys: [] })].join("\n");
}

async function decided(engine: Engine, threadId: string, reviewer = anna) {
  const review = await engine.openReview(aDraft(1, { threadId, askedFor: "mail to a@b.c" }));
  const decisions = decideEach(review, { type: "reject", message: "no" });
  await engine.decide({ reviewId: review.id, decisions, reviewer });
  return review;
}

describe("T37: erasing", () => {
  test("a thread leaves nothing of it, and an audit that still verifies and says what was erased", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    const gone = await decided(engine, "thread of Grace Hopper");
    const kept = await decided(engine, "thread of somebody else");
    expect(await told(path)).toContain("Grace Hopper");
    expect(await erase(engine.storage, { threadId: "thread of Grace Hopper" })).toBe(2);
    expect(await verified(path)).toMatchObject({ events: 5, streams: 3, erased: 2 });
    expect(await verified(path)).not.toHaveProperty("finding");
    expect(await told(path)).not.toContain("Grace Hopper");
    expect(await told(path)).toContain("somebody else");
    expect(await engine.readReview(gone.id)).toBeUndefined();
    expect(await engine.readReview(kept.id)).toMatchObject({ state: { status: "decided" } });
    // Once more changes nothing, and what comes later is linked to what is there.
    expect(await erase(engine.storage, { threadId: "thread of Grace Hopper" })).toBe(0);
    await decided(engine, "thread of Grace Hopper");
    expect(await verified(path)).toMatchObject({ events: 7, erased: 2 });
    expect(await verified(path)).not.toHaveProperty("finding");
  });

  test("a reviewer leaves what was decided, and not by whom", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    const byAnna = await decided(engine, "t1", anna);
    const byBen = await decided(engine, "t2", ben);
    const link = await engine.access.createLink(anna);
    expect(await erase(engine.storage, { reviewerId: "anna" })).toBe(1);
    expect(await verified(path)).toMatchObject({ erased: 1 });
    expect(await verified(path)).not.toHaveProperty("finding");
    expect(await told(path)).not.toContain(`"anna"`);
    expect(await told(path)).toContain(`"reviewer":"ben"`);
    const reviewer = { id: expect.stringMatching(/^erased_/) as string, name: "erased" };
    expect(await engine.readReview(byAnna.id)).toMatchObject({
      actions: [{ state: { status: "decided", recorded: { reviewer } } }],
    });
    expect(await engine.readReview(byBen.id)).toMatchObject({
      actions: [{ state: { recorded: { reviewer: ben } } }],
    });
    expect(await engine.access.enter(link)).toBeUndefined();
  });

  test("leaves a hash that cannot be met by who knows all but the salt", async () => {
    const engine = await openTestEngine(temporaryFile());
    const { id } = await decided(engine, "t");
    const [event] = await engine.storage.read((reading) => reading.auditOf(id));
    if (event === undefined) throw new Error("a review has an event");
    const body = JSON.stringify(event.body);
    expect(isHashOfText(event.hash, { ...event, salt: event.salt }, body)).toBe(true);
    expect(isHashOfText(event.hash, { ...event, salt: undefined }, body)).toBe(false);
    expect(event.salt).toHaveLength(22);
  });

  test("waits for what runs on the thread", async () => {
    const engine = await openTestEngine(temporaryFile());
    const { id, digest } = await approvedAction(engine, { threadId: "busy" });
    const started = await engine.startPermit(id, digest);
    const refused = { code: "thread_busy" };
    await expect(erase(engine.storage, { threadId: "busy" })).rejects.toMatchObject(refused);
    if (started.type === "refused") throw new Error("it was approved");
    const receipt = { status: "succeeded", message: {} } as const;
    await engine.closePermit(id, started.permit.fence, receipt);
    expect(await erase(engine.storage, { threadId: "busy" })).toBe(4);
  });

  test("breaks no seal", async () => {
    if (!isOnSqlite()) return; // the same lines; seals of Postgres have a test of their own
    const sealed = await aSealedStory(temporaryFolder());
    expect(await erase(sealed.engine.storage, { reviewerId: "anna" })).toBe(12);
    await sealed.engine.sealAudit();
    await sealed.engine.close();
    const { database, sealsFile, keyFile } = sealed;
    const report = verifyAudit({ audit: { database }, sealsFile, publicKeys: [`${keyFile}.pub`] });
    expect(report).toMatchObject({ seals: 4, unsealed: 0, erased: 12 });
    expect(report).not.toHaveProperty("finding");
  });

  test("leaves no text in any table", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    await decided(engine, "thread of Grace Hopper", { id: "ada@example.com", name: "Ada L." });
    await engine.access.createLink({ id: "ada@example.com", name: "Ada L." });
    const raw = openRaw(path);
    expect(JSON.stringify(allRows(raw))).toMatch(/Grace.*ada@|ada@.*Grace/);
    await erase(engine.storage, { reviewerId: "ada@example.com" });
    expect(JSON.stringify(allRows(raw))).not.toMatch(/ada@|Ada L/);
    await erase(engine.storage, { threadId: "thread of Grace Hopper" });
    expect(JSON.stringify(allRows(raw))).not.toMatch(/Grace|a@b\.c/);
  });
});

describe("what was not erased as it has to be is found", () => {
  test.each([
    [
      "deleted",
      "DROP TRIGGER audit_events_no_delete; DELETE FROM audit_events WHERE seq = 1",
      "is missing",
    ],
    [
      "emptied without a record",
      `UPDATE audit_events SET body = '{"erased":true}', salt = NULL WHERE seq = 1`,
      "its body is gone, and no record says that it was erased",
    ],
  ])("an event that was %s", async (_name, sql, message) => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    await decided(engine, "t");
    openRaw(path).exec(sql);
    expect((await verified(path)).finding?.message).toContain(message);
  });

  test.each([
    `UPDATE audit_events SET body = '{"erased":true}'`,
    `UPDATE audit_events SET salt = NULL`,
    `UPDATE audit_events SET body = '{"erased":true}', salt = NULL, at = 'then'`,
    `UPDATE decisions SET reviewer = 'ben'`,
    `UPDATE decisions SET reviewer = 'erased_1', decision = '{}'`,
    `DELETE FROM decisions`,
  ])("the database refuses %s", async (sql) => {
    const path = temporaryFile();
    await decided(await openTestEngine(path), "t");
    expect(() => openRaw(path).exec(sql)).toThrow("append-only");
  });
});

test("retention removes threads that have been settled for long, keeps their audit, and says what it removed", async () => {
  const path = temporaryFile();
  const { clock, advance } = createTestClock();
  const engine = await openTestEngine(path, { clock });
  const old = await decided(engine, "old");
  const open = await engine.openReview(aDraft(1, { threadId: "open" }));
  const unused = await approvedAction(engine, { threadId: "approved, not run yet" });
  advance(80 * day);
  const recent = await decided(engine, "recent");
  advance(20 * day);
  const before = new Date(Date.parse(clock()) - 90 * day).toISOString();
  expect(await retain(engine.storage, before)).toBe(1);
  expect(await retain(engine.storage, before)).toBe(0);
  expect(await engine.readReview(old.id)).toBeUndefined();
  for (const id of [open.id, unused.reviewId, recent.id])
    expect(await engine.readReview(id)).toBeDefined();
  expect((await engine.storage.read((reading) => reading.auditOf(old.id))).length).toBe(2);
  expect(await verified(path)).toMatchObject({ erased: 0 });
  expect(await verified(path)).not.toHaveProperty("finding");
  const record = await engine.storage.read((reading) => reading.auditOf("instance"));
  expect(record).toMatchObject([
    { type: "threads.removed", body: { before, threads: 1, reviews: [old.id] } },
  ]);
  // What was removed can still be erased from the audit.
  expect(await erase(engine.storage, { threadId: "old" })).toBe(2);
  expect(await verified(path)).toMatchObject({ erased: 2 });
  expect(await verified(path)).not.toHaveProperty("finding");
});
