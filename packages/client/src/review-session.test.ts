import type { ActionId, ActionView, Decision, NamedDecision, ReviewView } from "@holdpoint/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { SubmitResult } from "./reply.ts";
import { createReviewSession } from "./review-session.ts";
import { reduceSession, type SessionEvent } from "./session-reducer.ts";
import { progressOf, startSession } from "./session-state.ts";

const at = "2026-11-30T14:02:00.000Z";
const approve: Decision = { type: "approve" };
const reject: Decision = { type: "reject" };

function action(id: ActionId): ActionView {
  return {
    id,
    toolCallId: `call-${id}`,
    name: "refund",
    args: { cents: 500 },
    argsSchema: { type: "object", properties: { cents: { type: "integer" } }, required: ["cents"] },
    digest: "sha256:1",
    allowedDecisions: ["approve", "edit", "reject"],
    rule: "money",
    reason: "Money moves.",
    reasonCode: "always",
    status: "open",
  };
}

function reviewOf(...actions: ActionView[]): ReviewView {
  return {
    id: "rev_1",
    status: actions.every((one) => one.status === "open") ? "open" : "decided",
    cause: "policy",
    threadId: "t",
    agent: "demo",
    turnId: "m",
    interruptId: "i",
    createdAt: at,
    actions,
  };
}

function decided(one: ActionView, decision: Decision, name = "Anna"): ActionView {
  const recorded = { decision, reviewer: { id: name, name }, at };
  const outcome =
    decision.type === "reject"
      ? ({ type: "rejected" } as const)
      : ({ type: "approved", call: { name: one.name, args: one.args }, edited: false } as const);
  return { ...one, status: "decided", outcome, recorded };
}

const one = reviewOf(action("act_1"));
const two = reviewOf(action("act_1"), action("act_2"));
const partly: ReviewView = {
  ...reviewOf(decided(action("act_1"), reject), action("act_2")),
  status: "open",
};

/** A session whose submissions are kept and answered by hand. */
function opened(review: ReviewView) {
  const sent: NamedDecision[][] = [];
  const answers: ((result: SubmitResult) => void)[] = [];
  const session = createReviewSession(review, (decisions) => {
    sent.push(decisions);
    return new Promise((resolve) => answers.push(resolve));
  });
  const reply = (result: SubmitResult) => answers.shift()?.(result);
  return { session, sent, reply };
}

