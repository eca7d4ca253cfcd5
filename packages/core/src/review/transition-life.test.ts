import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Decision, type DecisionType, decisionTypes } from "../contract/decision.ts";
import type { ErrorCode } from "../contract/errors.ts";
import type { ActionId } from "../contract/ids.ts";
import type { Reviewer } from "../contract/review-view.ts";
import { type Digest, digestCall } from "../digest.ts";
import type { Verdict } from "../policy/verdict.ts";
import { aReview, anAction, anna, ben, mailSchema } from "../testing/review-builder.ts";
import type { Review } from "./review.ts";
import { type ReviewCommand, type ReviewEffect, transition } from "./transition.ts";

type Rule = typeof transition;

/** What is known of an action without asking the code under test. */
type ModelAction =
  | { readonly status: "open" }
  | { readonly status: "closed" }
  | { readonly status: "decided"; readonly by: string; readonly as: Choice; readonly kept: string };
type Model = { version: number; closed: boolean; readonly actions: ModelAction[] };
type Real = {
  review: Review;
  readonly permits: Map<ActionId, Digest>;
  resumed: number;
  minute: number;
};

/** Everything a reviewer might send for an action, and the code it is refused with when it is refused. */
const choices = {
  approve: { type: "approve" },
  edit: { type: "edit", refused: undefined },
  "edit, untouched": { type: "edit", refused: undefined },
  "edit, other tool": { type: "edit", refused: "edit_refused" },
  "edit, against the schema": { type: "edit", refused: "edit_refused" },
  "edit, denied by policy": { type: "edit", refused: "edit_refused" },
  "edit, policy not asked": { type: "edit", refused: "edit_refused" },
  reject: { type: "reject" },
  "reject, with words": { type: "reject" },
  respond: { type: "respond" },
} as const satisfies Record<string, { type: DecisionType; refused?: ErrorCode | undefined }>;
type Choice = keyof typeof choices;

function decisionFor(choice: Choice, number: number): Decision {
  const name = "send_email";
  switch (choice) {
    case "approve":
      return { type: "approve" };
    case "edit, untouched":
      return { type: "edit", editedAction: { name, args: { to: `person-${number}@b.c` } } };
    case "edit, other tool":
      return { type: "edit", editedAction: { name: "delete_all", args: { to: "x@y.z" } } };
    case "edit, against the schema":
      return { type: "edit", editedAction: { name, args: { to: "x@y.z", copies: 9 } } };
    case "edit":
    case "edit, denied by policy":
    case "edit, policy not asked":
      return {
        type: "edit",
        editedAction: { name, args: { to: `x-${choice.length}@y.z`, copies: 2 } },
      };
    case "reject":
      return { type: "reject" };
    case "reject, with words":
      return { type: "reject", message: "no", rejection: { because: "too early" } };
    case "respond":
      return { type: "respond", message: "I will write myself" };
    default:
      return choice satisfies never;
  }
}

function verdictFor(choice: Choice): Verdict | undefined {
  if (choice === "edit, policy not asked") return undefined;
  return choice === "edit, denied by policy"
    ? { type: "deny", rule: "r", reason: "too far away." }
    : { type: "allow", rule: "r", reason: "fine." };
}

type Asked = {
  readonly picks: readonly (readonly [number: number, choice: Choice])[];
  readonly reviewer: Reviewer;
};

/** What must become of a request, worked out from the model alone. */
function expected(
  model: Model,
  asked: Asked,
  allowed: readonly DecisionType[],
): ErrorCode | "repeated" | "changed" {
  const named = new Set<number>();
  let changes = 0;
  for (const [number, choice] of asked.picks) {
    const action = model.actions[number - 1];
    if (action === undefined) return "action_not_found";
    if (named.has(number)) return "decision_invalid";
    named.add(number);
    const { type, refused }: { type: DecisionType; refused?: ErrorCode | undefined } =
      choices[choice];
    if (action.status === "closed") return "review_closed";
    if (action.status === "decided") {
      if (action.by === asked.reviewer.id && action.as === choice) continue;
      return "already_decided";
    }
    if (!allowed.includes(type)) return "decision_not_allowed";
    if (refused !== undefined) return refused;
    changes += 1;
  }
  if (asked.picks.length === 0) return "decision_count";
  return changes === 0 ? "repeated" : "changed";
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || value instanceof Map) return value;
  Object.values(value).forEach(deepFreeze);
  return Object.freeze(value);
}

