import type { Client } from "@holdpoint/client";
import type { ReviewId, ReviewView } from "@holdpoint/core";
import { type Store, createStore } from "../state/store.ts";
import { isFinal } from "./is-final.ts";

/** One review as it is known: `missing` when the server has none under this id. */
export type WatchedReviewState =
  | { readonly status: "loading"; readonly reachable: boolean }
  | { readonly status: "found"; readonly reachable: boolean; readonly review: ReviewView }
  | { readonly status: "missing" }
  | { readonly status: "refused"; readonly message: string };

/** One review, kept up to date by calling `refresh`. */
export type WatchedReview = Pick<Store<WatchedReviewState>, "get" | "subscribe"> & {
  readonly refresh: () => Promise<void>;
  /** Takes in a review as an answer to a decision gave it. */
  readonly replace: (review: ReviewView) => void;
};

/** Makes the watch of one review; nothing is asked before the first `refresh`, nor once it is final. */
export function watchReview(
  client: Pick<Client, "review">,
  id: ReviewId,
  onSignedOut: () => void,
): WatchedReview {
  const store = createStore<WatchedReviewState>({ status: "loading", reachable: true });

  function replace(review: ReviewView): void {
    const before = store.get();
    const same =
      before.status === "found" && JSON.stringify(before.review) === JSON.stringify(review);
    if (same && before.reachable) return;
    store.set({ status: "found", reachable: true, review: same ? before.review : review });
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    replace,
    async refresh() {
      const before = store.get();
      if (before.status === "found" && isFinal(before.review)) return;
      const reply = await client.review(id);
      if (reply.type === "ok") return replace(reply.value);
      if (reply.type === "unreachable") {
        const state = store.get();
        if ("reachable" in state) store.set({ ...state, reachable: false });
        return;
      }
      const { code, message } = reply.refusal;
      if (code === "unauthorized") onSignedOut();
      else if (code === "review_not_found" || code === "not_found")
        store.set({ status: "missing" });
      else if (store.get().status !== "found") store.set({ status: "refused", message });
    },
  };
}
