import type { ReviewView } from "@holdpoint/core";

/** True when nothing about a review can change any more: it is settled and every permit has ended. */
export function isFinal(review: ReviewView): boolean {
  return review.status !== "open" && review.actions.every(({ permit }) => hasEnded(permit));
}

function hasEnded(permit: ReviewView["actions"][number]["permit"]): boolean {
  switch (permit) {
    case undefined:
    case "succeeded":
    case "failed":
    case "unknown":
    case "revoked":
      return true;
    case "unused":
    case "started":
    case "suspended":
      return false;
    default:
      return permit satisfies never;
  }
}
