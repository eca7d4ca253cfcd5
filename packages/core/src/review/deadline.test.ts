import { describe, expect, test } from "vitest";
import type { NamedDecision } from "../contract/decision.ts";
import type { ActionId } from "../contract/ids.ts";
import { aReview, anAction, anna, ben } from "../testing/review-builder.ts";
import type { Review } from "./review.ts";
import { type ReviewTransition, transition } from "./transition.ts";

const at = "2026-11-30T12:00:00.000Z";
const before = "2026-11-30T11:59:59.999Z";
const after = "2026-11-30T12:00:00.001Z";
const expired = { type: "rejected", cause: "deadline" };

function aReviewUntil(actions = 1, deadline = at): Review {
  const all = Array.from({ length: actions }, (_, index) => anAction(index + 1));
  return aReview(all, { deadline: { at: deadline, outcome: "rejected" } });
}

function decide(
  review: Review,
  now: string,
  type: "approve" | "reject" = "approve",
  actionId: ActionId = "act_1",
): ReviewTransition {
  const decisions: NamedDecision[] = [{ actionId, decision: { type } }];
  const command = { type: "decide", decisions, reviewer: anna, editVerdicts: new Map() } as const;
  return transition(review, command, now);
}

function expire(review: Review, now: string): ReviewTransition {
  return transition(review, { type: "expire" }, now);
}

function reviewOf(result: ReviewTransition): Review {
  if (result.type === "refused") throw new Error(result.refusal.message);
  return result.review;
}

describe("a review with a deadline", () => {
  test("F12: can be decided until the millisecond before it, and expires from then on", () => {
    expect(decide(aReviewUntil(), before).type).toBe("changed");
    expect(expire(aReviewUntil(), before)).toMatchObject({
      type: "refused",
      refusal: {
        code: "invalid_request",
        message: expect.stringContaining(`at ${at} and has not`),
      },
    });
    for (const now of [at, after]) {
      expect(decide(aReviewUntil(), now).type).toBe("refused");
      expect(expire(aReviewUntil(), now).type).toBe("changed");
    }
  });

  test("F12: a decision that comes too late is refused in one sentence, before and after it expired", () => {
    for (const review of [aReviewUntil(), reviewOf(expire(aReviewUntil(), at))]) {
      for (const type of ["approve", "reject"] as const) {
        expect(decide(review, after, type)).toEqual({
          type: "refused",
          refusal: {
            code: "deadline_passed",
            message: `The deadline of review rev_1 passed at ${at} and nobody had decided action act_1 by then, so it counts as rejected. Nothing changed; the call will not run.`,
            details: {
              reviewId: "rev_1",
              actionId: "act_1",
              by: "deadline",
              at,
              decision: "reject",
              outcome: "rejected",
            },
          },
        });
      }
    }
  });

  test("F13: expiring rejects, issues no permit, resumes the thread, and is audited as no person's rejection", () => {
    const review = aReviewUntil(2);
    const result = expire(review, after);
    expect(result).toEqual({
      type: "changed",
      review: {
        ...review,
        version: 2,
        actions: review.actions.map((action) => ({
          ...action,
          state: { status: "decided", outcome: expired },
        })),
        state: { status: "decided", settledAt: after },
      },
      effects: [
        {
          type: "audited",
          event: {
            type: "review.expired",
            body: { deadline: at, outcome: "rejected", actions: ["act_1", "act_2"] },
          },
        },
        { type: "thread.resumable" },
      ],
    });
  });

  test("expiring leaves what was decided as it is, and its repeat still succeeds", () => {
    const half = reviewOf(decide(aReviewUntil(2), before));
    const result = expire(half, at);
    expect(reviewOf(result).actions.map((action) => action.state)).toMatchObject([
      { outcome: { type: "approved" }, recorded: { reviewer: anna } },
      { outcome: expired },
    ]);
    expect(result).toMatchObject({ effects: [{ event: { body: { actions: ["act_2"] } } }, {}] });
    expect(decide(half, after).type).toBe("repeated");
    expect(decide(reviewOf(result), after).type).toBe("repeated");
  });

  test("a decision in time and one too late in one request: neither counts", () => {
    const half = reviewOf(decide(aReviewUntil(2), before));
    const decisions: NamedDecision[] = ["act_1", "act_2"].map((id) => ({
      actionId: id as ActionId,
      decision: { type: "approve" },
    }));
    const command = { type: "decide", decisions, reviewer: anna, editVerdicts: new Map() } as const;
    expect(transition(half, command, at)).toMatchObject({
      refusal: { code: "deadline_passed", details: { actionId: "act_2" } },
    });
  });

  test("whoever contradicts a decision that was in time is told who decided, not that it is late", () => {
    const decided = reviewOf(decide(aReviewUntil(), before));
    const decisions: NamedDecision[] = [{ actionId: "act_1", decision: { type: "reject" } }];
    const command = { type: "decide", decisions, reviewer: ben, editVerdicts: new Map() } as const;
    expect(transition(decided, command, after)).toMatchObject({
      refusal: { code: "already_decided", details: { by: "Anna", decision: "approve" } },
    });
  });

  test("expires once; one that is settled stays as it is", () => {
    const settled = [
      reviewOf(expire(aReviewUntil(), at)),
      reviewOf(decide(aReviewUntil(), before)),
      reviewOf(transition(aReviewUntil(), { type: "close", because: "withdrawn" }, before)),
    ];
    for (const review of settled)
      expect(expire(review, after)).toEqual({ type: "repeated", review });
  });

  test("can still be withdrawn after it", () => {
    const closed = reviewOf(transition(aReviewUntil(), { type: "close", because: "x" }, after));
    expect(closed.state.status).toBe("closed");
  });

  test("the deadline is a moment, however its time is written", () => {
    const review = aReviewUntil(1, "2026-11-30T13:00:00+01:00");
    expect(expire(review, before).type).toBe("refused");
    expect(expire(review, at).type).toBe("changed");
  });
});

test("a review without a deadline never expires", () => {
  expect(expire(aReview([anAction()]), "2999-01-01T00:00:00.000Z")).toMatchObject({
    type: "refused",
    refusal: { message: expect.stringContaining("has no deadline") },
  });
  expect(decide(aReview([anAction()]), "2999-01-01T00:00:00.000Z").type).toBe("changed");
});
