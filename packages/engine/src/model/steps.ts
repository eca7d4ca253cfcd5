import type { ActionId, Decision, Review, ReviewDraft, Reviewer } from "@holdpoint/core";
import fc from "fast-check";
import type { DecideRequest } from "../reviews/decide-request.ts";
import { anna, ben } from "../testing/review-draft.ts";
import {
  type Database,
  expectSame,
  isSame,
  type ProcessName,
  processes,
  verifyReview,
} from "./database.ts";
import * as pure from "./model.ts";

/** What the commands need to know before they run; the databases have models of their own. */
export type Known = { readonly drafts: ReviewDraft[] };

/** One step on every database, checked against its model. */
export type Command = fc.AsyncCommand<Known, readonly Database[]>;

type Step = (database: Database, review: Review) => Promise<unknown>;

/** Few things, so that much happens to each; one place in a review is that of nobody. */
export const aPick = fc.constantFrom(0, 0, 0, 1, 2);
export const aPlace = fc.constantFrom(0, 0, 0, 1, 2);
export const aProcess = fc.constantFrom(...processes);
export const aReviewer: fc.Arbitrary<Reviewer> = fc.constantFrom(anna, ben);
const aDecision: fc.Arbitrary<Decision> = fc.oneof(
  { arbitrary: fc.constant<Decision>({ type: "approve" }), weight: 4 },
  fc.constantFrom<Decision>({ type: "reject" }, { type: "reject", message: "no" }),
  fc.constant<Decision>({ type: "respond", message: "later" }),
  fc.constantFrom("c@d.e", 7).map(
    (to): Decision => ({ type: "edit", editedAction: { name: "send_email", args: { to } } }), // 7 is refused
  ),
);
const aPickOf = fc.record({ action: aPlace, decision: aDecision });
export const decisions = fc.oneof(
  { arbitrary: fc.tuple(aPickOf), weight: 5 },
  { arbitrary: fc.array(aPickOf, { maxLength: 3 }), weight: 1 },
  { arbitrary: aDecision.map((decision) => [{ action: "all", decision } as const]), weight: 3 },
);

/** A step on one of the last reviews, if there is one. */
export function onReview(text: string, pick: number, step: Step): Command {
  return {
    check: ({ drafts }) => drafts.length > 0,
    run: async ({ drafts }, databases) => {
      const { id } = drafts.at(-1 - (pick % drafts.length)) ?? { id: "rev_none" as const };
      for (const database of databases) {
        const review = database.model.reviews.get(id);
        if (review === undefined) throw new Error("Every draft was opened.");
        await step(database, review);
        await verifyReview(database, id);
      }
    },
    toString: () => text,
  };
}

/** The action at a place, or one that there is not. */
export function actionAt(review: Review, place: number): ActionId {
  return review.actions[place]?.id ?? "act_none";
}

/** A decision of an action by its place in the review, or of each. */
export type Pick = { readonly action: number | "all"; readonly decision: Decision };

/** The request that comes to these decisions. */
export function requestOf(
  review: Review,
  picks: readonly Pick[],
  reviewer: Reviewer,
): DecideRequest {
  const named = picks.flatMap(({ action, decision }) =>
    (action === "all" ? review.actions.map((_one, place) => place) : [action]).map((place) => ({
      actionId: actionAt(review, place),
      decision,
    })),
  );
  return { reviewId: review.id, decisions: named, reviewer };
}

/** A step that concerns no review. */
export function step(text: string, run: (database: Database) => Promise<void>): Command {
  return {
    check: () => true,
    run: async (_known, databases) => {
      for (const database of databases) await run(database);
    },
    toString: () => text,
  };
}

/** How a history tells of decisions. */
export function text(picks: readonly Pick[]): string {
  return picks.map(({ action, decision }) => `${decision.type} ${action}`).join(", ") || "nothing";
}

/** What one process does, as the model would, and what becomes of it there. */
export type Order = (model: pure.Model) => unknown;

/** It must be as if things had happened in one of these orders; the model takes that one. */
export function expectOrder(
  database: Database,
  orders: readonly Order[],
  found: unknown,
  what: string,
): void {
  let nearest: unknown;
  for (const order of orders) {
    const model = structuredClone(database.model);
    nearest = order(model);
    if (!isSame(found, nearest)) continue;
    database.model = model;
    return;
  }
  expectSame(found, nearest, `${what}, in no order, in ${database.name}`);
}

/** Lets time pass, and a process expire what is overdue then; nobody else can have found anything else. */
export async function pass(
  database: Database,
  milliseconds: number,
  process: ProcessName,
): Promise<void> {
  database.advance(milliseconds);
  const expired = pure.expire(database.model);
  await expireAll(database, process);
  for (const id of expired) await verifyReview(database, id);
}

/** More looks than another process needs to end what it is about to expire; who passes it over does not wait. */
const looksAtMost = 1_000;

/** Has a process expire what is overdue, until nothing is: another may be at work on it meanwhile. */
export async function expireAll(database: Database, process: ProcessName): Promise<void> {
  const { deadlines, storage } = database.engine(process);
  for (let looks = 0; looks < looksAtMost; looks += 1) {
    await deadlines.expire();
    const isDone = await storage.read(async (reading) => {
      const next = await reading.nextDeadline();
      return next === undefined || next > reading.now;
    });
    if (isDone) return;
  }
}
