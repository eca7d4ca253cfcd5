import type { ReviewId, ReviewView } from "@holdpoint/core";
import { type ReactNode, Suspense, useEffect, useRef } from "react";
import { client } from "../client.ts";
import { LazyReviewCard } from "../review/lazy-card.tsx";
import { session } from "../session/session.ts";
import { useStore } from "../state/use-store.ts";
import { type AnswerOptions, answerInterrupt } from "./answer-interrupt.ts";
import { useChatTexts } from "./texts.ts";
import type { WaitingReview } from "./waiting-reviews.ts";

type WaitingCardsProps = {
  readonly reviews: readonly WaitingReview[];
  /** Whether the thread also waits for an answer that no card can give. */
  readonly hasOther: boolean;
  /** The ids of the interrupts that the stream names, by review. */
  readonly interruptIds: ReadonlyMap<ReviewId, string>;
  readonly respond: AnswerOptions["respond"];
  readonly onSending: AnswerOptions["onSending"];
  readonly onReview: AnswerOptions["onReview"];
  /** Called with a card once all of it is on screen. */
  readonly onShown: (card: Element) => void;
};

/** The id of the place where the cards are. */
export const waitingCardsId = "waiting-cards";

/** The cards of what waits in this thread, and of what was just decided. */
export function WaitingCards(props: WaitingCardsProps): ReactNode {
  const { reviews, hasOther, interruptIds, respond, onSending, onReview, onShown } = props;
  const texts = useChatTexts();
  if (reviews.length === 0 && !hasOther) return null;
  return (
    <div className="waiting-cards" id={waitingCardsId} tabIndex={-1}>
      {reviews.map((entry) =>
        entry.status === "open" || entry.status === "settled" ? (
          <WaitingCard
            key={entry.reviewId}
            interruptId={interruptIds.get(entry.reviewId)}
            review={entry.review}
            respond={respond}
            onSending={onSending}
            onReview={onReview}
            onShown={onShown}
          />
        ) : (
          <p key={entry.reviewId} className="card-loading">
            {(entry.status === "loading" && entry.problem) || texts.cardLoading}
          </p>
        ),
      )}
      {hasOther ? <p className="chat-note">{texts.otherInterrupt}</p> : null}
    </div>
  );
}

type WaitingCardProps = Pick<
  WaitingCardsProps,
  "respond" | "onSending" | "onReview" | "onShown"
> & {
  readonly interruptId: string | undefined;
  readonly review: ReviewView;
};

function WaitingCard(props: WaitingCardProps): ReactNode {
  const { interruptId, review, respond, onSending, onReview, onShown } = props;
  const texts = useChatTexts();
  const state = useStore(session);
  const reviewerId = state.status === "signed_in" ? state.reviewer.id : undefined;
  const submit = answerInterrupt({
    client,
    interruptId,
    review,
    reviewerId,
    respond,
    onSending,
    onReview,
  });
  return (
    <Suspense fallback={<p className="card-loading">{texts.cardLoading}</p>}>
      <Shown onShown={onShown}>
        <LazyReviewCard review={review} submit={submit} compact />
      </Shown>
    </Suspense>
  );
}

/** Tells when its children have been loaded and laid out. */
function Shown({ children, onShown }: Pick<WaitingCardProps, "onShown"> & { children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (frame.current !== null) onShown(frame.current);
  }, [onShown]);
  return (
    <div ref={frame} className="waiting-card">
      {children}
    </div>
  );
}
