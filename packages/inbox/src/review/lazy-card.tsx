import { lazy } from "react";

/** The approval card, loaded when the first one is shown. */
export const LazyReviewCard = lazy(async () => {
  const { ReviewCard } = await import("../card/review-card.tsx");
  return { default: ReviewCard };
});
