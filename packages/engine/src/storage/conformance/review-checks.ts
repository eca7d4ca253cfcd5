import assert from "node:assert/strict";
import type { Review } from "@holdpoint/core";
import { newId } from "../../ids.ts";
import type { ReviewQuery, Storage } from "../storage.ts";
import { check, rivals, type StorageCheck } from "./check.ts";
import {
  aReview,
  anAction,
  closed,
  firstAction,
  hardJson,
  hardText,
  late as farAway,
  past,
} from "./samples.ts";

/** What is promised of reviews, their actions and decisions. */
export const reviewChecks: readonly StorageCheck[] = [
  check(
    "a review comes back as it was stored, whatever its texts and arguments",
    async (storage) => {
      const state = { status: "closed" as const };
      const review = aReview({
        agent: hardText,
        agentPath: ["lead", hardText],
        parentCall: { toolCallId: hardText, name: "task" },
        askedFor: hardText,
        interruptId: `${newId("interrupt")} ${hardText}`,
        actions: [
          anAction({
            description: hardText,
            reason: hardText,
            call: { name: hardText, args: hardJson },
            argsSchema: hardJson,
            answerSchema: hardJson,
          }),
          anAction({ state }),
          anAction({
            description: "",
            call: { name: "large", args: { text: "x✓".repeat(500_000) } },
          }),
        ],
      });
      await insert(storage, review);
      assert.deepEqual(await find(storage, review), review);
      const saved = { ...closed(review, hardText), addedMessages: [hardJson] };
      assert.equal(await save(storage, saved, 1), true);
      assert.deepEqual(await find(storage, review), saved);
    },
  ),

  check("a deadline is found while its review is open, the earliest first", async (storage) => {
    const until = (at: string) => aReview({ deadline: { at, outcome: "rejected" } });
    const late = until(new Date(Date.parse(past) + 2).toISOString());
    const [early, not, without] = [until(past), until(farAway), aReview()];
    for (const review of [late, not, early, without]) await insert(storage, review);
    assert.deepEqual(await find(storage, early), early);
    const own = [early, late, not, without].map(({ id }) => id);
    const overdue = (except: readonly Review["id"][] = []) =>
      storage.write(async (writing) =>
        (await writing.overdueReviews(1_000_000, except)).filter((id) => own.includes(id)),
      );
    const next = () => storage.read((reading) => reading.nextDeadline());
    assert.deepEqual(await overdue(), [early.id, late.id]);
    assert.deepEqual(await overdue([early.id]), [late.id]);
    assert.ok(((await next()) ?? farAway) <= past);
    assert.equal((await storage.write((writing) => writing.overdueReviews(1))).length, 1);
    assert.equal(await save(storage, closed(early, "withdrawn"), 1), true);
    assert.deepEqual(await overdue(), [late.id]);
    assert.equal(await save(storage, closed(late, "withdrawn"), 1), true);
    assert.deepEqual(await overdue(), []);
    assert.ok(((await next()) ?? "") <= farAway);
    assert.equal(await save(storage, closed(not, "withdrawn"), 1), true);
  }),

  check("a review is saved only over the version that was seen", async (storage) => {
    const review = aReview();
    await insert(storage, review);
    for (const stale of [0, 2])
      assert.equal(await save(storage, closed(review, "stale"), stale), false);
    assert.deepEqual(await find(storage, review), review);
    assert.equal(await save(storage, closed(review, "first"), 1), true);
    assert.equal(await save(storage, closed(review, "second"), 1), false);
    assert.deepEqual(await find(storage, review), closed(review, "first"));
  }),

  check(
    "several reviews are found and saved at once, and one stale save spoils all",
    async (storage) => {
      const reviews = [aReview(), aReview({ actions: [anAction(), anAction()] }), aReview()];
      for (const review of reviews) await insert(storage, review);
      const ids = reviews.map(({ id }) => id);
      const all = (): Promise<ReadonlyMap<string, Review>> =>
        storage.read((reading) => reading.findReviews(["rev_none", ...ids]));
      assert.deepEqual(await all(), new Map(reviews.map((review) => [review.id, review])));
      const next = reviews.map((review, number) => closed(review, `save ${number}`));
      const saveAll = (stale: number): Promise<boolean> =>
        storage.write(async (writing) => {
          const saves = next.map((review, number) => ({ review, over: number === stale ? 2 : 1 }));
          if (!(await writing.saveReviews(saves))) throw new Error("taken back");
          return true;
        });
      for (const stale of next.keys()) await assert.rejects(saveAll(stale), /taken back/);
      assert.equal(await saveAll(-1), true);
      assert.deepEqual(await all(), new Map(next.map((review) => [review.id, review])));
    },
  ),

  check(
    "of contradictory saves at once exactly one wins, and it is the one that stands",
    async (storage) => {
      const review = aReview();
      await insert(storage, review);
      const won = await Promise.all(
        rivals.map((rival) => save(storage, closed(review, `rival ${rival}`), 1)),
      );
      assert.equal(won.filter(Boolean).length, 1);
      assert.deepEqual(await find(storage, review), closed(review, `rival ${won.indexOf(true)}`));
    },
  ),

  check("a save takes the states of the actions along", async (storage) => {
    const review = aReview({ actions: [anAction(), anAction()] });
    await insert(storage, review);
    const [one, two] = review.actions;
    assert.ok(one !== undefined && two !== undefined);
    const next = {
      ...review,
      version: 2,
      actions: [one, { ...two, state: { status: "closed" as const } }],
    };
    assert.equal(await save(storage, next, 1), true);
    assert.deepEqual(await find(storage, review), next);
  }),

  check(
    "a review is found by its interrupt on its own thread, and among the open ones until it is settled",
    async (storage) => {
      const review = aReview();
      const later = aReview({ threadId: review.threadId });
      const elsewhere = aReview({ interruptId: review.interruptId });
      for (const each of [review, later, elsewhere]) await insert(storage, each);
      const seen = await storage.read(async (reading) => ({
        byInterrupt: await reading.findReviewOfInterrupt(review.threadId, review.interruptId),
        none: await reading.findReviewOfInterrupt(later.threadId, "no such interrupt"),
        open: await reading.openReviewsOf(review.threadId),
      }));
      assert.deepEqual(seen, { byInterrupt: review, none: undefined, open: [review, later] });
      await save(storage, closed(review, "x"), 1);
      const open = await storage.read((reading) => reading.openReviewsOf(review.threadId));
      assert.deepEqual(open, [later]);
    },
  ),

  check(
    "a second review of one interrupt is refused with all that was done beside it",
    async (storage) => {
      const review = aReview();
      await insert(storage, review);
      const beside = aReview();
      const twice = storage.write(async (writing) => {
        await writing.insertReview(beside);
        await writing.insertReview({ ...aReview(), ...pick(review) });
      });
      await assert.rejects(twice);
      assert.equal(await find(storage, beside), undefined);
    },
  ),

  check(
    "an action is found by its tool call, and a later review of that call replaces the earlier one",
    async (storage) => {
      const review = aReview();
      const action = firstAction(review);
      const again = aReview({
        threadId: review.threadId,
        turnId: review.turnId,
        actions: [anAction({ toolCallId: action.toolCallId })],
      });
      const { threadId, turnId } = review;
      const { toolCallId } = action;
      const lookUp = () =>
        storage.read(async (reading) => ({
          byKey: (await reading.findAction({ threadId, turnId, toolCallId }))?.action.id,
          byCall: (await reading.findReviewOfAction(threadId, { toolCallId }))?.id,
          byId: (await reading.findReviewOfAction(threadId, { actionId: action.id }))?.id,
          elsewhere: await reading.findReviewOfAction("another thread", { actionId: action.id }),
        }));
      await insert(storage, review);
      const first = { byId: review.id, elsewhere: undefined };
      assert.deepEqual(await lookUp(), { byKey: action.id, byCall: review.id, ...first });
      await insert(storage, again);
      const latest = { byKey: firstAction(again).id, byCall: again.id };
      assert.deepEqual(await lookUp(), { ...latest, ...first });
    },
  ),

  ...(["newest", "oldest"] as const).flatMap((order) => [
    check(`pages of open reviews hold each once, ${order} first`, async (storage) => {
      const reviews = Array.from({ length: 7 }, () => aReview());
      for (const review of reviews) await insert(storage, review);
      const ids = reviews.map((review) => review.id);
      const listed = await listAll(storage, { status: "open", order }, new Set(ids));
      assert.deepEqual(listed, order === "oldest" ? ids : ids.toReversed());
    }),

    check(`pages of settled reviews hold each once, ${order} settled first`, async (storage) => {
      const reviews = Array.from({ length: 7 }, () => aReview());
      for (const review of reviews) await insert(storage, review);
      // Settled in another order than opened, and some in the same millisecond.
      const settled = reviews.map((review, index) =>
        closed(review, "x", `2020-01-01T00:00:00.00${[3, 1, 4, 1, 5, 2, 1][index]}Z`),
      );
      for (const review of settled) await save(storage, review, 1);
      const expected = [1, 3, 6, 5, 0, 2, 4].map((index) => reviews[index]?.id ?? "");
      const listed = await listAll(storage, { status: "settled", order }, new Set(expected));
      assert.deepEqual(listed, order === "oldest" ? expected : expected.toReversed());
    }),
  ]),

  check("a decision is recorded once for an action, a decision and a reviewer", async (storage) => {
    const review = aReview();
    await insert(storage, review);
    const decide = (reviewer: string) =>
      storage.write((writing) =>
        writing.insertDecisions([
          {
            id: newId("dec"),
            actionId: firstAction(review).id,
            reviewer: { id: reviewer, name: reviewer },
            digest: "sha256:x",
            decision: { type: "reject", message: hardText },
            at: past,
          },
        ]),
      );
    await decide("anna");
    await assert.rejects(decide("anna"));
    await decide("ben");
  }),
];

function insert(storage: Storage, review: Review): Promise<void> {
  return storage.write((writing) => writing.insertReview(review));
}

function save(storage: Storage, review: Review, seen: number): Promise<boolean> {
  return storage.write((writing) => writing.saveReviews([{ review, over: seen }]));
}

function find(storage: Storage, { id }: Review): Promise<Review | undefined> {
  return storage.read((reading) => reading.findReview(id));
}

function pick({ threadId, interruptId }: Review): Pick<Review, "threadId" | "interruptId"> {
  return { threadId, interruptId };
}

/** The ids of all pages that are among these, page after page. */
async function listAll(
  storage: Storage,
  query: Pick<ReviewQuery, "status" | "order">,
  among: ReadonlySet<string>,
): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await storage.look((reading) =>
      reading.listReviews({ ...query, limit: 3, ...(cursor === undefined ? {} : { cursor }) }),
    );
    assert.ok(page.reviews.length <= 3, "a page is no longer than asked for");
    assert.ok(
      page.reviews.every(({ state }) => (state.status === "open") === (query.status === "open")),
    );
    ids.push(...page.reviews.map((review) => review.id));
    cursor = page.next;
  } while (cursor !== undefined);
  return ids.filter((id) => among.has(id));
}
