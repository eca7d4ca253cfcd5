import type { ActionId, ActionName, CallKey, Permit, Review, ReviewId } from "@holdpoint/core";

/** How many reviews a process remembers; an older one is taken back from its thread's checkpoints. */
const mostReviews = 10_000;

/** The reviews and permits of one process, found by every name they have. */
export type ReviewTable = {
  readonly save: (review: Review) => Review;
  readonly find: (id: ReviewId) => Review | undefined;
  readonly findOfCall: (key: CallKey) => Review | undefined;
  readonly findOfInterrupt: (threadId: string, interruptId: string) => Review | undefined;
  readonly findOfAction: (threadId: string, name: ActionName) => Review | undefined;
  readonly openOf: (threadId: string) => readonly Review[];
  readonly permit: (actionId: ActionId) => Permit | undefined;
  readonly savePermit: (permit: Permit) => void;
  /** Resolves at the next change of the permit. */
  readonly changed: (actionId: ActionId) => Promise<void>;
};

/** Creates an empty table. */
export function createReviewTable(): ReviewTable {
  const reviews = new Map<ReviewId, Review>();
  const byCall = new Map<string, ReviewId>();
  const byAction = new Map<string, ReviewId>();
  const byInterrupt = new Map<string, ReviewId>();
  const openByThread = new Map<string, Set<ReviewId>>();
  const permits = new Map<ActionId, Permit>();
  const waiting = new Map<ActionId, PromiseWithResolvers<void>>();

  const find = (id: ReviewId | undefined): Review | undefined =>
    id === undefined ? undefined : reviews.get(id);

  const noteOpen = (review: Review): void => {
    const ids = openByThread.get(review.threadId) ?? new Set();
    if (review.state.status === "open") {
      openByThread.set(review.threadId, ids.add(review.id));
      return;
    }
    ids.delete(review.id);
    if (ids.size === 0) openByThread.delete(review.threadId);
  };

  const forgetOldest = (): void => {
    const [[id, review] = []] = reviews;
    if (id === undefined || review === undefined) return;
    reviews.delete(id);
    openByThread.get(review.threadId)?.delete(id);
    byInterrupt.delete(nameOf(review.threadId, review.interruptId));
    for (const { id: actionId, toolCallId } of review.actions) {
      const name = nameOf(review.threadId, review.turnId, toolCallId);
      if (byCall.get(name) === id) byCall.delete(name);
      for (const one of namesOf(review.threadId, actionId, toolCallId))
        if (byAction.get(one) === id) byAction.delete(one);
      permits.delete(actionId);
    }
  };

  return {
    save: (review) => {
      const before = reviews.get(review.id);
      if (before !== undefined) byInterrupt.delete(nameOf(before.threadId, before.interruptId));
      reviews.set(review.id, review);
      byInterrupt.set(nameOf(review.threadId, review.interruptId), review.id);
      if (before === undefined) {
        if (reviews.size > mostReviews) forgetOldest();
        for (const { id, toolCallId } of review.actions) {
          byCall.set(nameOf(review.threadId, review.turnId, toolCallId), review.id);
          for (const one of namesOf(review.threadId, id, toolCallId)) byAction.set(one, review.id);
        }
      }
      noteOpen(review);
      return review;
    },
    find,
    findOfCall: ({ threadId, turnId, toolCallId }) =>
      find(byCall.get(nameOf(threadId, turnId, toolCallId))),
    findOfInterrupt: (threadId, interruptId) =>
      find(byInterrupt.get(nameOf(threadId, interruptId))),
    findOfAction: (threadId, { actionId, toolCallId }) =>
      find(
        byAction.get(
          actionId === undefined
            ? nameOf(threadId, "call", toolCallId ?? "")
            : nameOf(threadId, "action", actionId),
        ),
      ),
    openOf: (threadId) => [...(openByThread.get(threadId) ?? [])].flatMap((id) => find(id) ?? []),
    permit: (actionId) => permits.get(actionId),
    savePermit: (permit) => {
      permits.set(permit.actionId, permit);
      waiting.get(permit.actionId)?.resolve();
      waiting.delete(permit.actionId);
    },
    changed: (actionId) => {
      const waits = waiting.get(actionId) ?? Promise.withResolvers<void>();
      waiting.set(actionId, waits);
      return waits.promise;
    },
  };
}

function namesOf(threadId: string, actionId: ActionId, toolCallId: string): readonly string[] {
  return [nameOf(threadId, "action", actionId), nameOf(threadId, "call", toolCallId)];
}

function nameOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}
