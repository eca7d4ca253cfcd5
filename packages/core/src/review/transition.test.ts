import { describe, expect, test } from "vitest";
import type { Decision, NamedDecision } from "../contract/decision.ts";
import type { ActionId } from "../contract/ids.ts";
import type { Reviewer } from "../contract/review-view.ts";
import { digestCall } from "../digest.ts";
import type { Verdict } from "../policy/verdict.ts";
import { aReview, anAction, anna, ben, mailSchema, noon } from "../testing/review-builder.ts";
import type { Review } from "./review.ts";
import { transition, type ReviewTransition } from "./transition.ts";

const later = "2026-11-30T12:05:00.000Z";
const allowed: Verdict = { type: "allow", rule: "r", reason: "fine." };

function decide(
  review: Review,
  decisions: readonly NamedDecision[],
  options: { reviewer?: Reviewer; now?: string; verdicts?: ReadonlyMap<ActionId, Verdict> } = {},
): ReviewTransition {
  const { reviewer = anna, now = noon } = options;
  const editVerdicts = options.verdicts ?? new Map(decisions.map((one) => [one.actionId, allowed]));
  return transition(review, { type: "decide", decisions, reviewer, editVerdicts }, now);
}

function on(actionId: ActionId, decision: Decision): NamedDecision {
  return { actionId, decision };
}

function changed(result: ReviewTransition): Extract<ReviewTransition, { type: "changed" }> {
  if (result.type !== "changed")
    throw new Error(`expected a change, got ${JSON.stringify(result)}`);
  return result;
}

function refusalOf(result: ReviewTransition) {
  if (result.type !== "refused") throw new Error(`expected a refusal, got ${result.type}`);
  return result.refusal;
}

const approve: Decision = { type: "approve" };
const edit = (args: Record<string, string | number>, name = "send_email"): Decision => ({
  type: "edit",
  editedAction: { name, args },
});

describe("deciding", () => {
  test("an approval approves the call as it was proposed, issues its permit and resumes the thread", () => {
    const action = anAction();
    const result = changed(decide(aReview([action]), [on("act_1", approve)]));
    const outcome = { type: "approved", call: action.call, edited: false };
    expect(result.review).toEqual(
      aReview(
        [
          {
            ...action,
            state: {
              status: "decided",
              outcome,
              recorded: { decision: approve, reviewer: anna, at: noon },
            },
          } as never,
        ],
        { version: 2, state: { status: "decided", settledAt: noon } },
      ),
    );
    expect(result.effects).toEqual([
      { type: "decision.recorded", actionId: "act_1", decision: approve, reviewer: anna, at: noon },
      {
        type: "audited",
        event: {
          type: "action.decided",
          body: {
            actionId: "act_1",
            tool: "send_email",
            decision: "approve",
            outcome: "approved",
            reviewer: "anna",
            proposed: action.digest,
            approved: action.digest,
          },
        },
      },
      { type: "permit.issued", actionId: "act_1", digest: action.digest },
      { type: "thread.resumable" },
    ]);
  });

  test.each<readonly [Decision, object]>([
    [{ type: "reject" }, { type: "rejected" }],
    [
      { type: "reject", message: "no" },
      { type: "rejected", message: "no" },
    ],
    [
      { type: "reject", rejection: { because: "late", bounds: "before 18:00" } },
      { type: "rejected", rejection: { because: "late", bounds: "before 18:00" } },
    ],
    [
      { type: "respond", message: "did it" },
      { type: "answered", message: "did it" },
    ],
  ])("%j makes the outcome %j and no permit", (decision, outcome) => {
    const { review, effects } = changed(decide(aReview([anAction()]), [on("act_1", decision)]));
    expect(review.actions[0]?.state).toMatchObject({ status: "decided", outcome });
    expect(effects.map((effect) => effect.type)).toEqual([
      "decision.recorded",
      "audited",
      "thread.resumable",
    ]);
  });

  test("F22: a review stays open until its last action is decided, whoever decides and in whatever order", () => {
    const review = aReview([anAction(1), anAction(2), anAction(3)]);
    const first = changed(decide(review, [on("act_3", { type: "reject" })], { reviewer: ben }));
    expect(first.review).toMatchObject({ version: 2, state: { status: "open" } });
    const second = changed(
      decide(first.review, [on("act_2", approve), on("act_1", approve)], { now: later }),
    );
    expect(second.review).toMatchObject({
      version: 3,
      state: { status: "decided", settledAt: later },
    });
    expect(second.review.actions.map((action) => action.id)).toEqual(["act_1", "act_2", "act_3"]);
    expect(second.effects.filter((effect) => effect.type === "thread.resumable")).toHaveLength(1);
  });

  test("decisions are matched by id, never by position", () => {
    const { review } = changed(
      decide(aReview([anAction(1), anAction(2)]), [
        on("act_2", { type: "reject" }),
        on("act_1", approve),
      ]),
    );
    const outcomes = review.actions.map((one) =>
      one.state.status === "decided" ? one.state.outcome.type : "",
    );
    expect(outcomes).toEqual(["approved", "rejected"]);
  });
});

