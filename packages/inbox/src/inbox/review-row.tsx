import type { ReviewView } from "@holdpoint/core";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { argsPreview } from "../display/args-preview.ts";
import { oneLine } from "../display/one-line.ts";
import { useReason } from "../language/reason.ts";
import { effectiveArgs } from "../review/outcome-kind.ts";
import { outermostAgent } from "../review/outermost-agent.ts";
import { ruleNote } from "../review/rule-note.ts";
import { questionIn } from "../review/tool-question.ts";
import { useAgentTitle } from "../chat/agents.ts";
import type { ListedReview } from "./merge-reviews.ts";
import { OpenedReview } from "./opened-review.tsx";
import { RowState } from "./row-state.tsx";
import { useInboxTexts } from "./texts.ts";

type ReviewRowProps = {
  readonly listed: ListedReview;
  readonly opened: boolean;
  readonly onToggle: () => void;
  readonly onRecorded: (review: ReviewView) => void;
};

/** One review in a list: what, why and for whom in three lines; opened, the whole card below. */
export function ReviewRow({ listed, opened, onToggle, onRecorded }: ReviewRowProps): ReactNode {
  const { review, left } = listed;
  const texts = useInboxTexts();
  const reason = useReason();
  const agent = useAgentTitle(outermostAgent(review));
  const cardId = useId();
  const row = useRef<HTMLLIElement>(null);
  const [action, ...others] = review.actions;

  // Another row that closes above may carry this one out of sight.
  useEffect(() => {
    if (opened) row.current?.scrollIntoView({ block: "nearest" });
  }, [opened]);

  if (action === undefined) return null;
  // That a call may have run matters more than why it was held at first.
  const note = review.cause === "policy" ? ruleNote(action) : undefined;
  const why = note ?? reason(action);
  const question = questionIn(action);
  const preview =
    question === undefined ? argsPreview(effectiveArgs(action)) : oneLine(question, 200);
  return (
    <li
      ref={row}
      className="row"
      data-testid="inbox-row"
      data-review-id={review.id}
      data-opened={opened}
      data-left={left}
    >
      <button
        type="button"
        className="row-summary"
        aria-expanded={opened}
        aria-controls={opened ? cardId : undefined}
        onClick={onToggle}
      >
        <span className="row-what">
          <span className="row-tool">{oneLine(action.name, 60)}</span>
          <span className="row-args">{preview === "" ? texts.noArguments : preview}</span>
        </span>
        <RowState listed={listed} />
        <span className="row-why">
          {oneLine(why, 200)}
          {others.length > 0 ? (
            <span className="row-others">{texts.others(others.length)}</span>
          ) : null}
        </span>
        <span className="row-who">
          <span className="row-agent">{oneLine(agent, 40)}</span>
          {review.askedFor === undefined ? null : (
            <span className="row-asked">{texts.askedFor(oneLine(review.askedFor, 200))}</span>
          )}
        </span>
      </button>
      {opened ? (
        <div className="row-card" id={cardId}>
          <OpenedReview review={review} onRecorded={onRecorded} />
        </div>
      ) : null}
    </li>
  );
}