describe("a review session", () => {
  test("sends the decision of a single action at once and ends settled", async () => {
    const { session, sent, reply } = opened(one);
    const done = session.choose("act_1", approve);
    expect(session.getSnapshot().phase).toEqual({ type: "submitting" });
    void session.choose("act_1", reject); // a second click while the first is under way
    reply({ type: "recorded", review: reviewOf(decided(action("act_1"), approve)) });
    await done;
    expect(sent).toEqual([[{ actionId: "act_1", decision: approve }]]);
    expect(session.getSnapshot().phase).toEqual({ type: "settled" });
  });

  test("waits for a decision on every action, then sends all together", async () => {
    const { session, sent, reply } = opened(two);
    await session.choose("act_1", approve);
    await session.submit();
    expect(sent).toEqual([]);
    await session.choose("act_2", approve);
    await session.choose("act_2", reject);
    const done = session.submit();
    reply({
      type: "recorded",
      review: reviewOf(decided(action("act_1"), approve), decided(action("act_2"), reject)),
    });
    await done;
    expect(sent).toEqual([
      [
        { actionId: "act_1", decision: approve },
        { actionId: "act_2", decision: reject },
      ],
    ]);
  });

  test("keeps an edit that does not fit the schema, and does not send it", async () => {
    const { session, sent } = opened(one);
    const edit: Decision = {
      type: "edit",
      editedAction: { name: "refund", args: { cents: "five" } },
    };
    await session.choose("act_1", edit);
    expect(sent).toEqual([]);
    expect(session.getSnapshot().progress.get("act_1")).toMatchObject({
      type: "invalid",
      problem: { path: "cents" },
    });
  });

  test("names who decided first, and lets the remaining actions be decided", async () => {
    const { session, sent, reply } = opened(two);
    await session.choose("act_1", approve);
    await session.choose("act_2", approve);
    const done = session.submit();
    const details = { actionId: "act_1", by: "Anna", at, decision: "reject" };
    reply({
      type: "refused",
      refusal: { code: "already_decided", message: "Too late.", details },
    });
    await done;
    const conflict = { actionId: "act_1", by: "Anna", at, decision: "reject" };
    expect(session.getSnapshot().phase).toEqual({ type: "conflict", conflict });
    session.update(partly);
    expect(session.getSnapshot().progress.get("act_1")).toEqual({ type: "lost", conflict });
    void session.submit();
    expect(sent[1]).toEqual([{ actionId: "act_2", decision: approve }]);
  });

  test("a fresher review shows that another person decided what was only chosen here", async () => {
    const { session } = opened(two);
    await session.choose("act_1", approve);
    session.update(partly);
    expect(session.getSnapshot().phase).toMatchObject({
      type: "conflict",
      conflict: { by: "Anna", decision: "reject" },
    });
  });

  test("one's own decision, seen before its answer comes, is no conflict", async () => {
    const { session, reply } = opened(one);
    const done = session.choose("act_1", approve);
    session.update(reviewOf(decided(action("act_1"), approve, "me")));
    expect(session.getSnapshot().phase.type).toBe("submitting");
    reply({ type: "unreachable" });
    await done;
    expect(session.getSnapshot().phase).toEqual({ type: "settled" });
  });

  test("a refusal keeps the choice, so that it can be sent again", async () => {
    const { session, sent, reply } = opened(one);
    const done = session.choose("act_1", approve);
    reply({ type: "unreachable" });
    await done;
    expect(session.getSnapshot().phase).toEqual({
      type: "refused",
      failure: { type: "unreachable" },
    });
    void session.submit();
    expect(sent).toHaveLength(2);
  });

  test("a decision that is not offered is refused without asking the server", async () => {
    const { session, sent } = opened(one);
    await session.choose("act_1", { type: "respond", message: "hi" });
    expect(sent).toEqual([]);
    expect(session.getSnapshot().phase).toMatchObject({
      failure: { refusal: { code: "decision_not_allowed" } },
    });
  });

  test("an older reading that arrives late does not reopen an action", () => {
    const { session } = opened(one);
    session.update(reviewOf(decided(action("act_1"), approve)));
    session.update(one);
    expect(session.getSnapshot().review.actions[0]?.status).toBe("decided");
    expect(session.getSnapshot().phase).toEqual({ type: "settled" });
  });

  test("choices survive a reload of the page, and leave nothing behind once settled", async () => {
    const kept = new Map<string, string>();
    const drafts = {
      load: (id: string) => JSON.parse(kept.get(id) ?? "null"),
      save: (id: string, draft: unknown) => {
        if (draft === undefined) kept.delete(id);
        else kept.set(id, JSON.stringify(draft));
      },
    };
    const never = () => new Promise<SubmitResult>(() => {});
    await createReviewSession(two, never, drafts).choose("act_2", reject);
    const reloaded = createReviewSession(two, never, drafts);
    expect(reloaded.getSnapshot().progress.get("act_2")).toEqual({
      type: "chosen",
      decision: reject,
    });
    reloaded.update({
      ...reviewOf(action("act_1"), action("act_2")),
      status: "closed",
      actions: two.actions.map((open) => ({ ...open, status: "closed" })),
    });
    expect(kept.size).toBe(0);
  });

  test("a stored draft that makes no sense is ignored", () => {
    const junk = {
      version: 1,
      decisions: [{ actionId: "x" }, null, { actionId: "act_9", decision: approve }],
    };
    const never = () => new Promise<SubmitResult>(() => {});
    const session = createReviewSession(one, never, { load: () => junk, save: () => {} });
    expect(session.getSnapshot().progress.get("act_1")).toEqual({ type: "open" });
  });
});

const decision = fc.constantFrom<Decision>(approve, reject);
const actionId = fc.constantFrom<ActionId>("act_1", "act_2");
const reading = fc.tuple(fc.option(decision), fc.option(decision)).map(([first, second]) => ({
  ...reviewOf(
    first === null ? action("act_1") : decided(action("act_1"), first),
    second === null ? action("act_2") : decided(action("act_2"), second),
  ),
  status: first === null || second === null ? ("open" as const) : ("decided" as const),
}));
const refusal = actionId.map((id): SubmitResult => ({
  type: "refused",
  refusal: {
    code: "already_decided",
    message: "Too late.",
    details: { actionId: id, by: "Anna", at, decision: "reject" },
  },
}));
const event: fc.Arbitrary<SessionEvent> = fc.oneof(
  fc.record({ type: fc.constant("chosen" as const), actionId, decision }),
  fc.record({ type: fc.constant("withdrawn" as const), actionId }),
  fc.record({ type: fc.constant("submitted" as const) }),
  fc.record({ type: fc.constant("refreshed" as const), review: reading }),
  fc
    .oneof(
      refusal,
      fc.constant<SubmitResult>({ type: "unreachable" }),
      reading.map((review): SubmitResult => ({ type: "recorded", review })),
    )
    .map((result) => ({ type: "answered" as const, result })),
);

test("whatever happens, a decided or lost action never becomes open again", () => {
  fc.assert(
    fc.property(fc.array(event, { maxLength: 30 }), (events) => {
      let state = startSession(two);
      for (const next of events) {
        const before = state;
        state = reduceSession(before, next);
        for (const current of state.review.actions) {
          const was = before.review.actions.find((candidate) => candidate.id === current.id);
          if (was?.status === "decided") expect(current.status).toBe("decided");
          if (progressOf(before, current).type === "lost") {
            expect(progressOf(state, current).type).toBe("lost");
          }
          if (state.phase.type !== "submitting" && current.status === "decided") {
            expect(["settled", "lost"]).toContain(progressOf(state, current).type);
          }
        }
      }
    }),
  );
});
