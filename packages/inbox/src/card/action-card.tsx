import { progressOf, type ReviewSession, type ReviewSessionState } from "@holdpoint/client";
import type { ActionView, JsonObject } from "@holdpoint/core";
import { useId } from "react";
import { ArgumentText } from "./arguments/argument-text.tsx";
import { ArgumentRows } from "./arguments/argument-value.tsx";
import { ExactText } from "./arguments/exact-text.tsx";
import { DecisionArea } from "./decision-area.tsx";
import { useLanguage } from "../language/language.ts";
import { useReason } from "../language/reason.ts";
import { effectiveArgs } from "../review/outcome-kind.ts";
import { ruleNote } from "../review/rule-note.ts";
import { besideQuestion, isOwnQuestion, questionIn } from "../review/tool-question.ts";
import { useCardTexts } from "./texts.ts";
import { plainToolName } from "./tool-name.ts";
import { UnknownReceiptNote } from "./unknown-receipt-note.tsx";

/** One held tool call: what it is, why it is held, what it runs with, and the decision. */
export function ActionCard(props: {
  readonly action: ActionView;
  readonly state: ReviewSessionState;
  readonly session: ReviewSession;
}) {
  const { action } = props;
  const texts = useCardTexts();
  const language = useLanguage();
  const reason = useReason()(action);
  const note = ruleNote(action);
  const titleId = useId();
  const question = questionIn(action);
  const args = effectiveArgs(action);
  const rest = besideQuestion(action, args);
  const caption = (): string => {
    if (isOwnQuestion(action)) return texts.askedWith;
    return stillRuns(action) ? texts.runsWith : texts.proposed;
  };
  const isAsked = action.status === "open" && progressOf(props.state, action).type !== "lost";
  return (
    <section
      className="card-action"
      data-testid="action"
      data-action-id={action.id}
      aria-labelledby={titleId}
    >
      <h3 className="card-title" id={titleId}>
        {language === "en" && <ExactText text={plainToolName(action.name)} />}{" "}
        <code className={language === "en" ? "card-raw-name" : "card-only-name"}>
          <ExactText text={action.name} />
        </code>
      </h3>
      {props.state.review.cause === "unknown_receipt" && isAsked && (
        <UnknownReceiptNote allowed={action.allowedDecisions} />
      )}
      <div className="card-why">
        <p className="card-caption">{texts.why}</p>
        {note === undefined ? (
          <p>
            <ExactText text={reason} />
          </p>
        ) : (
          <div className="card-rule-note" data-testid="description">
            <ArgumentText text={note} />
          </div>
        )}
        <p className="card-muted">
          {note !== undefined && (
            <>
              <ExactText text={reason} />{" "}
            </>
          )}
          <ExactText text={texts.rule(action.rule)} />
        </p>
      </div>
      {question !== undefined && (
        <div className="card-question" data-testid="question">
          <span className="card-caption">{texts.question}</span>
          <ArgumentText text={question} />
        </div>
      )}
      {(question === undefined || Object.keys(rest).length > 0) && (
        <Arguments args={rest} caption={caption()} />
      )}
      <DecisionArea {...props} />
    </section>
  );
}

function Arguments({ args, caption }: { readonly args: JsonObject; readonly caption: string }) {
  const texts = useCardTexts();
  const captionId = useId();
  if (Object.keys(args).length === 0) return <p className="card-muted">{texts.noArguments}</p>;
  return (
    <div role="group" aria-labelledby={captionId}>
      <p className="card-caption" id={captionId}>
        {caption}
      </p>
      <div className="card-arguments">
        <ArgumentRows value={args} />
      </div>
    </div>
  );
}

/** True while these arguments are what the call runs with, or would. */
function stillRuns({ status, outcome }: ActionView): boolean {
  return status === "open" || outcome?.type === "approved";
}
