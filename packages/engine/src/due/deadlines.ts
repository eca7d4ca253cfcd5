// Deadlines are rows of reviews. No row is claimed: expiring a review is one short transaction, the same
// compare-and-set as a decision, so of several processes and of a person who decides exactly one is first.
import { type Review, type ReviewId, transition } from "@holdpoint/core";
import { saveReviews } from "../reviews/save-review.ts";
import type { Storage, Writing } from "../storage/storage.ts";
import { startDueTimer } from "./due-timer.ts";

/** How many reviews are expired in one transaction, so that nobody who decides waits long for it. */
const perTransaction = 50;
/** So many that cannot be expired are passed over at a time; more means that the database is unwell. */
const failuresAtMost = 20;

/** Expires reviews whose deadline has passed. */
export type Deadlines = {
  /** Expires all that are overdue by now, besides the timer; returns how many it was. */
  readonly expire: () => Promise<number>;
};

/** The same while it runs by itself. */
export type RunningDeadlines = Deadlines & {
  /** Looks at once, instead of when the next known deadline is due. */
  readonly wake: () => void;
  readonly stop: () => Promise<void>;
};

/** Starts the timer. `expired` is told of the reviews of each transaction after its commit. */
export function startDeadlines(
  storage: Storage,
  expired: (reviews: readonly Review[]) => void,
): RunningDeadlines {
  const expire = async (): Promise<number> => {
    let total = 0;
    let limit = perTransaction;
    const failed = new Map<ReviewId, unknown>();
    for (;;) {
      const { overdue, reviews, error } = await expireSome(storage, limit, [...failed.keys()]);
      expired(reviews);
      total += reviews.length;
      const [first, ...others] = overdue;
      if (error !== undefined) {
        if (first === undefined || failed.size === failuresAtMost) throw error;
        if (others.length === 0) failed.set(first, error);
        limit = 1; // the one that cannot be expired must not hold up the others
      } else if (overdue.length < limit) break;
    }
    for (const [id, cause] of failed)
      throw new Error(`Review ${id} is overdue and could not be expired`, { cause });
    return total;
  };
  const timer = startDueTimer("Expiring reviews", async () => {
    const { now, next } = await storage.read(async (reading) => ({
      now: reading.now,
      next: await reading.nextDeadline(),
    }));
    if (next === undefined) return undefined;
    if (next <= now) await expire();
    return next <= now ? undefined : Date.parse(next) - Date.parse(now);
  });
  return { expire, ...timer };
}

type Expired = {
  /** What was found overdue; with an error, none of it was expired. */
  readonly overdue: readonly ReviewId[];
  readonly reviews: readonly Review[];
  readonly error?: unknown;
};

async function expireSome(
  storage: Storage,
  limit: number,
  except: readonly ReviewId[],
): Promise<Expired> {
  let overdue: readonly ReviewId[] = [];
  try {
    const reviews = await storage.write(async (writing) => {
      overdue = await writing.overdueReviews(limit, except);
      return expireThese(writing, overdue);
    });
    return { overdue, reviews };
  } catch (error) {
    return { overdue, reviews: [], error };
  }
}

async function expireThese(
  writing: Writing,
  overdue: readonly ReviewId[],
): Promise<readonly Review[]> {
  const stored = await writing.findReviews(overdue);
  const changes = overdue.flatMap((id) => {
    const before = stored.get(id);
    if (before === undefined) return [];
    const change = transition(before, { type: "expire" }, writing.now);
    return change.type === "changed"
      ? [{ before, after: change.review, effects: change.effects }]
      : [];
  });
  await saveReviews(writing, changes);
  return changes.map(({ after }) => after);
}
