import { decisionTypes } from "../contract/decision.ts";
import type { Reviewer } from "../contract/review-view.ts";
import { digestCall } from "../digest.ts";
import type { JsonObject } from "../plain-json.ts";
import type { Action, Review } from "../review/review.ts";

/** A moment to decide at. */
export const noon = "2026-11-30T12:00:00.000Z";

/** People who decide. */
export const anna: Reviewer = { id: "anna", name: "Anna" };
export const ben: Reviewer = { id: "ben", name: "Ben" };

/** The schema of the tool in `anAction`. */
export const mailSchema: JsonObject = {
  type: "object",
  properties: { to: { type: "string" }, copies: { type: "integer", maximum: 3 } },
  required: ["to"],
};

/** An open action that sends a mail; `number` makes its ids unique in its review. */
export function anAction(number = 1, overrides: Partial<Action> = {}): Action {
  const call = overrides.call ?? { name: "send_email", args: { to: `person-${number}@b.c` } };
  return {
    id: `act_${number}`,
    toolCallId: `call-${number}`,
    call,
    argsSchema: mailSchema,
    digest: digestCall({ ...call, argsSchema: mailSchema }),
    allowedDecisions: decisionTypes,
    rule: "interruptOn.send_email",
    reason: "send_email always asks a person first.",
    reasonCode: "always",
    state: { status: "open" },
    ...overrides,
  };
}

/** An open review of these actions. */
export function aReview(actions: readonly Action[], overrides: Partial<Review> = {}): Review {
  return {
    id: "rev_1",
    version: 1,
    threadId: "thread-1",
    agent: "mailer",
    turnId: "turn-1",
    interruptId: "interrupt-1",
    raised: { taskId: "task_1", round: 0, votes: 0 },
    cause: "policy",
    createdAt: "2026-11-30T11:00:00.000Z",
    actions,
    state: { status: "open" },
    ...overrides,
  };
}
