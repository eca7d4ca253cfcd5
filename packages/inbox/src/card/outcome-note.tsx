import { type ActionView, type Outcome, rejectionReason, visibleText } from "@holdpoint/core";
import { lazy, Suspense } from "react";
import { outcomeKind } from "../review/outcome-kind.ts";
import { formatTime, useLanguage } from "../language/language.ts";
import { ArgumentText } from "./arguments/argument-text.tsx";
import { useCardTexts } from "./texts.ts";

const ChangesView = lazy(async () => {
  const { ChangesView: view } = await import("./changes/changes-view.tsx");
  return { default: view };
});

/** What an action came to: the outcome, who gave it and when, and what became of the call since. */
export function OutcomeNote(props: {
  readonly action: ActionView;
  readonly closedBecause: string | undefined;
}) {
  const texts = useCardTexts();
  const language = useLanguage();
  const { outcome, recorded, permit } = props.action;
  const kind = outcomeKind(props.action);
  const message = outcome === undefined ? props.closedBecause : messageOf(outcome);
  return (
    <div className="card-outcome" data-testid="outcome" data-outcome={kind}>
      <p>
        <strong>{texts.outcomeTitles[kind]}</strong>{" "}
        {recorded !== undefined && (
          <span className="card-muted">
            {texts.byAt(visibleText(recorded.reviewer.name), formatTime(recorded.at, language))}
          </span>
        )}
      </p>
      {message !== undefined && (
        <div className="card-quote">
          <ArgumentText text={message} />
        </div>
      )}
      {outcome?.type === "approved" && outcome.edited && (
        <details className="card-details">
          <summary>{texts.whatChanged}</summary>
          <Suspense fallback={texts.loading}>
            <ChangesView
              before={props.action.args}
              after={outcome.call.args}
              schema={props.action.argsSchema}
            />
          </Suspense>
        </details>
      )}
      {permit !== undefined && (
        <p className="card-muted" data-testid="permit" data-permit={permit}>
          {texts.permit[permit]}
        </p>
      )}
    </div>
  );
}

function messageOf(outcome: Outcome): string | undefined {
  switch (outcome.type) {
    case "approved":
      return undefined;
    case "rejected":
      return rejectionReason(outcome);
    case "answered":
      return outcome.message;
    default:
      return outcome satisfies never;
  }
}
