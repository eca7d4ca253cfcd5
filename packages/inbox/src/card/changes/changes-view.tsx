import type { Json, JsonObject } from "@holdpoint/core";
import { useMemo } from "react";
import { ArgumentValue } from "../arguments/argument-value.tsx";
import { ExactText } from "../arguments/exact-text.tsx";
import type { Path } from "../form/path.ts";
import { shapeAt } from "../form/shape-at.ts";
import { useFormTexts } from "../form/texts.ts";
import { type Change, changesBetween } from "./changes.ts";
import { TextDiffView } from "./text-diff-view.tsx";
import "./changes.css";

/** Every difference between the proposed and the edited arguments, one row each. */
export function ChangesView(props: {
  readonly before: JsonObject;
  readonly after: JsonObject;
  /** The tool's schema, when there is one: it says what was chosen from a list. */
  readonly schema: JsonObject | undefined;
}) {
  const { before, after, schema } = props;
  const texts = useFormTexts();
  const changes = useMemo(() => changesBetween(before, after), [before, after]);
  return (
    <div className="card-changes" data-testid="changes">
      {changes.length === 0 && <p>{texts.noChanges}</p>}
      {changes.map((change, index) => (
        <div className="card-change" key={index} data-change={change.type}>
          <p className="card-field-head">
            <PathLabel path={change.path} />
            {change.type !== "changed" && <span className="card-muted">{texts[change.type]}</span>}
          </p>
          <ChangeBody
            change={change}
            isChoice={
              schema !== undefined && shapeAt(schema, after, change.path)?.type === "choice"
            }
          />
        </div>
      ))}
    </div>
  );
}

function ChangeBody(props: { readonly change: Change; readonly isChoice: boolean }) {
  const { change, isChoice } = props;
  switch (change.type) {
    case "added":
      return <Side kind="added" value={change.after} />;
    case "removed":
      return <Side kind="removed" value={change.before} />;
    case "changed":
      if (isChoice) return <OtherChoice before={change.before} after={change.after} />;
      return typeof change.before === "string" && typeof change.after === "string" ? (
        <TextDiffView before={change.before} after={change.after} />
      ) : (
        <>
          <Side kind="removed" value={change.before} />
          <Side kind="added" value={change.after} />
        </>
      );
    default:
      return change satisfies never;
  }
}

/** One of several values in place of another: what the two have in common says nothing. */
function OtherChoice({ before, after }: { readonly before: Json; readonly after: Json }) {
  return (
    <p className="card-choice-change">
      <del className="card-removed">
        <ExactText text={choiceText(before)} />
      </del>
      <span aria-hidden="true"> → </span>
      <ins className="card-added">
        <ExactText text={choiceText(after)} />
      </ins>
    </p>
  );
}

function choiceText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function Side({ kind, value }: { readonly kind: "added" | "removed"; readonly value: Json }) {
  const texts = useFormTexts();
  return (
    <div className={`card-side card-${kind}`}>
      <span
        className="card-sign"
        role="img"
        aria-label={kind === "added" ? texts.after : texts.before}
      >
        {kind === "added" ? "+" : "−"}
      </span>
      <div>
        {typeof value === "string" ? (
          <span className="card-text-body">
            “<ExactText text={value} markLineEnds />”
          </span>
        ) : (
          <ArgumentValue value={value} />
        )}
      </div>
    </div>
  );
}

/** Where a change is, for people: items of lists are counted from one, as in the rows above. */
function PathLabel({ path }: { readonly path: Path }) {
  const texts = useFormTexts();
  return (
    <code className="card-key">
      {path.map((step, index) => (
        <span key={index}>
          {index > 0 && " › "}
          {typeof step === "number" ? texts.item(step + 1) : <ExactText text={step} />}
        </span>
      ))}
    </code>
  );
}
