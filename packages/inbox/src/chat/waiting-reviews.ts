import type { Client } from "@holdpoint/client";
import type { ReviewId, ReviewView } from "@holdpoint/core";
import { isFinal } from "../review/is-final.ts";
import { type Store, createStore } from "../state/store.ts";

/** The id of the last message of a conversation, and of the last one that the person wrote. */
export type LastMessages = {
  readonly message: string | undefined;
  readonly request: string | undefined;
};

/**
 * Who settled a review. What was decided here may leave with the next message; what somebody else
 * decided stays until the person goes on, so that it can be read.
 */
type SettledBy = "here" | "elsewhere";

type Named = { readonly interruptId: string; readonly reviewId: ReviewId };

/**
 * One review that an interrupt of this thread named.
 * loading → open → settled → past; or loading → past, when it was settled before the page saw it:
 * older streams go on naming interrupts that were answered elsewhere.
 */
export type WaitingReview =
  /** `problem` is the server's sentence when it could not give the review. */
  | (Named & { readonly status: "loading"; readonly problem: string | undefined })
  | (Named & { readonly status: "open"; readonly review: ReviewView })
  /** Still on screen with its outcome, until something else than `seen` is the last of its kind. */
  | (Named & {
      readonly status: "settled";
      readonly review: ReviewView;
      readonly leavesAfter: keyof LastMessages;
      readonly seen: string | undefined;
    })
  | (Named & { readonly status: "past"; readonly review: ReviewView | undefined });

/** The reviews of one thread, as its page knows them. */
export type WaitingReviews = Pick<Store<readonly WaitingReview[]>, "get" | "subscribe"> & {
  /** Adds the reviews that the thread's interrupts name; known ones stay as they are. */
  readonly name: (named: readonly Named[]) => void;
  /** Reads every review on screen that can still change. */
  readonly refresh: () => Promise<void>;
  /** Takes in a review as it stands after an answer was sent from here. */
  readonly take: (review: ReviewView, by: SettledBy) => void;
  /** Tells how far the conversation is; settled cards leave when it goes on. */
  readonly reached: (last: LastMessages) => void;
};

/** Makes the store of one thread; nothing is asked before the first `refresh`. */
export function createWaitingReviews(
  client: Pick<Client, "review">,
  onSignedOut: () => void,
): WaitingReviews {
  const store = createStore<readonly WaitingReview[]>([]);
  let last: LastMessages = { message: undefined, request: undefined };

  function change(id: ReviewId, next: (entry: WaitingReview) => WaitingReview): void {
    const before = store.get();
    const after = before.map((entry) => (entry.reviewId === id ? next(entry) : entry));
    if (after.some((entry, index) => entry !== before[index])) store.set(after);
  }

  function take(review: ReviewView, by: SettledBy): void {
    change(review.id, (entry) => afterReading(entry, { review, by, last }));
  }

  async function read(id: ReviewId): Promise<void> {
    const reply = await client.review(id);
    if (reply.type === "ok") return take(reply.value, "elsewhere");
    if (reply.type === "unreachable") return;
    const { code, message } = reply.refusal;
    if (code === "unauthorized") return onSignedOut();
    change(id, (entry) => {
      if (entry.status !== "loading") return entry;
      return code === "review_not_found" ? pastOf(entry) : { ...entry, problem: message };
    });
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    take,
    name(named) {
      const known = new Set(store.get().map(({ reviewId }) => reviewId));
      const added = named.filter(({ reviewId }) => !known.has(reviewId));
      if (added.length === 0) return;
      const loading = { status: "loading", problem: undefined } as const;
      store.set([...store.get(), ...added.map((entry) => ({ ...entry, ...loading }))]);
    },
    async refresh() {
      await Promise.all(
        store
          .get()
          .filter(canChange)
          .map(({ reviewId }) => read(reviewId)),
      );
    },
    reached(reached) {
      last = reached;
      for (const entry of store.get()) {
        if (entry.status === "settled" && entry.seen !== last[entry.leavesAfter]) {
          change(entry.reviewId, pastOf);
        }
      }
    },
  };
}

type Reading = {
  readonly review: ReviewView;
  readonly by: SettledBy;
  readonly last: LastMessages;
};

function afterReading(entry: WaitingReview, { review, by, last }: Reading): WaitingReview {
  const { interruptId, reviewId } = entry;
  const named = { interruptId, reviewId };
  const leaving =
    by === "here"
      ? ({ leavesAfter: "message", seen: last.message } as const)
      : ({ leavesAfter: "request", seen: last.request } as const);
  switch (entry.status) {
    case "loading":
      return review.status === "open"
        ? { ...named, status: "open", review }
        : { ...named, status: "past", review };
    case "open":
      if (review.status !== "open") return { ...named, status: "settled", review, ...leaving };
      return isSame(entry.review, review) ? entry : { ...named, status: "open", review };
    // Readings may arrive out of order: what is settled stays settled.
    case "settled":
      if (review.status === "open") return entry;
      if (by === "here") return { ...named, status: "settled", review, ...leaving };
      return isSame(entry.review, review) ? entry : { ...entry, review };
    case "past":
      return entry;
    default:
      return entry satisfies never;
  }
}

function isSame(left: ReviewView, right: ReviewView): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function pastOf(entry: WaitingReview): WaitingReview {
  const { interruptId, reviewId } = entry;
  const review = entry.status === "loading" ? undefined : entry.review;
  return { interruptId, reviewId, status: "past", review };
}

function canChange(entry: WaitingReview): boolean {
  switch (entry.status) {
    case "loading":
    case "open":
      return true;
    case "settled":
      return !isFinal(entry.review);
    case "past":
      return false;
    default:
      return entry satisfies never;
  }
}