function performEffects(real: Real, effects: readonly ReviewEffect[]): void {
  for (const effect of effects) {
    if (effect.type === "thread.resumable") real.resumed += 1;
    if (effect.type !== "permit.issued") continue;
    expect(real.permits.has(effect.actionId)).toBe(false);
    real.permits.set(effect.actionId, effect.digest);
  }
}

/** What holds between any two moves. */
function expectSound(model: Model, real: Real): void {
  const { review } = real;
  expect(review.version).toBe(model.version);
  expect(review.actions.map((action) => action.id)).toEqual(
    model.actions.map((_, n) => `act_${n + 1}`),
  );
  review.actions.forEach((action, index) => {
    const known = model.actions[index];
    expect(action.state.status).toBe(known?.status);
    if (known?.status === "decided") expect(JSON.stringify(action.state)).toBe(known.kept);
    const outcome = action.state.status === "decided" ? action.state.outcome : undefined;
    const permitted =
      outcome?.type === "approved"
        ? digestCall({ ...outcome.call, argsSchema: mailSchema })
        : undefined;
    expect(real.permits.get(action.id)).toBe(permitted);
  });
  const allDecided = model.actions.every((action) => action.status === "decided");
  expect(review.state.status).toBe(model.closed ? "closed" : allDecided ? "decided" : "open");
  expect(real.resumed).toBe(allDecided && !model.closed ? 1 : 0);
}

function move(rule: Rule, model: Model, real: Real, command: ReviewCommand, due: string): void {
  real.minute += 1;
  const now = `2026-11-30T12:${String(real.minute % 60).padStart(2, "0")}:00.000Z`;
  const before = structuredClone(real.review);
  const result = rule(deepFreeze(real.review), command, now);
  expect(result.type === "refused" ? result.refusal.code : result.type).toBe(due);
  expect(real.review).toEqual(before);
  if (result.type === "repeated") expect(result.review).toBe(real.review);
  if (result.type !== "changed") return;
  model.version += 1;
  performEffects(real, result.effects);
  real.review = result.review;
}

function decideCommand(
  rule: Rule,
  asked: Asked,
  allowed: readonly DecisionType[],
): fc.Command<Model, Real> {
  return {
    check: () => true,
    run: (model, real) => {
      const due = expected(model, asked, allowed);
      const decisions = asked.picks.map(([number, choice]) => ({
        actionId: `act_${number}` as const,
        decision: decisionFor(choice, number),
      }));
      const editVerdicts = new Map<ActionId, Verdict>();
      for (const [index, [number, choice]] of asked.picks.entries()) {
        const isFirst = asked.picks.findIndex((pick) => pick[0] === number) === index;
        const verdict = isFirst ? verdictFor(choice) : undefined;
        if (verdict !== undefined) editVerdicts.set(`act_${number}`, verdict);
      }
      move(
        rule,
        model,
        real,
        { type: "decide", decisions, reviewer: asked.reviewer, editVerdicts },
        due,
      );
      for (const [number, choice] of due === "changed" ? asked.picks : []) {
        if (model.actions[number - 1]?.status !== "open") continue;
        const kept = JSON.stringify(real.review.actions[number - 1]?.state);
        model.actions[number - 1] = { status: "decided", by: asked.reviewer.id, as: choice, kept };
      }
      expectSound(model, real);
    },
    toString: () =>
      `${asked.reviewer.name}: ${asked.picks.map((pick) => pick.join(" ")).join("; ")}`,
  };
}

function closeCommand(rule: Rule): fc.Command<Model, Real> {
  return {
    check: () => true,
    run: (model, real) => {
      const open = real.review.state.status === "open";
      move(
        rule,
        model,
        real,
        { type: "close", because: "superseded" },
        open ? "changed" : "repeated",
      );
      if (open) {
        model.closed = true;
        model.actions.forEach((action, index) => {
          if (action.status === "open") model.actions[index] = { status: "closed" };
        });
      }
      expectSound(model, real);
    },
    toString: () => "close",
  };
}

