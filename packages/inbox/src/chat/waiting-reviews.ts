import type { Client } from "@holdpoint/client";
import type { ReviewId, ReviewView } from "@holdpoint/core";
import { fetchReviews } from "../inbox/fetch-reviews.ts";
import { isFinal } from "../review/is-final.ts";
import { type Store, createStore } from "../state/store.ts";
import { firstNotOwn, type SentDecisions } from "./own-decisions.ts";

/** The id of the last message of a conversation, and of the last one that the person wrote. */
export type LastMessages = {
  readonly message: string | undefined;
  readonly request: string | undefined;
};

/**
 * Who settled a review. What was decided here leaves once the conversation has gone on since the
 * decision was sent; what somebody else decided stays until the person goes on, so that it can be read.
 */
type SettledBy = "here" | "elsewhere";

type Named = { readonly reviewId: ReviewId };

/**
 * One review of this thread, named by an interrupt or found open.
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
  readonly name: (named: readonly ReviewId[]) => void;
  /** Reads every review on screen that can still change, and looks for others where there may be some. */
  readonly refresh: () => Promise<void>;
  /** Tells the interrupts that name no review: what a tool asks by itself is opened as one under its interrupt. */
  readonly unnamed: (interruptIds: readonly string[]) => void;
  /** Those of them under which no review was found. */
  readonly unanswerable: Pick<Store<readonly string[]>, "get" | "subscribe">;
  /** Tells whether a run is on: a call may then be held long before the stream names its interrupt. */
  readonly running: (isRunning: boolean) => void;
  /** Remembers how far the conversation was when decisions were sent from here. */
  readonly sending: (review: ReviewView, sent: SentDecisions) => void;
  /** Takes in a review as it stands after an answer was sent from here. */
  readonly take: (review: ReviewView, by: SettledBy) => void;
  /** Tells how far the conversation is; settled cards leave when it goes on. */
  readonly reached: (last: LastMessages) => void;
};

/** What the reviews of one thread are followed with. */
export type WaitingReviewsOptions = {
  readonly client: Pick<Client, "review" | "reviews">;
  /** Absent while the conversation has no thread. */
  readonly threadId: string | undefined;
  readonly onSignedOut: () => void;
  /** The present moment in milliseconds. */
  readonly now?: () => number;
};

/** The newest open reviews, of all threads, among which those of this thread are looked for. */
const searchedReviews = 100;

/** How long the stream has to name a review that was found, so that it is answered over the stream. */
const streamGraceMs = 1000;

type Sent = SentDecisions & { readonly seen: string | undefined };

