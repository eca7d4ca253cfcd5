import type { NamedDecision, ReviewView } from "@holdpoint/core";
import { type ReactNode, Suspense, useCallback } from "react";
import { Link } from "wouter";
import { useAgentTitle } from "../chat/agents.ts";
import { ChatLink } from "../chat/chat-link.tsx";
import { client } from "../client.ts";
import { LazyReviewCard } from "../review/lazy-card.tsx";
import { outermostAgent } from "../review/outermost-agent.ts";
import { useInboxTexts } from "./texts.ts";

type OpenedReviewProps = {
  readonly review: ReviewView;
  readonly onRecorded: (review: ReviewView) => void;
};

/** A review's card inside a list, deciding through the review API. */
export function OpenedReview({ review, onRecorded }: OpenedReviewProps): ReactNode {
  const texts = useInboxTexts();
  const agentTitle = useAgentTitle(outermostAgent(review));
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
        <LazyReviewCard review={review} submit={submit} agentTitle={agentTitle} />
      </Suspense>
      <p className="row-links">
        <ChatLink review={review}>{texts.conversation}</ChatLink>
        <Link href={`/reviews/${review.id}`}>{texts.ownPage}</Link>
      </p>
    </>
  );
}
