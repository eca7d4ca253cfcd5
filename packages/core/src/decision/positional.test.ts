import { describe, expect, test } from "vitest";
import type { Decision } from "../contract/decision.ts";
import { aReview, anAction } from "../testing/review-builder.ts";
import { nameDecisions } from "./positional.ts";

const approve: Decision = { type: "approve" };
const reject: Decision = { type: "reject" };
const review = aReview([anAction(1), anAction(2)]);

describe("an answer by position", () => {
  test("that covers the review exactly is named in order", () => {
    expect(nameDecisions(review, [approve, reject])).toEqual({
      type: "named",
      decisions: [
        { actionId: "act_1", decision: approve },
        { actionId: "act_2", decision: reject },
      ],
    });
  });

  test.each([0, 1, 3])("with %d decisions for two actions is refused with both counts", (found) => {
    expect(nameDecisions(review, Array(found).fill(approve))).toEqual({
      type: "refused",
      refusal: {
        code: "decision_count",
        message: `Review rev_1 holds 2 action(s) but ${found} decision(s) came; send exactly one for each, in order, or name them by action id.`,
        details: { reviewId: "rev_1", expected: 2, found },
      },
    });
  });
});