/** Makes the store of one thread; nothing is asked before the first `refresh`. */
export function createWaitingReviews(options: WaitingReviewsOptions): WaitingReviews {
  const { client, threadId, onSignedOut, now = Date.now } = options;
  const store = createStore<readonly WaitingReview[]>([]);
  const unanswerable = createStore<readonly string[]>([]);
  const sentFor = new Map<ReviewId, Sent>();
  let last: LastMessages = { message: undefined, request: undefined };
  let isRunning = false;
  let unnamed: ReadonlySet<string> = new Set();
  let foundAt: ReadonlyMap<ReviewId, number> = new Map();

  function change(id: ReviewId, next: (entry: WaitingReview) => WaitingReview): void {
    const before = store.get();
    const after = before.map((entry) => (entry.reviewId === id ? leave(next(entry), last) : entry));
    if (after.some((entry, index) => entry !== before[index])) store.set(after);
  }

  function settle(review: ReviewView, by: SettledBy): void {
    const leaving: Leaving =
      by === "here"
        ? { leavesAfter: "message", seen: (sentFor.get(review.id) ?? { seen: last.message }).seen }
        : { leavesAfter: "request", seen: last.request };
    change(review.id, (entry) => afterReading(entry, { review, leaving, isAnswer: by === "here" }));
  }

  /** A reading that comes before the answer to one's own decision already shows who made it. */
  function takeReading(review: ReviewView): void {
    const sent = sentFor.get(review.id);
    const isOwn = sent !== undefined && firstNotOwn(review, sent) === undefined;
    settle(review, isOwn ? "here" : "elsewhere");
  }

  async function read(id: ReviewId): Promise<void> {
    const reply = await client.review(id);
    if (reply.type === "ok") return takeReading(reply.value);
    if (reply.type === "unreachable") return;
    const { code, message } = reply.refusal;
    if (code === "unauthorized") return onSignedOut();
    change(id, (entry) => {
      if (entry.status !== "loading") return entry;
      return code === "review_not_found" ? pastOf(entry) : { ...entry, problem: message };
    });
  }

  function add(entries: readonly WaitingReview[]): void {
    const known = new Set(store.get().map(({ reviewId }) => reviewId));
    const added = entries.filter(({ reviewId }) => !known.has(reviewId));
    if (added.length > 0) store.set([...store.get(), ...added]);
  }

  async function findOthers(): Promise<void> {
    if ((!isRunning && unnamed.size === 0) || threadId === undefined) return;
    const list = { status: "open", order: "newest" } as const;
    const reply = await fetchReviews(client, list, searchedReviews);
    if (reply.type !== "ok") return;
    const found = reply.reviews.filter((review) => review.threadId === threadId).toReversed();
    foundAt = new Map(found.map(({ id }) => [id, foundAt.get(id) ?? now()]));
    const isOverdue = ({ id }: ReviewView): boolean =>
      isRunning && now() - (foundAt.get(id) ?? now()) >= streamGraceMs;
    const shown = found.filter((review) => unnamed.has(review.interruptId) || isOverdue(review));
    add(shown.map((review) => ({ reviewId: review.id, status: "open", review })));
    note([...unnamed].filter((id) => !isKnown(id)));
  }

  function isKnown(interruptId: string): boolean {
    return store
      .get()
      .some((entry) => entry.status !== "loading" && entry.review?.interruptId === interruptId);
  }

  function note(interruptIds: readonly string[]): void {
    const before = unanswerable.get();
    if (interruptIds.join() !== before.join()) unanswerable.set(interruptIds);
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    name(named) {
      add(named.map((reviewId) => ({ reviewId, status: "loading", problem: undefined })));
    },
    unnamed(interruptIds) {
      unnamed = new Set(interruptIds);
      note(unanswerable.get().filter((id) => unnamed.has(id)));
    },
    unanswerable,
    async refresh() {
      const changing = store.get().filter(canChange);
      await Promise.all([findOthers(), ...changing.map(({ reviewId }) => read(reviewId))]);
    },
    running(is) {
      isRunning = is;
    },
    sending(review, sent) {
      sentFor.set(review.id, { ...sent, seen: last.message });
    },
    take(review, by) {
      if (by === "elsewhere") sentFor.delete(review.id);
      settle(review, by);
    },
    reached(reached) {
      last = reached;
      for (const { reviewId } of store.get()) change(reviewId, (entry) => entry);
    },
  };
}

type Leaving = Pick<Extract<WaitingReview, { status: "settled" }>, "leavesAfter" | "seen">;

type Reading = {
  readonly review: ReviewView;
  /** When the card leaves, if the review is settled. */
  readonly leaving: Leaving;
  /** Whether this is known to be what was decided here, whatever was thought before. */
  readonly isAnswer: boolean;
};

function afterReading(entry: WaitingReview, reading: Reading): WaitingReview {
  const { review, leaving, isAnswer } = reading;
  const { reviewId } = entry;
  switch (entry.status) {
    case "loading":
      return review.status === "open"
        ? { reviewId, status: "open", review }
        : { reviewId, status: "past", review };
    case "open":
      if (review.status !== "open") return { reviewId, status: "settled", review, ...leaving };
      return isSame(entry.review, review) ? entry : { reviewId, status: "open", review };
    // Readings may arrive out of order: what is settled stays settled.
    case "settled":
      if (review.status === "open") return entry;
      if (isAnswer) return { reviewId, status: "settled", review, ...leaving };
      return isSame(entry.review, review) ? entry : { ...entry, review };
    case "past":
      return entry;
    default:
      return entry satisfies never;
  }
}

/** The entry, or its past when the conversation has gone on since. */
function leave(entry: WaitingReview, last: LastMessages): WaitingReview {
  return entry.status === "settled" && entry.seen !== last[entry.leavesAfter]
    ? pastOf(entry)
    : entry;
}

function isSame(left: ReviewView, right: ReviewView): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

function pastOf(entry: WaitingReview): WaitingReview {
  const review = entry.status === "loading" ? undefined : entry.review;
  return { reviewId: entry.reviewId, status: "past", review };
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