describe("deciding again", () => {
  const decided = changed(
    decide(aReview([anAction(1), anAction(2)]), [on("act_1", approve)]),
  ).review;

  test("the same decision of the same reviewer is a repeat and changes nothing", () => {
    expect(decide(decided, [on("act_1", approve)], { now: later })).toEqual({
      type: "repeated",
      review: decided,
    });
  });

  test.each<readonly [string, Decision, Reviewer]>([
    ["a different decision of the same reviewer", { type: "reject" }, anna],
    ["the same decision of another reviewer", approve, ben],
    ["the same decision of somebody of the same name", approve, { id: "anna-2", name: "Anna" }],
  ])("%s is refused and told who decided what, and when", (_name, decision, reviewer) => {
    expect(refusalOf(decide(decided, [on("act_1", decision)], { reviewer, now: later }))).toEqual({
      code: "already_decided",
      message: `Action act_1 was already decided: Anna said "approve" at ${noon}. Nothing changed; reload to see it.`,
      details: {
        reviewId: "rev_1",
        actionId: "act_1",
        by: "Anna",
        at: noon,
        decision: "approve",
        outcome: "approved",
      },
    });
  });

  test("a repeat together with a new decision records only the new one", () => {
    const result = changed(decide(decided, [on("act_1", approve), on("act_2", approve)]));
    expect(result.effects.filter((effect) => effect.type === "decision.recorded")).toMatchObject([
      { actionId: "act_2" },
    ]);
    expect(result.review.actions[0]).toBe(decided.actions[0]);
  });

  test("absent fields make no difference, at any depth (found by test: a repeat threw)", () => {
    const sparse: Decision = {
      type: "reject",
      message: undefined,
      rejection: { because: "late", instead: undefined },
    };
    const once = changed(decide(aReview([anAction()]), [on("act_1", sparse)])).review;
    const again: Decision = { type: "reject", rejection: { because: "late" } };
    expect(decide(once, [on("act_1", again)]).type).toBe("repeated");
    expect(decide(once, [on("act_1", sparse)]).type).toBe("repeated");
  });

  test("the order of keys in an edit makes no difference", () => {
    const once = changed(
      decide(aReview([anAction()]), [on("act_1", edit({ to: "x@y.z", copies: 2 }))]),
    ).review;
    expect(decide(once, [on("act_1", edit({ copies: 2, to: "x@y.z" }))]).type).toBe("repeated");
    expect(decide(once, [on("act_1", edit({ copies: 3, to: "x@y.z" }))]).type).toBe("refused");
  });
});

describe("a request that is refused", () => {
  test.each<readonly [string, readonly NamedDecision[], object]>([
    ["no decision at all", [], { code: "decision_count" }],
    [
      "an unknown action",
      [on("act_9", approve)],
      { code: "action_not_found", details: { open: ["act_1", "act_2"] } },
    ],
    [
      "an action of Object.prototype",
      [on("act_constructor", approve)],
      { code: "action_not_found" },
    ],
    [
      "an action named twice",
      [on("act_1", approve), on("act_1", approve)],
      { code: "decision_invalid" },
    ],
    [
      "a right decision beside a wrong one",
      [on("act_1", approve), on("act_9", approve)],
      { code: "action_not_found" },
    ],
  ])(
    "%s leaves the review as it was, and the right answer still works",
    (_name, decisions, refusal) => {
      const review = Object.freeze(
        aReview([Object.freeze(anAction(1)), Object.freeze(anAction(2))]),
      );
      const before = structuredClone(review);
      expect(refusalOf(decide(review, decisions))).toMatchObject(refusal);
      expect(review).toEqual(before);
      expect(decide(review, [on("act_1", approve), on("act_2", approve)]).type).toBe("changed");
    },
  );

  test("a decision that the action does not allow names those that it does", () => {
    const review = aReview([anAction(1, { allowedDecisions: ["reject", "respond"] })]);
    expect(refusalOf(decide(review, [on("act_1", approve)]))).toEqual({
      code: "decision_not_allowed",
      message: '"approve" is not allowed for action act_1 (send_email); allowed: reject, respond.',
      details: { actionId: "act_1", decision: "approve", allowed: ["reject", "respond"] },
    });
  });
});

