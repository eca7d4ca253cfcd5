import type { NamedDecision, ReviewView } from "@holdpoint/core";
import { type ReactNode, Suspense, useCallback } from "react";
import { Link } from "wouter";
import { client } from "../client.ts";
import { LazyReviewCard } from "../review/lazy-card.tsx";
import { useInboxTexts } from "./texts.ts";

type OpenedReviewProps = {
  readonly review: ReviewView;
  readonly onRecorded: (review: ReviewView) => void;
};

/** A review's card inside a list, deciding through the review API. */
export function OpenedReview({ review, onRecorded }: OpenedReviewProps): ReactNode {
  const texts = useInboxTexts();
  const submit = useCallback(
    async (decisions: NamedDecision[]) => {
      const result = await client.decide(review.id, decisions);
      if (result.type === "recorded") onRecorded(result.review);
      return result;
    },
    [review.id, onRecorded],
  );
  return (
    <>
      <Suspense fallback={<p className="card-loading">{texts.loading}</p>}>
        <LazyReviewCard review={review} submit={submit} />
      </Suspense>
      <p className="row-links">
        <Link href={`/reviews/${review.id}`}>{texts.ownPage}</Link>
      </p>
    </>
  );
}
