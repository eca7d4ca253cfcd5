import type { Cause, Decision } from "@holdpoint/core";
import { ExactText } from "./arguments/exact-text.tsx";
import { useCardTexts } from "./texts.ts";

/** A decision that is chosen here and not recorded yet: kept for the others, or not sent for a reason. */
export function ChosenNote(props: {
  readonly decision: Decision;
  readonly cause: Cause;
  /** Present when the decision could not be sent and can be sent again as it is. */
  readonly onSendAgain: (() => void) | undefined;
  readonly onChange: () => void;
}) {
  const texts = useCardTexts();
  const { decision } = props;
  const labels = props.cause === "unknown_receipt" ? texts.decideUnknown : texts.chosen;
  const message = messageIn(decision);
  return (
    <div className="card-chosen" data-testid="chosen">
      <p>
        <span className="card-muted">
          {props.onSendAgain === undefined ? texts.notSentYet : texts.notSent}
          {texts.colon}
        </span>
        <strong>{labels[decision.type]}</strong>
      </p>
      {message !== undefined && (
        <p className="card-quote">
          <ExactText text={message} />
        </p>
      )}
      <div className="card-buttons">
        {props.onSendAgain !== undefined && (
          <button type="button" className="card-button" onClick={props.onSendAgain}>
            {texts.sendAgain}
          </button>
        )}
        <button type="button" className="card-button" data-testid="change" onClick={props.onChange}>
          {texts.change}
        </button>
      </div>
    </div>
  );
}

function messageIn(decision: Decision): string | undefined {
  switch (decision.type) {
    case "reject":
      return decision.message;
    case "respond":
      return decision.message ?? JSON.stringify(decision.value);
    case "approve":
    case "edit":
      return undefined;
    default:
      return decision satisfies never;
  }
}
