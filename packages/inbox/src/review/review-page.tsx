import {
  type NamedDecision,
  type ReviewId,
  reviewIdSchema,
  type ReviewView,
} from "@holdpoint/core";
import type { Submit } from "@holdpoint/client";
import { type ReactNode, Suspense, useCallback, useEffect, useMemo } from "react";
import { Link } from "wouter";
import { agents, useAgentTitle } from "../chat/agents.ts";
import { ChatLink } from "../chat/chat-link.tsx";
import { client } from "../client.ts";
import { openReviews } from "../inbox/open-reviews.ts";
import { session } from "../session/session.ts";
import { refreshEveryMs, startPolling } from "../state/polling.ts";
import { useStore } from "../state/use-store.ts";
import { LazyReviewCard } from "./lazy-card.tsx";
import { outermostAgent } from "./outermost-agent.ts";
import { useReviewTexts } from "./texts.ts";
import { watchReview } from "./watched-review.ts";
import "./review-page.css";

/** One review on a page of its own, open or settled. */
export function ReviewPage({ id }: { readonly id: string }): ReactNode {
  const texts = useReviewTexts();
  const read = reviewIdSchema.safeParse(id);
  return (
    <div className="page review-page">
      <Link href="/" className="back-link">
        <svg width="14" height="14" viewBox="0 0 16 16" aria-hidden="true">
          <path d="m10 3.5-4.5 4.5 4.5 4.5" />
        </svg>
        {texts.back}
      </Link>
      <h1 className="visually-hidden">{texts.title}</h1>
      {read.success ? (
        <Watched key={read.data} id={read.data} />
      ) : (
        <p className="review-note">{texts.missing}</p>
      )}
    </div>
  );
}

function Watched({ id }: { readonly id: ReviewId }): ReactNode {
  const texts = useReviewTexts();
  const watched = useMemo(() => watchReview(client, id, session.signedOut), [id]);
  const state = useStore(watched);

  useEffect(() => void agents.load(), []);
  useEffect(() => startPolling(watched.refresh, refreshEveryMs).stop, [watched]);

  const submit = useCallback(
    async (decisions: NamedDecision[]) => {
      const result = await client.decide(id, decisions);
      if (result.type === "recorded") {
        watched.replace(result.review);
        void openReviews.refresh();
      }
      return result;
    },
    [id, watched],
  );

  switch (state.status) {
    case "missing":
      return <p className="review-note">{texts.missing}</p>;
    case "refused":
      return <p className="review-note">{texts.refused(state.message)}</p>;
    case "loading":
      return <p className="review-note">{state.reachable ? texts.loading : texts.lost}</p>;
    case "found":
      return (
        <>
          {state.reachable ? null : (
            <p className="banner" role="status">
              {texts.lost}
            </p>
          )}
          <Suspense fallback={<p className="review-note">{texts.loading}</p>}>
            <FoundReview review={state.review} submit={submit} />
          </Suspense>
        </>
      );
    default:
      return state satisfies never;
  }
}

function FoundReview(props: { readonly review: ReviewView; readonly submit: Submit }): ReactNode {
  const texts = useReviewTexts();
  const { review, submit } = props;
  const agentTitle = useAgentTitle(outermostAgent(review));
  return (
    <>
      <LazyReviewCard review={review} submit={submit} agentTitle={agentTitle} />
      <p className="review-links">
        <ChatLink review={review}>{texts.conversation}</ChatLink>
      </p>
    </>
  );
}
