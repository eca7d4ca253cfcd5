import { type DecisionType, decisionTypes } from "@holdpoint/core";
import { useCardTexts } from "./texts.ts";

/** Explains a review about a call that started and never reported back, and what each decision means there. */
export function UnknownReceiptNote(props: { readonly allowed: readonly DecisionType[] }) {
  const texts = useCardTexts();
  return (
    <div className="card-unknown" data-testid="unknown-receipt">
      <p>
        <strong>{texts.unknownTitle}</strong>
      </p>
      <p>{texts.unknownWhat}</p>
      <ul>
        {decisionTypes
          .filter((type) => props.allowed.includes(type))
          .map((type) => (
            <li key={type}>
              <strong>{texts.decideUnknown[type]}</strong>
              {texts.colon}
              {texts.unknownChoices[type]}
            </li>
          ))}
      </ul>
    </div>
  );
}
