import { expect, test } from "vitest";
import { editedReview, openReview } from "../testing/sample-review.ts";
import { effectiveArgs, outcomeKind } from "./outcome-kind.ts";

test("after an approved edit a call is shown with what ran, not with what was proposed", () => {
  const [action] = editedReview(openReview(1), { amount: 90 }).actions;
  if (action === undefined) throw new Error("The review has no action.");
  expect(action.args).toEqual({ amount: 180 });
  expect(effectiveArgs(action)).toEqual({ amount: 90 });
  expect(outcomeKind(action)).toBe("edited");
});
