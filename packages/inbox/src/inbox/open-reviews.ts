import { client } from "../client.ts";
import { session } from "../session/session.ts";
import { useStore } from "../state/use-store.ts";
import { rememberedOrder } from "./order-memory.ts";
import { createReviewList } from "./review-list.ts";

/** The open reviews, shared by the inbox and the header. */
export const openReviews = createReviewList({
  client,
  status: "open",
  order: rememberedOrder("open"),
  pageSize: 25,
  onSignedOut: session.signedOut,
});

/** The settled reviews. */
export const settledReviews = createReviewList({
  client,
  status: "settled",
  order: rememberedOrder("settled"),
  pageSize: 25,
  onSignedOut: session.signedOut,
});

/** How many reviews are open, such as "3" or "25+"; `undefined` when none or not known. */
export function useOpenCount(): string | undefined {
  const state = useStore(openReviews);
  if (state.status !== "ready" || state.count === 0) return undefined;
  return state.more ? `${state.count}+` : String(state.count);
}
