import type { ReviewsQuery } from "@holdpoint/client";

type Order = ReviewsQuery["order"];

/** The order that this browser last chose for a list; newest first until one was chosen. */
export function rememberedOrder(status: ReviewsQuery["status"]): Order {
  try {
    return localStorage.getItem(keyOf(status)) === "oldest" ? "oldest" : "newest";
  } catch {
    return "newest"; // storage is switched off
  }
}

/** Remembers the order of a list in this browser. */
export function rememberOrder(status: ReviewsQuery["status"], order: Order): void {
  try {
    localStorage.setItem(keyOf(status), order);
  } catch {
    // storage is switched off
  }
}

function keyOf(status: ReviewsQuery["status"]): string {
  return `holdpoint.order.${status}`;
}
