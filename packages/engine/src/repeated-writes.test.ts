import type { Receipt } from "@holdpoint/core";
import { expect, onTestFinished, test } from "vitest";
import { createAccess } from "./access.ts";
import { systemClock } from "./clock.ts";
import { startLeases } from "./due/leases.ts";
import { createRuns } from "./due/runs.ts";
import { noStarts } from "./backup/starts.ts";
import { createPermits } from "./permits.ts";
import { createReviews } from "./reviews/reviews.ts";
import { openSqlite } from "./storage/sqlite/sqlite.ts";
import type { Storage } from "./storage/storage.ts";
import { aDraft, anna, decideEach } from "./testing/review-draft.ts";

/** Does all work twice, as a database does whose transaction lost a race; the first time is taken back. */
function twice(storage: Storage): Storage {
  return {
    ...storage,
    write: async (work) => {
      const lost = storage.write(async (writing) => {
        await work(writing);
        throw new Error("a rival was first");
      });
      await lost.catch(() => undefined);
      return storage.write(work);
    },
  };
}

test("work that is done again, because its transaction lost a race, has its effects once", async () => {
  const storage = twice(openSqlite(":memory:", systemClock));
  const leases = await startLeases(storage);
  onTestFinished(() => {
    leases.stop();
    return storage.close();
  });
  const due: string[] = [];
  const runs = createRuns(storage, leases, {
    due: (threadId) => due.push(threadId),
    said: () => undefined,
    alarm: () => undefined,
  });
  const reviews = createReviews(storage, { threadResumable: (threadId) => due.push(threadId) });
  const permits = createPermits(storage, leases, noStarts);
  const access = createAccess(storage);

  const start = { threadId: "t", agent: "a", input: {}, dedupeKey: "k" };
  expect(await runs.start(start)).toMatchObject({ type: "started", repeated: false });
  const run = await runs.claim(["a"]);
  if (run === undefined) throw new Error("the run that was due was not claimed");
  expect([...leases.held]).toEqual([run.id]);
  expect(run).toMatchObject({ attempts: 1, fence: 1 });

  const review = await reviews.openReview(aDraft(1, { threadId: "t" }));
  const decisions = decideEach(review, { type: "approve" });
  const decided = await reviews.decide({ reviewId: review.id, decisions, reviewer: anna });
  expect(decided).toMatchObject({ type: "recorded", repeated: false, review: { version: 2 } });
  const [action] = review.actions;
  if (action === undefined) throw new Error("a draft has an action");
  const started = await permits.startPermit(action.id, action.digest);
  expect(started).toMatchObject({ type: "done", permit: { fence: 1 } });
  const receipt: Receipt = { status: "succeeded", message: { content: "ran" } };
  expect(await permits.closePermit(action.id, 1, receipt)).toMatchObject({ type: "done" });

  const told = await runs.end(run, "completed", [
    { method: "x", keep: true, body: (seq) => ({ seq }) },
  ]);
  expect(told).toMatchObject({ type: "stored", events: [{ seq: 1, body: { seq: 1 } }] });
  expect(due).toEqual(["t", "t"]);
  expect(await runs.claim(["a"])).toMatchObject({ kind: "continue" });
  const events = await storage.read((reading) => reading.auditOf(review.id));
  expect(events.map((event) => event.type)).toEqual([
    "review.opened",
    "action.decided",
    "permit.started",
    "permit.succeeded",
  ]);

  const link = await access.createLink(anna);
  const session = await access.enter(link);
  expect(await access.reviewerOf(session?.sessionSecret ?? "")).toEqual(anna);
  expect(await access.enter(link)).toBeUndefined();
});
