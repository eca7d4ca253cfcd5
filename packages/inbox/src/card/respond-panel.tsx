import { type Cause, type Decision, textLimit } from "@holdpoint/core";
import { useId } from "react";
import { useCardTexts } from "./texts.ts";

/** Responding: the reviewer's text takes the place of the call's result, or answers a tool's question. */
export function RespondPanel(props: {
  readonly text: string;
  readonly cause: Cause;
  /** True when a tool asks by itself; it goes on with the answer. */
  readonly isQuestion: boolean;
  /** False when the decision is kept until all actions of the review have one. */
  readonly sendsAtOnce: boolean;
  readonly onType: (text: string) => void;
  readonly onDecide: (decision: Decision) => void;
  readonly onBack: () => void;
}) {
  const texts = useCardTexts();
  const noteId = useId();
  return (
    <div className="card-panel">
      <label className="card-label">
        <span>
          {props.cause === "unknown_receipt" ? texts.respondUnknownLabel : texts.respondLabel}
        </span>
        <textarea
          autoFocus
          className="card-input"
          data-testid="respond-text"
          rows={3}
          maxLength={textLimit}
          aria-describedby={noteId}
          value={props.text}
          onChange={(event) => props.onType(event.target.value)}
        />
      </label>
      <p className="card-hint" id={noteId}>
        {props.isQuestion ? texts.answerNote : texts.respondNote}
      </p>
      <div className="card-buttons">
        <button
          type="button"
          className="card-button card-button-main"
          data-testid="send-respond"
          disabled={props.text.trim() === ""}
          onClick={() => props.onDecide({ type: "respond", message: props.text })}
        >
          {props.sendsAtOnce ? texts.sendRespond : texts.keepRespond}
        </button>
        <button type="button" className="card-button" onClick={props.onBack}>
          {texts.back}
        </button>
      </div>
    </div>
  );
}
