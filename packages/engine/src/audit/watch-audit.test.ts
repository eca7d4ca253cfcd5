import { expect, onTestFinished, test } from "vitest";
import type { Alarm } from "../alarm.ts";
import { erase } from "../retention/erase.ts";
import { openRaw } from "../testing/raw-database.ts";
import { aDraft, anna, approvedAction, decideEach } from "../testing/review-draft.ts";
import { aSealedStory, readForgery, writeForgery } from "../testing/sealed-audit.ts";
import { openTestEngine, temporaryFile, temporaryFolder } from "../testing/temporary-engine.ts";

test("F56: one byte of one event is flipped: no tool starts any more, an alarm is raised once, and reviews can still be decided", async () => {
  const path = temporaryFile();
  const alarms: Alarm[] = [];
  const engine = await openTestEngine(path, { onAlarm: (alarm) => void alarms.push(alarm) });
  const before = await approvedAction(engine);
  const approved = await approvedAction(engine);
  const later = await approvedAction(engine);
  const unwatched = await approvedAction(engine);
  expect(await engine.checkAudit()).toBeUndefined();
  expect(await engine.startPermit(before.id, before.digest)).toMatchObject({ type: "done" });

  const raw = openRaw(path);
  raw.exec("DROP TRIGGER audit_events_no_update");
  raw
    .prepare(
      `UPDATE audit_events SET body = replace(body, 'approve"', 'approvd"')
    WHERE stream = ? AND type = 'action.decided'`,
    )
    .run(approved.reviewId);
  // As long as nobody looks, tools start.
  expect(await engine.startPermit(unwatched.id, unwatched.digest)).toMatchObject({ type: "done" });
  expect(await engine.checkAudit()).toBe(
    `event 2 of stream ${approved.reviewId} (position 4) was changed, or the one before it is missing`,
  );
  for (const { id, digest } of [approved, later]) {
    expect(await engine.startPermit(id, digest)).toMatchObject({
      type: "refused",
      refusal: {
        code: "permit_refused",
        message: expect.stringContaining("because the audit is broken: event 2 of") as string,
      },
    });
  }
  await engine.checkAudit();
  expect(alarms).toMatchObject([{ type: "audit.broken" }]);
  const review = await engine.openReview(aDraft());
  const decisions = decideEach(review, { type: "reject" });
  expect(await engine.decide({ reviewId: review.id, decisions, reviewer: anna })).toMatchObject({
    type: "recorded",
  });
});

test("F56: the check at the start finds what was changed while nothing ran", async () => {
  const path = temporaryFile();
  const first = await openTestEngine(path);
  const { id, digest } = await approvedAction(first);
  await first.close();
  const raw = openRaw(path);
  raw.exec("DROP TRIGGER audit_events_no_delete; DELETE FROM audit_events WHERE seq = 1");
  raw.close();
  const raised = Promise.withResolvers<Alarm>();
  const again = await openTestEngine(path, {
    auditWatch: { everyMs: 3_600_000 },
    onAlarm: raised.resolve,
  });
  expect(await raised.promise).toMatchObject({ type: "audit.broken" });
  expect(await again.startPermit(id, digest)).toMatchObject({ type: "refused" });
});

test("what is erased with a record, and what is new, is no finding; what a seal covers and is gone is one", async () => {
  const sealed = await aSealedStory(temporaryFolder());
  onTestFinished(() => sealed.engine.close());
  expect(await sealed.engine.checkAudit()).toBeUndefined();
  await erase(sealed.engine.storage, { reviewerId: "anna" });
  await approvedAction(sealed.engine);
  await sealed.engine.sealAudit();
  expect(await sealed.engine.checkAudit()).toBeUndefined();
  // The last event of a stream: no link leads to it.
  await approvedAction(sealed.engine);
  await sealed.engine.sealAudit();
  const now = readForgery(sealed);
  now.events.pop();
  writeForgery(sealed, now);
  expect(await sealed.engine.checkAudit()).toBe("seal 5 does not hold");
});
