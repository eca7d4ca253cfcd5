import {
  type DecideResult,
  type NamedDecision,
  type Review,
  type Reviewer,
  transition,
} from "@holdpoint/core";
import { describe, expect, test } from "vitest";
import type { Engine } from "../engine.ts";
import type { DecideRequest } from "./decide-request.ts";
import { startChild } from "../testing/child-process.ts";
import { numberIn, openRaw } from "../testing/raw-database.ts";
import { aDraft, decideEach } from "../testing/review-draft.ts";
import {
  databaseAt,
  isOnSqlite,
  openTestEngine,
  temporaryFile,
} from "../testing/temporary-engine.ts";

// Of contradictory decisions one wins, and every loser is told who decided what, and when.

function reviewer(number: number): Reviewer {
  return { id: `reviewer-${number}`, name: `Reviewer ${number}` };
}

/** Decisions of which no two are alike. */
function requestOf(review: Review, number: number): DecideRequest {
  const decision: NamedDecision["decision"] =
    number % 2 === 0 ? { type: "approve" } : { type: "reject", message: `no, says ${number}` };
  return {
    reviewId: review.id,
    decisions: decideEach(review, decision),
    reviewer: reviewer(number),
  };
}

/** Exactly one reply is a win; all others name the winner as the record has it. */
function expectOneWinner(replies: readonly DecideResult[], stored: Review | undefined): void {
  const wins = replies.filter((reply) => reply.type === "recorded");
  expect(wins).toHaveLength(1);
  expect(wins[0]).toMatchObject({ repeated: false, review: { version: 2 } });
  for (const action of stored?.actions ?? []) {
    if (action.state.status !== "decided") throw new Error(`${action.id} is not decided`);
    const { outcome, recorded } = action.state;
    for (const reply of replies) {
      if (reply.type === "recorded") continue;
      expect(reply.refusal).toMatchObject({
        code: "already_decided",
        details: {
          by: recorded?.reviewer.name,
          at: recorded?.at,
          decision: recorded?.decision.type,
          outcome: outcome.type,
        },
      });
    }
  }
  expect(replies.length).toBeGreaterThan(1);
}

function race(
  review: Review,
  deciders: readonly ((request: DecideRequest) => Promise<DecideResult>)[],
) {
  return Promise.all(
    Array.from({ length: 64 }, (_, number) => {
      const decide = deciders[number % deciders.length];
      if (decide === undefined) throw new Error("no decider");
      return decide(requestOf(review, number));
    }),
  );
}

/** A seeded fault: reads, decides and saves without comparing. All have read before anybody saves. */
function decidesWithoutComparing(engine: Engine) {
  let seen: Promise<Review | undefined> | undefined;
  return async (request: DecideRequest): Promise<DecideResult> => {
    seen ??= engine.readReview(request.reviewId);
    const review = await seen;
    if (review === undefined) throw new Error("it was opened");
    const change = transition(
      review,
      { type: "decide", ...request, editVerdicts: new Map() },
      "2026-11-30T12:00:00.000Z",
    );
    if (change.type !== "changed") throw new Error("nobody else was seen");
    await engine.storage.write((writing) =>
      writing.saveReviews([{ review: change.review, over: review.version }]),
    );
    return { type: "recorded", review: change.review, repeated: false };
  };
}

/** On Postgres the key of the decisions would refuse a second one, and with it all of that change. */
function expectOneDecision(path: string, review: Review): void {
  if (!isOnSqlite()) return;
  const [action] = review.actions;
  const count = "SELECT count(*) FROM decisions WHERE action_id = ?";
  expect(numberIn(openRaw(path), count, action?.id ?? "")).toBe(1);
}

describe("F4: 64 contradictory decisions at once", () => {
  test("in one process have one winner", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    const review = await engine.openReview(aDraft(2));
    const replies = await race(review, [engine.decide]);
    expectOneWinner(replies, await engine.readReview(review.id));
    expectOneDecision(path, review);
  });

  test("in memory have one winner", async () => {
    const engine = await openTestEngine();
    const review = await engine.openReview(aDraft(2));
    expectOneWinner(await race(review, [engine.decide]), await engine.readReview(review.id));
  });

  test("through two engines on one file have one winner", async () => {
    const path = temporaryFile();
    const engines = [await openTestEngine(path), await openTestEngine(path)];
    for (let round = 0; round < 5; round += 1) {
      const review = await engines[round % 2]?.openReview(aDraft(1));
      if (review === undefined) throw new Error("two engines are open");
      const replies = await race(
        review,
        engines.map((engine) => engine.decide),
      );
      for (const engine of engines) expectOneWinner(replies, await engine.readReview(review.id));
      expectOneDecision(path, review);
    }
  });

  test("the check catches a decide that forgets to compare", async () => {
    const engine = await openTestEngine(temporaryFile());
    const review = await engine.openReview(aDraft());
    const replies = await race(review, [decidesWithoutComparing(engine)]);
    const stored = await engine.readReview(review.id);
    expect(() => expectOneWinner(replies, stored)).toThrow("to have a length of 1 but got 64");
  });

  test("from four processes on one file have one winner for each of 16 reviews", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    const reviews = await Promise.all(
      Array.from({ length: 16 }, () => engine.openReview(aDraft())),
    );
    const database = await databaseAt(path);
    const script = new URL("../testing/engine-child.ts", import.meta.url);
    const children = Array.from({ length: 4 }, () => startChild(script));
    await Promise.all(children.map((child) => child.next()));
    children.forEach((child) => child.send(JSON.stringify({ type: "open", database })));
    await Promise.all(children.map((child) => child.next()));
    children.forEach((child, number) => {
      // Each starts at another review, so that they really meet.
      const turned = reviews.map(
        (_, index) => reviews[(index + number * 4) % reviews.length] as Review,
      );
      const requests = turned.map((review) => requestOf(review, number));
      child.send(JSON.stringify({ type: "decide", reviewer: reviewer(number), requests }));
    });
    const replies = await Promise.all(
      children.map(async (child, number) => {
        const results = JSON.parse(await child.next()) as DecideResult[]; // printed by our own child
        return reviews.map(
          (_, index) => results[(index - number * 4 + 64) % reviews.length] as DecideResult,
        );
      }),
    );
    for (const [index, review] of reviews.entries()) {
      const own = replies.map((results) => results[index] as DecideResult);
      expectOneWinner(own, await engine.readReview(review.id));
      expectOneDecision(path, review);
    }
  });
});
