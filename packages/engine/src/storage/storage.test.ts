import type { Permit } from "@holdpoint/core";
import { describe, expect, test } from "vitest";
import { aDraft, anna, approvedAction } from "../testing/review-draft.ts";
import { openTestEngine, temporaryFile } from "../testing/temporary-engine.ts";

const lease = { owner: "host/1/x", until: "2099-01-01T00:00:00.000Z" };

// Saves compare before they set, whatever the transactions around them promise as well.
describe.each([
  ["in a file", temporaryFile],
  ["in memory", () => undefined],
])("storage %s", (_name, path) => {
  test("a review is saved only over the version that was seen", async () => {
    const engine = await openTestEngine(path());
    const review = await engine.openReview(aDraft());
    const next = {
      ...review,
      version: 2,
      state: { status: "closed", settledAt: "now", because: "x" } as const,
    };
    const save = (seen: number) =>
      engine.storage.write((writing) => writing.saveReviews([{ review: next, over: seen }]));
    for (const stale of [0, 2]) expect(await save(stale)).toBe(false);
    expect(await engine.readReview(review.id)).toEqual(review);
    expect(await save(1)).toBe(true);
    expect(await save(1)).toBe(false);
  });

  test("a permit is saved only over the fence and the status that were seen", async () => {
    const engine = await openTestEngine(path());
    const { id, reviewId } = await approvedAction(engine);
    const unused = (await engine.awaitPermit(id)) as Permit;
    const started: Permit = { ...unused, fence: 1, state: { status: "started", startedAt: "now" } };
    const save = (seen: Permit) =>
      engine.storage.write(async (writing) =>
        (await writing.savePermits([{ permit: started, over: seen, lease }])).has(id),
      );
    expect(await save({ ...unused, fence: 1 })).toBe(false);
    expect(await save({ ...unused, state: { status: "suspended", startedAt: "now" } })).toBe(false);
    expect(await engine.awaitPermit(id)).toEqual(unused);
    expect(await save(unused)).toBe(true);
    expect(await save(unused)).toBe(false);
    expect(await engine.storage.read((reading) => reading.findPermit(id))).toEqual({
      permit: started,
      reviewId,
      lease,
    });
  });

  test("a run is claimed and ended only with the fence that was seen, and never after its end", async () => {
    const engine = await openTestEngine(path());
    const reply = await engine.runs.start({ threadId: "t", agent: "a", input: {}, dedupeKey: "k" });
    if (reply.type === "refused") throw new Error(reply.refusal.message);
    const queued = reply.run;
    const claim = (seen: typeof queued) =>
      engine.storage.write((writing) => writing.claimRun(seen, lease));
    const end = (seen: typeof queued) =>
      engine.storage.write((writing) => writing.endRun(seen, "completed", undefined));
    expect(await claim({ ...queued, fence: 7 })).toBeUndefined();
    const claimed = await claim(queued);
    expect(claimed).toMatchObject({ fence: 1, attempts: 1, status: "running" });
    expect(await claim(queued)).toBeUndefined();
    expect(await end(queued)).toBe(false);
    expect(await end(claimed ?? queued)).toBe(true);
    expect(await end(claimed ?? queued)).toBe(false);
    expect(await claim(claimed ?? queued)).toBeUndefined();
  });

  test("a one-time key is used once, and not after it has expired", async () => {
    const engine = await openTestEngine(path());
    const use = (hash: string) => engine.storage.write((writing) => writing.useApiKey(hash));
    await engine.storage.write(async (writing) => {
      await writing.saveReviewer(anna);
      await writing.insertApiKey({
        hash: "good",
        purpose: "link",
        reviewer: anna,
        expiresAt: lease.until,
      });
      await writing.insertApiKey({
        hash: "old",
        purpose: "link",
        reviewer: anna,
        expiresAt: "2020-01-01T00:00:00.000Z",
      });
    });
    expect([await use("good"), await use("good"), await use("old"), await use("none")]).toEqual([
      true,
      false,
      false,
      false,
    ]);
  });

  test("what throws is taken back whole, and the error comes through", async () => {
    const engine = await openTestEngine(path());
    const draft = aDraft();
    const review = { ...draft, version: 1, createdAt: "now", state: { status: "open" } as const };
    const broken = engine.storage.write(async (writing) => {
      await writing.insertReview(review);
      throw new Error("changed my mind");
    });
    await expect(broken).rejects.toThrow("changed my mind");
    expect(await engine.readReview(draft.id)).toBeUndefined();
  });

  test("the time is read once for each transaction", async () => {
    let minute = 0;
    const clock = () => `2026-11-30T12:${String((minute += 1)).padStart(2, "0")}:00.000Z`;
    const engine = await openTestEngine(path(), { clock });
    const review = await engine.openReview(aDraft(3));
    const [event] = await engine.storage.read((reading) => reading.auditOf(review.id));
    expect(event?.at).toBe(review.createdAt);
  });
});
