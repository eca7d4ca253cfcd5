import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { Review } from "@holdpoint/core";
import { firstBrokenEvent } from "../audit/chain.ts";
import { later } from "../clock.ts";
import type { Engine } from "../engine.ts";
import { foldOf, stateOf } from "../testing/audit-fold.ts";
import { aDraft, anna, ben, decideEach } from "../testing/review-draft.ts";
import { openRaw } from "../testing/raw-database.ts";
import { openTestEngine, temporaryFile } from "../testing/temporary-engine.ts";
import { createTestClock } from "../testing/test-clock.ts";

const approve = { type: "approve" } as const;

async function openUntil(engine: Engine, milliseconds: number, actions = 1): Promise<Review> {
  const at = later(await engine.now(), milliseconds);
  return engine.openReview(aDraft(actions, { deadline: { at, outcome: "rejected" } }));
}

function eventsOf(engine: Engine, review: Review) {
  return engine.storage.read((reading) => reading.auditOf(review.id));
}

async function expectSound(engine: Engine, review: Review): Promise<void> {
  const events = await eventsOf(engine, review);
  expect(firstBrokenEvent(events)).toBeUndefined();
  expect(foldOf(events)).toEqual(stateOf(await engine.reviews.view(review.id)));
}

describe("a deadline", () => {
  test("F13: at its very moment the review expires, audited as that, and its thread goes on", async () => {
    const { clock, advance } = createTestClock();
    const engine = await openTestEngine(temporaryFile(), { clock });
    const start = { threadId: "t", agent: "mailer", input: {}, dedupeKey: "k" };
    await engine.runs.start(start);
    const run = await engine.runs.claim(["mailer"]);
    const deadline = { at: later(clock(), 60_000), outcome: "rejected" } as const;
    const review = await engine.openReview(aDraft(2, { threadId: "t", deadline }));
    if (run !== undefined) await engine.runs.end(run, "interrupted", []);
    advance(59_999);
    expect(await engine.deadlines.expire()).toBe(0);
    expect((await engine.readReview(review.id))?.state.status).toBe("open");
    advance(1);
    const due = new Promise((resolve) => onTestFinished(engine.onDue(resolve)));
    expect(await engine.deadlines.expire()).toBe(1);
    expect(await due).toBe("t");
    const outcome = { type: "rejected", cause: "deadline" };
    expect(await engine.reviews.view(review.id)).toMatchObject({
      status: "decided",
      deadline,
      settledAt: deadline.at,
      actions: [{ outcome }, { outcome }],
    });
    const events = await eventsOf(engine, review);
    expect(events.map(({ type }) => type)).toEqual(["review.opened", "review.expired"]);
    expect(events[0]?.body).toMatchObject({ deadline: deadline.at });
    expect(await engine.runs.claim(["mailer"])).toMatchObject({ threadId: "t", kind: "continue" });
    await expectSound(engine, review);
  });

  test("F12: a decision that comes too late is refused although nobody has expired the review yet", async () => {
    const { clock, advance } = createTestClock();
    const engine = await openTestEngine(temporaryFile(), { clock });
    const review = await openUntil(engine, 60_000);
    advance(60_000);
    const decisions = decideEach(review, approve);
    expect(await engine.decide({ reviewId: review.id, decisions, reviewer: anna })).toMatchObject({
      type: "refused",
      refusal: { code: "deadline_passed", details: { at: review.deadline?.at } },
    });
    // The refusal wakes the timer.
    await vi.waitFor(async () =>
      expect((await engine.readReview(review.id))?.state.status).toBe("decided"),
    );
    await expectSound(engine, review);
    expect(await engine.awaitPermit(decisions[0]?.actionId ?? "act_")).toBeUndefined();
  });

  test("F12: when a decision races it exactly one is first, and who decided learns which", async () => {
    let now = Date.parse("2026-11-30T12:00:00.000Z");
    // Each transaction is a millisecond after the one before it.
    const clock = (): string => new Date((now += 1)).toISOString();
    const engine = await openTestEngine(temporaryFile(), { clock });
    const seen = new Set<string>();
    // How many transactions come in between is the engine's affair, so the deadline lies earlier and later.
    for (let round = 0; round < 16 || (seen.size < 2 && round < 200); round += 1) {
      const review = await openUntil(engine, 2 + (round % 16));
      const decisions = decideEach(review, approve);
      const [reply] = await Promise.all([
        engine.decide({ reviewId: review.id, decisions, reviewer: anna }),
        engine.deadlines.expire(),
      ]);
      now += 10;
      await engine.deadlines.expire();
      // Another look at what is overdue may be on its way, and this one has then left the review to it.
      const stands = await vi.waitFor(async () => {
        const state = (await engine.readReview(review.id))?.actions[0]?.state;
        if (state?.status !== "decided") throw new Error("one of the two settles it");
        return state;
      });
      const won = stands.outcome.type === "approved" ? "decision" : "deadline";
      expect(reply.type).toBe(won === "decision" ? "recorded" : "refused");
      expect((await eventsOf(engine, review)).map(({ type }) => type)).toEqual([
        "review.opened",
        won === "decision" ? "action.decided" : "review.expired",
      ]);
      seen.add(won);
    }
    expect([...seen].toSorted()).toEqual(["deadline", "decision"]);
  });

  test("what was approved before it still runs, what was not decided does not", async () => {
    const { clock, advance } = createTestClock();
    const engine = await openTestEngine(temporaryFile(), { clock });
    const review = await openUntil(engine, 60_000, 2);
    const [first, second] = review.actions;
    if (first === undefined || second === undefined) throw new Error("a draft of two");
    const decisions = decideEach({ actions: [first] }, approve);
    await engine.decide({ reviewId: review.id, decisions, reviewer: anna });
    advance(60_000);
    expect(await engine.deadlines.expire()).toBe(1);
    expect((await engine.startPermit(first.id, first.digest)).type).toBe("done");
    expect((await engine.startPermit(second.id, second.digest)).type).toBe("refused");
    const same = { reviewId: review.id, reviewer: anna, decisions };
    expect(await engine.decide(same)).toMatchObject({ type: "recorded", repeated: true });
    await expectSound(engine, review);
  });

  test("more that pass at once than one transaction takes all expire, each once, by whoever is there", async () => {
    const { clock, advance } = createTestClock();
    const path = temporaryFile();
    const engines = [
      await openTestEngine(path, { clock }),
      await openTestEngine(path, { clock }),
    ] as const;
    const reviews = await Promise.all(
      Array.from({ length: 60 }, (_, index) => openUntil(engines[0], 60_000 + (index % 7))),
    );
    const waits = await openUntil(engines[0], 90_000);
    advance(60_010);
    const counts = await Promise.all(engines.map((engine) => engine.deadlines.expire()));
    const rest = await engines[0].deadlines.expire(); // what the other one was at work on meanwhile
    expect(counts.reduce((sum, count) => sum + count, rest)).toBeLessThanOrEqual(60);
    for (const review of reviews) {
      const events = await eventsOf(engines[1], review);
      expect(events.map(({ type }) => type)).toEqual(["review.opened", "review.expired"]);
    }
    expect((await engines[0].readReview(waits.id))?.state.status).toBe("open");
  });

  test("fires by itself within a second, also when the process that opened the review has left", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    const leaving = await openTestEngine(path);
    const [own, left] = [await openUntil(engine, 150), await openUntil(leaving, 200)];
    await leaving.close();
    for (const review of [own, left]) {
      await vi.waitFor(
        async () => expect((await engine.readReview(review.id))?.state.status).toBe("decided"),
        { timeout: 2_000, interval: 10 },
      );
      const settled = await engine.reviews.view(review.id);
      const late = Date.parse(settled?.settledAt ?? "") - Date.parse(review.deadline?.at ?? "");
      expect(late).toBeGreaterThanOrEqual(0);
      expect(late).toBeLessThan(1_000);
    }
  });

  test("passes while no process runs: the next one that opens expires it", async () => {
    const { clock, advance } = createTestClock();
    const path = temporaryFile();
    const before = await openTestEngine(path, { clock });
    const review = await openUntil(before, 60_000);
    await before.close();
    advance(120_000);
    const engine = await openTestEngine(path, { clock });
    await vi.waitFor(async () =>
      expect((await engine.readReview(review.id))?.state.status).toBe("decided"),
    );
  });

  test("F40: a review that cannot be expired does not hold up the others, and is not passed over in silence", async () => {
    const path = temporaryFile();
    const { clock, advance } = createTestClock();
    const engine = await openTestEngine(path, { clock });
    const raw = openRaw(path);
    const [bad, ...good] = [
      await openUntil(engine, 60_000),
      await openUntil(engine, 60_001),
      await openUntil(engine, 60_002),
    ];
    raw.prepare("UPDATE reviews SET state = '{' WHERE id = ?").run(bad.id);
    advance(120_000);
    await expect(engine.deadlines.expire()).rejects.toThrow(
      `Review ${bad.id} is overdue and could not be expired`,
    );
    for (const review of good)
      expect((await engine.readReview(review.id))?.state.status).toBe("decided");
  });

  test("is kept when the review is raised again, whatever the later draft says", async () => {
    const { clock } = createTestClock();
    const engine = await openTestEngine(temporaryFile(), { clock });
    const at = later(clock(), 60_000);
    const draft = aDraft(1, { deadline: { at, outcome: "rejected" } });
    await engine.openReview(draft);
    const longer = { at: later(clock(), 90_000), outcome: "rejected" } as const;
    const raised = { ...draft.raised, votes: 1 };
    await engine.openReview({ ...draft, raised, interruptId: "again", deadline: longer });
    expect((await engine.readReview(draft.id))?.deadline?.at).toBe(at);
  });

  test("is compared as a moment, however the draft writes its time", async () => {
    const { clock, advance } = createTestClock("2026-11-30T12:00:00.000Z");
    const engine = await openTestEngine(temporaryFile(), { clock });
    const deadline = { at: "2026-11-30T13:01:00+01:00", outcome: "rejected" } as const;
    const review = await engine.openReview(aDraft(1, { deadline }));
    expect(review.deadline?.at).toBe("2026-11-30T12:01:00.000Z");
    advance(59_999);
    expect(await engine.deadlines.expire()).toBe(0);
    advance(1);
    expect(await engine.deadlines.expire()).toBe(1);
  });

  test("a review that was withdrawn or decided does not expire", async () => {
    const { clock, advance } = createTestClock();
    const engine = await openTestEngine(temporaryFile(), { clock });
    const [closed, decided] = [await openUntil(engine, 60_000), await openUntil(engine, 60_000)];
    await engine.closeReview(closed.id, "withdrawn");
    const decisions = decideEach(decided, { type: "reject" });
    await engine.decide({ reviewId: decided.id, decisions, reviewer: ben });
    advance(120_000);
    expect(await engine.deadlines.expire()).toBe(0);
    for (const review of [closed, decided]) await expectSound(engine, review);
  });
});