/** Any life of any review of one to four actions, under several reviewers. */
function lifeOfReview(rule: Rule) {
  const setups = fc.record({
    count: fc.integer({ min: 1, max: 4 }),
    allowed: fc.oneof(
      { weight: 3, arbitrary: fc.constant([...decisionTypes]) },
      { weight: 1, arbitrary: fc.subarray([...decisionTypes], { minLength: 1 }) },
    ),
  });
  const choice = fc.constantFrom(...(Object.keys(choices) as Choice[]));
  const pick = fc.tuple(fc.integer({ min: 1, max: 5 }), choice);
  const asked = fc.record({
    picks: fc.array(pick, { maxLength: 5, size: "small" }),
    reviewer: fc.constantFrom(anna, ben, { id: "anna-2", name: "Anna" }),
  });
  const lives = setups.chain((setup) =>
    fc.record({
      setup: fc.constant(setup),
      commands: fc.commands(
        [
          asked.map((one) => decideCommand(rule, one, setup.allowed)),
          fc.constant(closeCommand(rule)),
        ],
        { maxCommands: 20 },
      ),
    }),
  );
  return fc.property(lives, ({ setup, commands }) => {
    const numbers = Array.from({ length: setup.count }, (_, index) => index + 1);
    const actions = numbers.map((number) => anAction(number, { allowedDecisions: setup.allowed }));
    fc.modelRun(
      () => ({
        model: {
          version: 1,
          closed: false,
          actions: numbers.map(() => ({ status: "open" as const })),
        },
        real: { review: aReview(actions), permits: new Map(), resumed: 0, minute: 0 },
      }),
      commands,
    );
  });
}

function changedBy(
  change: (
    result: Extract<ReturnType<Rule>, { type: "changed" }>,
    review: Review,
  ) => ReturnType<Rule>,
): Rule {
  return (review, command, now) => {
    const result = transition(review, command, now);
    return result.type === "changed" ? change(result, review) : result;
  };
}

/** Seeded faults that the property must catch. */
const faults: readonly (readonly [name: string, rule: Rule])[] = [
  [
    "overwrites an outcome",
    (review, command, now) => {
      const actions = review.actions.map((action) => ({
        ...action,
        state: { status: "open" as const },
      }));
      return transition(
        command.type === "decide" ? { ...review, actions, state: { status: "open" } } : review,
        command,
        now,
      );
    },
  ],
  [
    "issues two permits",
    changedBy((result) => ({
      ...result,
      effects: result.effects.flatMap((effect): ReviewEffect[] =>
        effect.type === "permit.issued" ? [effect, effect] : [effect],
      ),
    })),
  ],
  [
    "binds the permit of an edit to the proposed call",
    changedBy((result) => ({
      ...result,
      effects: result.effects.map((effect) => {
        if (effect.type !== "permit.issued") return effect;
        const action = result.review.actions.find((one) => one.id === effect.actionId);
        return { ...effect, digest: action?.digest ?? effect.digest };
      }),
    })),
  ],
  [
    "issues permits for rejected calls",
    changedBy((result) => ({
      ...result,
      effects: result.effects.flatMap((effect): ReviewEffect[] =>
        effect.type === "decision.recorded" && effect.decision.type === "reject"
          ? [
              effect,
              {
                type: "permit.issued",
                actionId: effect.actionId,
                digest: digestCall({ name: "x", args: {}, argsSchema: undefined }),
              },
            ]
          : [effect],
      ),
    })),
  ],
  [
    "forgets to raise the version",
    changedBy((result, review) => ({
      ...result,
      review: { ...result.review, version: review.version },
    })),
  ],
  [
    "turns the actions around",
    changedBy((result) => ({
      ...result,
      review: { ...result.review, actions: result.review.actions.toReversed() },
    })),
  ],
  [
    "settles a review when its first action is decided",
    changedBy((result) => ({
      ...result,
      review: { ...result.review, state: { status: "decided", settledAt: "now" } },
    })),
  ],
  [
    "keeps half of a refused request",
    (review, command, now) => {
      const result = transition(review, command, now);
      if (result.type !== "refused" || command.type !== "decide") return result;
      const half = transition(
        review,
        { ...command, decisions: command.decisions.slice(0, 1) },
        now,
      );
      return half.type === "changed" ? half : result;
    },
  ],
  [
    "calls a lost race a success",
    (review, command, now) => {
      const result = transition(review, command, now);
      return result.type === "refused" && result.refusal.code === "already_decided"
        ? { type: "repeated", review }
        : result;
    },
  ],
  [
    "resumes the thread with every decision",
    changedBy((result) => ({
      ...result,
      effects: [...result.effects, { type: "thread.resumable" }],
    })),
  ],
];

describe("the life of a review", () => {
  test("F22: one outcome per action for ever; refusals change nothing; permits exactly for what was approved", () => {
    fc.assert(lifeOfReview(transition), { numRuns: 400 });
  });

  test.each(faults)("the property catches a rule that %s", (_name, rule) => {
    expect(() => fc.assert(lifeOfReview(rule), { numRuns: 400, seed: 1 })).toThrow(
      "Property failed",
    );
  });
});
