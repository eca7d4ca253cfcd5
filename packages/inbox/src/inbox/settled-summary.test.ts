import { expect, test } from "vitest";
import { decidedReview, openReview } from "../testing/sample-review.ts";
import { summarize } from "./settled-summary.ts";

test("a settled review says what, by whom, when, and how the run ended", () => {
  expect(summarize(decidedReview(openReview(1)))).toEqual({
    outcome: "approved",
    by: "Bo",
    at: "2026-11-30T12:05:00.000Z",
    receipt: "succeeded",
  });
});

test("different outcomes are summed up as mixed, and the receipt that needs an eye comes first", () => {
  const approved = decidedReview(openReview(1));
  const rejected = decidedReview(openReview(2), { type: "reject" });
  const unknown = decidedReview(openReview(3, { permit: "unknown" }));
  const actions = [...approved.actions, ...rejected.actions, ...unknown.actions].map((action) =>
    action.id === "act_3" ? { ...action, permit: "unknown" as const } : action,
  );
  expect(summarize({ ...approved, actions })).toMatchObject({
    outcome: "mixed",
    receipt: "unknown",
  });
});

test("a review closed without a decision names nobody", () => {
  const closed = { ...openReview(1, { status: "closed" }), status: "closed" as const };
  expect(summarize(closed)).toEqual({
    outcome: "closed",
    by: undefined,
    at: undefined,
    receipt: undefined,
  });
});
