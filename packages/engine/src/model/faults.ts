import { isOverdue, type Review } from "@holdpoint/core";
import { later } from "../clock.ts";
import type { StoredPermit, Writing } from "../storage/storage.ts";
import type { Sabotage } from "./database.ts";

type Change = (writing: Writing) => Partial<Writing>;

/** An engine whose transactions are made so. */
function made(make: (writing: Writing) => Writing): Sabotage {
  return (storage) => {
    const { write } = storage;
    Object.assign(storage, {
      write: <Result>(work: (writing: Writing) => Promise<Result>) =>
        write((writing) => work(make(writing))),
    });
  };
}

/** An engine whose transactions do one thing differently. */
function faulty(change: Change): Sabotage {
  return made((writing) => ({ ...writing, ...change(writing) }));
}

/** One whose transactions do something differently once they look for what is overdue, or until they do. */
function expiring({
  after,
  before,
}: {
  readonly after?: Change;
  readonly before?: Change;
}): Sabotage {
  return made((writing) => {
    const own: Writing = {
      ...writing,
      ...before?.(writing),
      overdueReviews: (...asked) => {
        Object.assign(own, writing, after?.(writing));
        return writing.overdueReviews(...asked);
      },
    };
    return own;
  });
}

/** The permit of a tool that has succeeded, as if it waited for an answer. */
function asUnfinished(found: StoredPermit): StoredPermit {
  if (found.permit.state.status !== "succeeded") return found;
  return { ...found, permit: { ...found.permit, state: { status: "suspended", startedAt: "" } } };
}

/** The review as it was before anybody decided. */
function undecided(review: Review): Review {
  const actions = review.actions.map((action) => ({
    ...action,
    state: { status: "open" as const },
  }));
  return { ...review, actions, state: { status: "open" } };
}

/** Takes nothing for decided. */
const overlooking: Change = ({ findReviews }) => ({
  findReviews: async (ids) => {
    const found = await findReviews(ids);
    return new Map([...found].map(([id, review]) => [id, undecided(review)]));
  },
});

/** The review as it would be with a deadline that is still to come. */
function prolonged(review: Review, now: string): Review {
  if (review.deadline === undefined || !isOverdue(review, now)) return review;
  return { ...review, deadline: { ...review.deadline, at: later(now, 1) } };
}

/** Engines that do one thing wrong, each by what it does, and where it is seen to differ from the model. */
export const faults: readonly (readonly [string, Sabotage, said: RegExp])[] = [
  [
    "lets a used permit be started again",
    faulty(({ findPermits }) => ({
      findPermits: async (ids) =>
        new Map([...(await findPermits(ids))].map(([id, found]) => [id, asUnfinished(found)])),
    })),
    /^(started|audit)/,
  ],
  [
    "forgets which event came before",
    faulty(() => ({ lastAuditsOf: () => Promise.resolve(new Map()) })),
    /^UNIQUE .* audit_events|could not be expired$/,
  ],
  ["goes by a clock of its own", faulty(({ now }) => ({ now: later(now, 1) })), /./],
  [
    "forgets to continue the thread",
    faulty(() => ({ insertRuns: () => Promise.resolve() })),
    /^claimed/,
  ],
  [
    "issues no permit for the second of two actions",
    faulty(({ insertPermits }) => ({
      insertPermits: (permits) => insertPermits(permits.slice(0, 1)),
    })),
    /^(fold|permit) of/,
  ],
  [
    "forgets the leases of a process that is alive",
    faulty(({ savePermits }) => ({
      savePermits: (saves) => savePermits(saves.map((save) => ({ ...save, lease: undefined }))),
    })),
    /^lease on/,
  ],
  [
    "decides over what another process has just decided",
    faulty(overlooking),
    /^(decided|review rev_|UNIQUE .* permits)/,
  ],
  [
    "forgets what is overdue",
    faulty(() => ({ overdueReviews: () => Promise.resolve([]) })),
    /^review rev_/,
  ],
  [
    "takes a decision that comes at the very deadline",
    expiring({
      before: ({ findReviews, now }) => ({
        findReviews: async (ids) => {
          const found = await findReviews(ids);
          return new Map([...found].map(([id, review]) => [id, prolonged(review, now)]));
        },
      }),
    }),
    /^decided/,
  ],
  [
    "expires over what somebody has decided",
    expiring({ after: overlooking }),
    /^(review|fold|audit)/,
  ],
  [
    "forgets to continue a thread whose review expired",
    expiring({ after: () => ({ insertRuns: () => Promise.resolve() }) }),
    /^claimed/,
  ],
  [
    "tells nobody that a review expired",
    expiring({ after: () => ({ insertDeliveries: () => Promise.resolve() }) }),
    /^(told|next review.settled)/,
  ],
  [
    "lets a consumer end what another process has taken over",
    faulty(({ settleDelivery, findDelivery }) => ({
      settleDelivery: async (claimed, settled) =>
        settleDelivery((await findDelivery(claimed.id)) ?? claimed, settled),
    })),
    /^(next )?review\.\w+/,
  ],
  [
    "tells again although the lease holds",
    faulty(({ claimDeliveries, now }) => ({
      claimDeliveries: (topic, lease, limit) =>
        claimDeliveries(topic, { ...lease, until: now }, limit),
    })),
    /^told/,
  ],
  [
    "never frees what a dead process has",
    faulty(() => ({ expireLeases: () => Promise.resolve() })),
    /^(next )?review\.\w+|^lease on/,
  ],
  [
    "tells again at once what has just failed",
    faulty(({ settleDelivery, now }) => ({
      settleDelivery: (claimed, settled) => settleDelivery(claimed, { ...settled, dueAt: now }),
    })),
    /^told/,
  ],
  [
    "forgets how often it tried",
    faulty(({ settleDelivery }) => ({
      settleDelivery: (claimed, settled) =>
        settleDelivery(claimed, { ...settled, attempts: Math.min(settled.attempts, 1) }),
    })),
    /^review\.\w+ of/,
  ],
  [
    "forgets a delivery that is stuck",
    faulty(({ settleDelivery }) => ({
      settleDelivery: (claimed, settled) =>
        settleDelivery(
          claimed,
          settled.status === "stuck" ? { ...settled, status: "delivered" } : settled,
        ),
    })),
    /^review\.\w+ of/,
  ],
  [
    "does not redrive",
    faulty(() => ({ redriveDelivery: () => Promise.resolve(true) })),
    /^redriven/,
  ],
];
