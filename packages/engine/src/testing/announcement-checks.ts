import assert from "node:assert/strict";
import { later } from "../clock.ts";
import { type DueCheck, listen, look, steady } from "./due-checks.ts";
import { aDraft, anna, decideEach } from "./review-draft.ts";

/** What is told of reviews, and when. */
export const announcementChecks: readonly DueCheck[] = [
  {
    name: "reviews are told when they open and when they settle, with ids alone, and not when a decision is refused",
    run: async ({ open, clock, advance, until }) => {
      const engine = await open();
      const opened = await listen(engine, "review.opened", clock);
      const settled = await listen(engine, "review.settled", clock);
      const deadline = { at: later(clock(), 1_000), outcome: "rejected" } as const;
      const [decided, closed, expired] = [
        await engine.openReview(aDraft(2)),
        await engine.openReview(aDraft()),
        await engine.openReview(aDraft(1, { deadline })),
      ];
      const [one, ...others] = decideEach(decided, { type: "approve" });
      assert.ok(one !== undefined);
      const decide = (decisions: readonly (typeof one)[]) =>
        engine.decide({ reviewId: decided.id, decisions, reviewer: anna });
      await decide([one]);
      await decide([{ ...one, actionId: "act_none" }]);
      await until(() => opened.length === 3);
      assert.deepEqual(settled, []);
      await decide(others);
      await decide([one]);
      await engine.closeReview(closed.id, "withdrawn");
      advance(1_000);
      await engine.deadlines.expire();
      engine.deliveries.wake();
      await until(() => settled.length === 3);
      const bodies = new Map([...opened, ...settled].map(({ key, body }) => [key, body]));
      const about = ({ id: reviewId, threadId }: typeof decided) => ({
        reviewId,
        threadId,
        agent: "mailer",
      });
      assert.deepEqual(bodies.get(decided.id), { ...about(decided), status: "decided" });
      assert.deepEqual(bodies.get(closed.id), { ...about(closed), status: "closed" });
      assert.deepEqual(bodies.get(expired.id), {
        ...about(expired),
        status: "decided",
        deadline: deadline.at,
        cause: "deadline",
      });
    },
  },

  {
    name: "F14: who waits is reminded of when half of the time to its deadline has passed, and what is settled by then is not",
    run: async ({ open, clock, advance, until }) => {
      const engine = await open({ retry: steady });
      const told = await listen(engine, "review.reminder", clock);
      const start = clock();
      const deadline = { at: later(start, 60_000), outcome: "rejected" } as const;
      const waits = await engine.openReview(aDraft(1, { deadline }));
      const [decided, closed] = [
        await engine.openReview(aDraft(1, { deadline })),
        await engine.openReview(aDraft(1, { deadline })),
      ];
      await engine.openReview(aDraft());
      const over = { at: start, outcome: "rejected" } as const;
      await engine.openReview(aDraft(1, { deadline: over }));
      const decisions = decideEach(decided, { type: "approve" });
      await engine.decide({ reviewId: decided.id, decisions, reviewer: anna });
      await engine.closeReview(closed.id, "withdrawn");
      await engine.deadlines.expire();
      for (let step = 0; step < 3; step += 1) {
        assert.deepEqual(told, []);
        advance(10_000);
        await look(engine);
      }
      await until(() => told.length === 1);
      const { id: reviewId, threadId } = waits;
      const body = { reviewId, threadId, agent: "mailer", status: "open", deadline: deadline.at };
      assert.deepEqual([told[0]?.body, told[0]?.at], [body, later(start, 30_000)]);
      advance(30_000);
      assert.equal(await engine.deadlines.expire(), 1);
      await look(engine);
      assert.equal(told.length, 1);
    },
  },

  {
    name: "F14, F41: a reminder that could not be told decides nothing, and is not told any more once its review is settled",
    run: async ({ open, clock, advance, until }) => {
      const engine = await open({ retry: { ...steady, attempts: 1 }, onAlarm: () => undefined });
      let [times, isBroken] = [0, true];
      await engine.deliveries.deliver("review.reminder", async () => {
        times += 1;
        if (isBroken) throw new Error("the channel is gone");
      });
      const deadline = { at: later(clock(), 60_000), outcome: "rejected" } as const;
      const review = await engine.openReview(aDraft(1, { deadline }));
      advance(30_000);
      await look(engine);
      await until(async () => (await engine.deliveries.stuck()).length === 1);
      const [stuck] = await engine.deliveries.stuck();
      assert.equal(stuck?.key, review.id);
      assert.deepEqual(await engine.readReview(review.id), review);
      isBroken = false;
      const decisions = decideEach(review, { type: "approve" });
      await engine.decide({ reviewId: review.id, decisions, reviewer: anna });
      assert.deepEqual(await engine.deliveries.stuck(), []);
      assert.equal(await engine.deliveries.redrive(stuck.id), false);
      await look(engine);
      assert.equal(times, 1);
    },
  },
];
