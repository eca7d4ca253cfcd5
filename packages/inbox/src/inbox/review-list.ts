import type { Client, Failure, ReviewsQuery } from "@holdpoint/client";
import type { ReviewId, ReviewView } from "@holdpoint/core";
import { type Store, createStore } from "../state/store.ts";
import { isFinal } from "../review/is-final.ts";
import { fetchReviews } from "./fetch-reviews.ts";
import { type ListedReview, mergeReviews } from "./merge-reviews.ts";

/** Whether what is shown is up to date, and if not, why. */
export type Connection =
  | { readonly type: "online" }
  | { readonly type: "unreachable" }
  | { readonly type: "refused"; readonly message: string };

/** What a list shows. `loading` only until the first answer; a failure later keeps what is shown. */
export type ReviewListState =
  | { readonly status: "loading"; readonly connection: Connection }
  | {
      readonly status: "ready";
      readonly connection: Connection;
      readonly rows: readonly ListedReview[];
      /** The review whose card is opened, and which therefore keeps its place. */
      readonly opened: ReviewId | undefined;
      /** New reviews that wait until the opened one is closed. */
      readonly held: number;
      /** How many reviews the list is known to have; `more` when there are further ones. */
      readonly count: number;
      readonly more: boolean;
    };

/** One list of reviews, kept up to date by calling `refresh`. */
export type ReviewList = Pick<Store<ReviewListState>, "get" | "subscribe"> & {
  readonly refresh: () => Promise<void>;
  readonly loadMore: () => Promise<void>;
  readonly setOrder: (order: ReviewsQuery["order"]) => void;
  /** Opens the card of one review, or closes it with `undefined`. */
  readonly open: (id: ReviewId | undefined) => void;
  /** Takes in a review as an answer to a decision gave it, ahead of the next refresh. */
  readonly replace: (review: ReviewView) => void;
};

/** What a list is made of. */
export type ReviewListOptions = {
  readonly client: Pick<Client, "reviews" | "review">;
  readonly status: ReviewsQuery["status"];
  readonly order: ReviewsQuery["order"];
  readonly pageSize: number;
  /** Called when the server answers that nobody is signed in. */
  readonly onSignedOut: () => void;
};

const online: Connection = { type: "online" };

/** Makes a list; nothing is asked before the first `refresh`. */
export function createReviewList(options: ReviewListOptions): ReviewList {
  const { client, status, pageSize, onSignedOut } = options;
  const store = createStore<ReviewListState>({ status: "loading", connection: online });
  let order = options.order;
  let opened: ReviewId | undefined;
  let latest: readonly ReviewView[] = [];
  let next: string | undefined;
  // One request at a time: a page that is being added must not be lost to a refresh begun before it.
  let queue: Promise<void> = Promise.resolve();

  function inTurn(task: () => Promise<void>): Promise<void> {
    queue = queue.then(task);
    return queue;
  }

  function show(): void {
    const before = store.get();
    const merged = mergeReviews(before.status === "ready" ? before.rows : [], latest, opened);
    store.set({
      status: "ready",
      connection: online,
      ...merged,
      opened,
      count: latest.length,
      more: next !== undefined,
    });
  }

  function fail(failure: Failure): void {
    if (failure.type === "refused" && failure.refusal.code === "unauthorized") return onSignedOut();
    const connection: Connection =
      failure.type === "refused"
        ? { type: "refused", message: failure.refusal.message }
        : { type: "unreachable" };
    store.set({ ...store.get(), connection });
  }

  async function take(count: number): Promise<void> {
    const asked = order;
    const answer = await fetchReviews(client, { status, order }, count);
    if (asked !== order) return;
    if (answer.type !== "ok") return fail(answer);
    latest = keepUnchanged(latest, answer.reviews);
    next = answer.next;
    show();
    await followOpened();
  }

  /** The opened review left the list: the card has to say who decided, and what came of the call. */
  async function followOpened(): Promise<void> {
    const state = store.get();
    if (state.status !== "ready") return;
    const row = state.rows.find(({ review }) => review.id === opened);
    if (row === undefined || !row.left || isFinal(row.review)) return;
    const reply = await client.review(row.review.id);
    if (reply.type === "ok") replace(reply.value);
  }

  function replace(review: ReviewView): void {
    const state = store.get();
    if (state.status !== "ready") return;
    const rows = state.rows.map((row) => (row.review.id === review.id ? { ...row, review } : row));
    store.set({ ...state, rows });
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    refresh: () => inTurn(() => take(Math.max(pageSize, latest.length))),
    loadMore: () => inTurn(() => take(latest.length + pageSize)),
    setOrder(changed) {
      if (changed === order) return;
      order = changed;
      opened = undefined;
      latest = [];
      store.set({ status: "loading", connection: store.get().connection });
    },
    open(id) {
      opened = id;
      if (store.get().status === "ready") show();
    },
    replace,
  };
}

// A card being filled in is not rendered again for an answer that says nothing new.
function keepUnchanged(
  before: readonly ReviewView[],
  after: readonly ReviewView[],
): readonly ReviewView[] {
  const known = new Map(before.map((review) => [review.id, review]));
  return after.map((review) => {
    const same = known.get(review.id);
    return same !== undefined && JSON.stringify(same) === JSON.stringify(review) ? same : review;
  });
}