describe("editing", () => {
  const review = aReview([anAction()]);

  test("an edit approves the edited call: the permit is bound to it, and the record says so", () => {
    const args = { to: "other@b.c", copies: 2 };
    const { review: next, effects } = changed(decide(review, [on("act_1", edit(args))]));
    const digest = digestCall({ name: "send_email", args, argsSchema: mailSchema });
    expect(next.actions[0]?.state).toMatchObject({
      outcome: { type: "approved", call: { name: "send_email", args }, edited: true },
    });
    expect(next.actions[0]?.call).toEqual(anAction().call);
    expect(effects).toContainEqual({ type: "permit.issued", actionId: "act_1", digest });
    expect(effects).toContainEqual(
      expect.objectContaining({
        event: expect.objectContaining({
          body: expect.objectContaining({ proposed: anAction().digest, approved: digest }),
        }),
      }),
    );
  });

  test("an edit that changes nothing is not marked as edited, and permits the proposed call", () => {
    const { review: next, effects } = changed(
      decide(review, [on("act_1", edit({ to: "person-1@b.c" }))]),
    );
    expect(next.actions[0]?.state).toMatchObject({ outcome: { type: "approved", edited: false } });
    expect(effects).toContainEqual({
      type: "permit.issued",
      actionId: "act_1",
      digest: anAction().digest,
    });
  });

  test("F26: an edit into another tool is refused", () => {
    expect(
      refusalOf(decide(review, [on("act_1", edit({ to: "a@b.c" }, "delete_all"))])).message,
    ).toBe(
      "The edit of action act_1 was refused: it would turn send_email into delete_all; reject the call and say which tool to use instead.",
    );
  });

  test.each([
    [{}, "", 'Instance does not have required property "to"'],
    [{ to: 5 }, "to", '"to": Instance type "number" is invalid. Expected "string"'],
    [{ to: "a@b.c", copies: 4 }, "copies", '"copies": 4 is greater than 3'],
  ])("an edit to %j is refused with the path of the problem", (args, path, message) => {
    const refusal = refusalOf(decide(review, [on("act_1", edit(args as never))]));
    expect(refusal).toMatchObject({ code: "edit_refused", details: { actionId: "act_1", path } });
    expect(refusal.message).toBe(
      `The edit of action act_1 was refused: ${message}; correct it and send again.`,
    );
  });

  test("F26: an edit that policy denies is refused with policy's reason (found by test: it ended with two stops)", () => {
    const verdicts = new Map<ActionId, Verdict>([
      ["act_1", { type: "deny", rule: "r", reason: "only inside b.c." }],
    ]);
    expect(
      refusalOf(decide(review, [on("act_1", edit({ to: "x@y.z" }))], { verdicts })),
    ).toMatchObject({
      code: "edit_refused",
      message:
        "The edit of action act_1 was refused: policy does not allow the edited call: only inside b.c.",
    });
  });

  test("an edit that policy was not asked about is refused; policy asking a person is no obstacle", () => {
    const edited = [on("act_1", edit({ to: "x@y.z" }))];
    expect(refusalOf(decide(review, edited, { verdicts: new Map() })).code).toBe("edit_refused");
    const asks: Verdict = {
      type: "review",
      rule: "r",
      reason: "always",
      reasonCode: "always",
      allowedDecisions: ["approve"],
    };
    expect(decide(review, edited, { verdicts: new Map([["act_1", asks]]) }).type).toBe("changed");
  });

  test("an edit of a tool whose schema nobody can read is refused (found by test: deciding threw)", () => {
    for (const argsSchema of [
      { $ref: "https://elsewhere.example/s" },
      { properties: { to: { pattern: "(?i)x[" } } },
    ]) {
      const broken = aReview([anAction(1, { argsSchema })]);
      expect(refusalOf(decide(broken, [on("act_1", edit({ to: "x@y.z" }))])).message).toContain(
        "schema cannot be read",
      );
    }
  });
});

describe("closing", () => {
  test("closes what is open without an outcome, keeps what was decided but takes its permit back, and resumes nothing", () => {
    const half = changed(
      decide(aReview([anAction(1), anAction(2)]), [on("act_1", approve)]),
    ).review;
    const result = changed(transition(half, { type: "close", because: "superseded" }, later));
    expect(result.review).toMatchObject({
      version: 3,
      state: { status: "closed", settledAt: later, because: "superseded" },
    });
    expect(result.review.actions.map((action) => action.state.status)).toEqual([
      "decided",
      "closed",
    ]);
    expect(result.effects).toEqual([
      { type: "permit.revoked", actionId: "act_1" },
      { type: "audited", event: { type: "review.closed", body: { because: "superseded" } } },
    ]);
  });

  test("a closed action cannot be decided, a decided one can be read again", () => {
    const half = changed(
      decide(aReview([anAction(1), anAction(2)]), [on("act_1", approve)]),
    ).review;
    const { review } = changed(transition(half, { type: "close", because: "superseded" }, later));
    expect(refusalOf(decide(review, [on("act_2", approve)])).code).toBe("review_closed");
    expect(decide(review, [on("act_1", approve)]).type).toBe("repeated");
    expect(refusalOf(decide(review, [on("act_1", { type: "reject" })])).code).toBe(
      "already_decided",
    );
  });

  test("closing what is settled is a repeat", () => {
    const decided = changed(decide(aReview([anAction()]), [on("act_1", approve)])).review;
    expect(transition(decided, { type: "close", because: "late" }, later)).toEqual({
      type: "repeated",
      review: decided,
    });
  });
});
