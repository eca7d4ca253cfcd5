import type { Cause, Decision } from "@holdpoint/core";
import { useId, useRef } from "react";
import { useLanguage } from "../language/language.ts";
import {
  hasReason,
  partLimit,
  type RejectionPart,
  type RejectionParts,
  rejectionDecision,
  rejectionParts,
} from "./rejection.ts";
import { type CardTexts, useCardTexts } from "./texts.ts";

const presets = ["meaning", "risk", "operation", "other"] as const;

/** Rejecting: an optional reason as one sentence, *no, because …; instead …; within these bounds …*. */
export function RejectPanel(props: {
  readonly parts: RejectionParts;
  readonly cause: Cause;
  /** False when the decision is kept until all actions of the review have one. */
  readonly sendsAtOnce: boolean;
  readonly onType: (part: RejectionPart, text: string) => void;
  readonly onDecide: (decision: Decision) => void;
  readonly onBack: () => void;
}) {
  const texts = useCardTexts();
  const language = useLanguage();
  const reasonId = useId();
  const because = useRef<HTMLTextAreaElement>(null);
  const isReasoned = hasReason(props.parts);
  return (
    <div className="card-panel" role="group" aria-labelledby={reasonId}>
      <p className="card-panel-title" id={reasonId}>
        {texts.rejectTitle}
      </p>
      <div className="card-chips">
        {presets.map((preset) => {
          const [label, reason] = texts.presets[preset];
          const isPressed = reason !== "" && props.parts.because === reason;
          return (
            <button
              key={preset}
              type="button"
              className="card-chip"
              data-testid={`preset:${preset}`}
              aria-pressed={isPressed}
              onClick={() => {
                props.onType("because", isPressed ? "" : (reason ?? ""));
                if (preset === "other") because.current?.focus();
              }}
            >
              {label}
            </button>
          );
        })}
      </div>
      <div className="card-sentence">
        {rejectionParts.map((part) => (
          <label key={part} className="card-sentence-part">
            <span>{texts.sentence[part]}</span>
            <textarea
              ref={part === "because" ? because : undefined}
              className="card-input"
              data-testid={part}
              rows={1}
              maxLength={partLimit}
              placeholder={texts.examples[part]}
              value={props.parts[part]}
              onChange={(event) => props.onType(part, event.target.value)}
            />
          </label>
        ))}
      </div>
      <p className="card-hint" aria-live="polite">
        {effectOf(isReasoned, props.cause, texts)}
      </p>
      <div className="card-buttons">
        <button
          type="button"
          className="card-button card-button-danger"
          data-testid="send-reject"
          onClick={() => props.onDecide(rejectionDecision(props.parts, language))}
        >
          {sendLabel(isReasoned, props.sendsAtOnce, props.cause, texts)}
        </button>
        <button type="button" className="card-button" onClick={props.onBack}>
          {texts.back}
        </button>
      </div>
    </div>
  );
}

function effectOf(isReasoned: boolean, cause: Cause, texts: CardTexts): string {
  if (cause === "unknown_receipt") {
    return isReasoned ? texts.leaveWithReason : texts.leaveWithoutReason;
  }
  return isReasoned ? texts.withReason : texts.withoutReason;
}

function sendLabel(
  isReasoned: boolean,
  sendsAtOnce: boolean,
  cause: Cause,
  texts: CardTexts,
): string {
  if (!sendsAtOnce) return texts.keepReject;
  if (cause === "unknown_receipt") return texts.decideUnknown.reject;
  return isReasoned ? texts.sendRejectReason : texts.sendReject;
}
