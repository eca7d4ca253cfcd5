import type { ReactNode } from "react";
import { formatTime, formatWaited, useLanguage } from "../language/language.ts";
import { useNow } from "../state/use-now.ts";
import type { ListedReview } from "./merge-reviews.ts";
import { type SettledSummary, summarize } from "./settled-summary.ts";
import { useInboxTexts } from "./texts.ts";

type RowStateProps = { readonly listed: ListedReview };

/** The right-hand side of a row: how long it has waited, or what it came to. */
export function RowState({ listed }: RowStateProps): ReactNode {
  const texts = useInboxTexts();
  const { review, left } = listed;
  if (review.status !== "open") return <Settled summary={summarize(review)} />;
  return (
    <span className="row-state">
      {review.cause === "unknown_receipt" ? (
        <span className="badge" data-tone="warning">
          {texts.mayHaveRun}
        </span>
      ) : null}
      {left ? <span className="row-time">{texts.left}</span> : <Waited since={review.createdAt} />}
    </span>
  );
}

function Waited({ since }: { readonly since: string }): ReactNode {
  const language = useLanguage();
  const texts = useInboxTexts();
  const waited = formatWaited(since, useNow(), language);
  return (
    <time className="row-time" dateTime={since} title={formatTime(since, language)}>
      <span aria-hidden="true">{waited}</span>
      <span className="visually-hidden">{texts.waitedFor(waited)}</span>
    </time>
  );
}

function Settled({ summary }: { readonly summary: SettledSummary }): ReactNode {
  const language = useLanguage();
  const texts = useInboxTexts();
  const { outcome, by, at, receipt } = summary;
  return (
    <span className="row-state">
      <span className="row-badges">
        {receipt === undefined ? null : (
          <span className="receipt" data-receipt={receipt}>
            {texts.receipts[receipt]}
          </span>
        )}
        <span className="badge" data-tone={toneOf(outcome)} data-outcome={outcome}>
          {texts.outcomes[outcome]}
        </span>
      </span>
      <span className="row-time">
        {by === undefined ? null : <span className="row-by">{texts.by(by)}</span>}
        {at === undefined ? null : <time dateTime={at}>{formatTime(at, language)}</time>}
      </span>
    </span>
  );
}

function toneOf(outcome: SettledSummary["outcome"]): "success" | "danger" | "accent" | "neutral" {
  switch (outcome) {
    case "approved":
    case "edited":
      return "success";
    case "rejected":
    case "expired":
      return "danger";
    case "answered":
      return "accent";
    case "closed":
    case "mixed":
      return "neutral";
    default:
      return outcome satisfies never;
  }
}
