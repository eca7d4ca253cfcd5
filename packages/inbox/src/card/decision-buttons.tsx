import { type ActionView, type Cause, type DecisionType, decisionTypes } from "@holdpoint/core";
import { useCardTexts } from "./texts.ts";

/**
 * One button for each decision that is allowed. None has the focus to begin with and none belongs to
 * a form, so nothing is approved by a key that was pressed for something else.
 */
export function DecisionButtons(props: {
  readonly action: ActionView;
  readonly cause: Cause;
  readonly onDecide: (decision: DecisionType) => void;
}) {
  const texts = useCardTexts();
  const labels = props.cause === "unknown_receipt" ? texts.decideUnknown : texts.decide;
  // Whether to run once more what may have run is a choice that no button should suggest.
  const main = props.cause === "unknown_receipt" ? undefined : "approve";
  return (
    <div className="card-buttons">
      {decisionTypes
        .filter((type) => props.action.allowedDecisions.includes(type))
        .map((type) => (
          <button
            key={type}
            type="button"
            className={type === main ? "card-button card-button-main" : "card-button"}
            data-testid={type}
            onClick={() => props.onDecide(type)}
          >
            {labels[type]}
          </button>
        ))}
    </div>
  );
}
