import { expect, test } from "vitest";
import { reviewViewSchema } from "../contract/review-view.ts";
import { aReview, anAction, anna, noon } from "../testing/review-builder.ts";
import type { Permit } from "./permit.ts";
import type { Action, Review } from "./review.ts";
import { viewOf } from "./view.ts";

const decided: Action = anAction(1, {
  description: "why",
  state: {
    status: "decided",
    outcome: { type: "approved", call: anAction().call, edited: false },
    recorded: { decision: { type: "approve" }, reviewer: anna, at: noon },
  },
});
const permit: Permit = {
  actionId: "act_1",
  digest: decided.digest,
  fence: 0,
  state: { status: "unused" },
};

test.each<readonly [string, Review, object]>([
  ["open", aReview([decided, anAction(2)]), { status: "open" }],
  [
    "decided",
    aReview([decided], { state: { status: "decided", settledAt: noon } }),
    { status: "decided", settledAt: noon },
  ],
  [
    "closed",
    aReview([anAction(1, { state: { status: "closed" } })], {
      askedFor: "x",
      state: { status: "closed", settledAt: noon, because: "late" },
    }),
    { status: "closed", settledAt: noon, closedBecause: "late", askedFor: "x" },
  ],
])(
  "the view of a review that is %s is valid on the wire and says all of it",
  (_status, review, expected) => {
    const view = viewOf(review, new Map([["act_1" as const, permit]]));
    expect(reviewViewSchema.parse(view)).toEqual(view);
    expect(view).toMatchObject(expected);
    expect(JSON.parse(JSON.stringify(view))).toEqual(view);
  },
);

test("an action shows its outcome, who decided, and where its permit stands", () => {
  const [first, second] = viewOf(
    aReview([decided, anAction(2)]),
    new Map([["act_1", permit]]),
  ).actions;
  expect(first).toMatchObject({
    status: "decided",
    outcome: { type: "approved" },
    recorded: { reviewer: anna },
    permit: "unused",
  });
  expect(second).not.toHaveProperty("permit");
  expect(second).not.toHaveProperty("outcome");
});

test("a subagent's review says the path to it and the call of the outer agent", () => {
  const provenance = {
    agentPath: ["lead", "writer"],
    parentCall: { toolCallId: "call_0", name: "task" },
  };
  const view = viewOf(aReview([anAction()], provenance), new Map());
  expect(reviewViewSchema.parse(view)).toMatchObject(provenance);
  expect(viewOf(aReview([anAction()]), new Map())).not.toHaveProperty("agentPath");
});
