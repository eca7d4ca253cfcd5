import { describe, expect, test } from "vitest";
import { aDraft, anna, ben, decideEach } from "../testing/review-draft.ts";
import { openTestEngine, temporaryFile } from "../testing/temporary-engine.ts";
import { createTestClock } from "../testing/test-clock.ts";
import type { DecideRequest } from "./decide-request.ts";

// Whoever lost a reply sends the request again under the same key and gets the first reply again,
// whatever happened in between.

const day = 24 * 60 * 60 * 1000;

describe("F2, F5: a request with an idempotency key", () => {
  test("is answered with the first reply, also after the tool has run and after a restart", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    const review = await engine.openReview(aDraft());
    const request: DecideRequest = {
      reviewId: review.id,
      decisions: decideEach(review, { type: "approve" }),
      reviewer: anna,
      idempotencyKey: "click 1",
    };
    const first = await engine.decide(request);
    expect(first).toMatchObject({ repeated: false, reply: { actions: [{ permit: "unused" }] } });
    const [action] = review.actions;
    if (action === undefined || first.type === "refused") throw new Error("it was decided");
    const started = await engine.startPermit(action.id, action.digest);
    expect(started.type).toBe("done");
    const again = await openTestEngine(path);
    const second = await again.decide(request);
    expect(second).toMatchObject({ type: "recorded", repeated: true });
    if (second.type === "refused") throw new Error("it is a repeat");
    expect(second.reply).toEqual(JSON.parse(JSON.stringify(first.reply)));
    expect(await again.reviews.view(review.id)).toMatchObject({ actions: [{ permit: "started" }] });
  });

  test("is refused when its key stands for another request, and the right one still works", async () => {
    const engine = await openTestEngine();
    const one = await engine.openReview(aDraft());
    const two = await engine.openReview(aDraft());
    const requestOf = (review: typeof one, reviewer = anna): DecideRequest => ({
      reviewId: review.id,
      decisions: decideEach(review, { type: "approve" }),
      reviewer,
      idempotencyKey: "key",
    });
    await engine.decide(requestOf(one));
    expect(await engine.decide(requestOf(two))).toMatchObject({
      type: "refused",
      refusal: { code: "idempotency_key_used", details: { key: "key" } },
    });
    expect(await engine.readReview(two.id)).toEqual(two);
    const other = await engine.decide(requestOf(two, ben)); // his keys are his own
    expect(other).toMatchObject({ type: "recorded", repeated: false });
    expect(await engine.decide(requestOf(one))).toMatchObject({ repeated: true });
  });

  test("sent many times at once records one decision and gets one reply", async () => {
    const engine = await openTestEngine();
    const review = await engine.openReview(aDraft(2));
    const request: DecideRequest = {
      reviewId: review.id,
      decisions: decideEach(review, { type: "reject", message: "no" }),
      reviewer: anna,
      idempotencyKey: "double click",
    };
    const replies = await Promise.all(Array.from({ length: 20 }, () => engine.decide(request)));
    const texts = replies.map((one) => JSON.stringify(one.type === "recorded" ? one.reply : one));
    expect(new Set(texts).size).toBe(1);
    expect(replies.filter((one) => one.type === "recorded" && !one.repeated)).toHaveLength(1);
    const events = await engine.storage.read((reading) => reading.auditOf(review.id));
    expect(events.filter(({ type }) => type === "action.decided")).toHaveLength(2);
  });

  test("that was refused leaves its key free for the right one", async () => {
    const engine = await openTestEngine();
    const review = await engine.openReview(aDraft());
    const request = { reviewId: review.id, reviewer: anna, idempotencyKey: "key" };
    const wrong = await engine.decide({ ...request, decisions: [] });
    expect(wrong.type).toBe("refused");
    const decisions = decideEach(review, { type: "approve" });
    expect(await engine.decide({ ...request, decisions })).toMatchObject({ repeated: false });
  });

  test("is forgotten after a week, and is then judged anew", async () => {
    const { clock, advance } = createTestClock();
    const engine = await openTestEngine(undefined, { clock });
    const one = await engine.openReview(aDraft());
    const two = await engine.openReview(aDraft());
    const decide = (review: typeof one, idempotencyKey: string) =>
      engine.decide({
        reviewId: review.id,
        decisions: decideEach(review, { type: "approve" }),
        reviewer: anna,
        idempotencyKey,
      });
    await decide(one, "old");
    advance(8 * day);
    await decide(two, "new");
    const replies = await engine.storage.read((reading) =>
      reading.findReplies([
        { caller: anna.id, key: "old" },
        { caller: anna.id, key: "new" },
      ]),
    );
    expect(replies.map(({ key }) => key)).toEqual(["new"]);
    expect(await decide(one, "old")).toMatchObject({ type: "recorded", repeated: true });
  });
});
