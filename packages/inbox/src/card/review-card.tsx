import {
  decisionsToSend,
  type ReviewSession,
  type ReviewSessionState,
  type Submit,
} from "@holdpoint/client";
import { type ReviewView, visibleText } from "@holdpoint/core";
import { useSyncExternalStore } from "react";
import { formatTime, useLanguage } from "../language/language.ts";
import { outermostAgent } from "../review/outermost-agent.ts";
import { ActionCard } from "./action-card.tsx";
import { ArgumentText } from "./arguments/argument-text.tsx";
import { failureText } from "./failure-text.ts";
import { LiveStatus } from "./live-status.tsx";
import { subagentLine } from "./subagent-line.ts";
import { useCardTexts } from "./texts.ts";
import { useReviewSession } from "./use-review-session.ts";
import "./card.css";

/** What the card shows and where its decisions go. */
export type ReviewCardProps = {
  readonly review: ReviewView;
  readonly submit: Submit;
  /** Without the heading about agent and time, for a chat that already says it. */
  readonly compact?: boolean;
  /** What the agent is called, when that is known; else its name is shown. */
  readonly agentTitle?: string;
};

/** The approval card: one review, read safely and decided. A fresher `review` may be passed at any time. */
export function ReviewCard(props: ReviewCardProps) {
  return <OpenCard key={props.review.id} {...props} />; // a session belongs to one review
}

function OpenCard({ review, submit, compact = false, agentTitle }: ReviewCardProps) {
  const session = useReviewSession(review, submit);
  const state = useSyncExternalStore(session.subscribe, session.getSnapshot, session.getSnapshot);
  return (
    <article
      className={compact ? "card card-compact" : "card"}
      data-testid="review-card"
      data-review-id={review.id}
      data-phase={state.phase.type}
    >
      {!compact && (
        <CardHeading review={state.review} agent={agentTitle ?? outermostAgent(state.review)} />
      )}
      <SubagentLine review={state.review} />
      <DeadlineLine review={state.review} />
      {state.review.actions.map((action) => (
        <ActionCard key={action.id} action={action} state={state} session={session} />
      ))}
      {state.review.actions.length > 1 && <SendBar state={state} session={session} />}
      <Problem state={state} />
      <LiveStatus state={state} />
    </article>
  );
}

function CardHeading({ review, agent }: { readonly review: ReviewView; readonly agent: string }) {
  const texts = useCardTexts();
  const language = useLanguage();
  return (
    <header className="card-heading">
      <p className="card-muted">
        {agent !== "" && `${texts.agent(visibleText(agent))} · `}
        {formatTime(review.createdAt, language)}
      </p>
      {review.askedFor !== undefined && (
        <div className="card-asked">
          <span className="card-caption">{texts.askedFor}</span>
          <ArgumentText text={review.askedFor} />
        </div>
      )}
    </header>
  );
}

/** Which subagent asks, when it is not the agent that the person talks to. */
function SubagentLine({ review }: { readonly review: ReviewView }) {
  const line = subagentLine(review, useCardTexts());
  return line === undefined ? null : (
    <p className="card-muted card-subagent" data-testid="subagent">
      {visibleText(line)}
    </p>
  );
}

/** Until when somebody must decide, and what happens otherwise; a settled review needs no hurry. */
function DeadlineLine({ review }: { readonly review: ReviewView }) {
  const texts = useCardTexts();
  const language = useLanguage();
  if (review.deadline === undefined || review.status !== "open") return null;
  return (
    <p className="card-muted card-subagent" data-testid="deadline">
      {texts.deadline(formatTime(review.deadline.at, language))}
    </p>
  );
}

/** Several actions are sent together, once each has a decision. */
function SendBar(props: { readonly state: ReviewSessionState; readonly session: ReviewSession }) {
  const texts = useCardTexts();
  const { state, session } = props;
  if (state.review.status !== "open") return null;
  const all = state.review.actions.length;
  const done = [...state.progress.values()].filter(
    ({ type }) => type !== "open" && type !== "invalid",
  ).length;
  const isSending = state.phase.type === "submitting";
  return (
    <div className="card-send-bar">
      <span className="card-muted">{texts.progress(done, all)}</span>
      <button
        type="button"
        className="card-button card-button-main"
        data-testid="send-decisions"
        disabled={isSending || decisionsToSend(state) === undefined}
        onClick={() => void session.submit()}
      >
        {isSending ? texts.sending : texts.sendDecisions}
      </button>
    </div>
  );
}

function Problem({ state }: { readonly state: ReviewSessionState }) {
  const texts = useCardTexts();
  if (state.phase.type !== "refused") return null;
  return (
    <p className="card-problem" data-testid="problem">
      {visibleText(failureText(state.phase.failure, texts))}
    </p>
  );
}
