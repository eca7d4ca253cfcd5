import { useMemo } from "react";
import { ExactText } from "../arguments/exact-text.tsx";
import { HiddenWarning } from "../arguments/hidden-warning.tsx";
import { useFormTexts } from "../form/texts.ts";
import { textDiff, type TextDiffPart } from "./text-diff.ts";

/** Unchanged lines kept on either side of a change; longer stretches are folded. */
const context = 3;

/** Two versions of a text in one, with what was taken out and what was put in marked. */
export function TextDiffView(props: { readonly before: string; readonly after: string }) {
  const { before, after } = props;
  const { type, parts } = useMemo(() => textDiff(before, after), [before, after]);
  return (
    <div className="card-text">
      <HiddenWarning text={after} />
      <div className={`card-text-body card-diff card-diff-${type}`}>
        {parts.map((part, index) => (
          <DiffPart
            key={index}
            part={part}
            mayFold={type === "lines"}
            isFirst={index === 0}
            isLast={index === parts.length - 1}
          />
        ))}
      </div>
    </div>
  );
}

function DiffPart(props: {
  readonly part: TextDiffPart;
  readonly mayFold: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}) {
  const { part } = props;
  switch (part.type) {
    case "added":
      return (
        <ins className="card-added">
          <ExactText text={part.text} markLineEnds />
        </ins>
      );
    case "removed":
      return (
        <del className="card-removed">
          <ExactText text={part.text} markLineEnds />
        </del>
      );
    case "same":
      return props.mayFold ? <SameLines {...props} /> : <ExactText text={part.text} />;
    default:
      return part.type satisfies never;
  }
}

function SameLines(props: {
  readonly part: TextDiffPart;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}) {
  const texts = useFormTexts();
  const lines = props.part.text.split(/(?<=\n)/);
  const head = props.isFirst ? 0 : context;
  const tail = props.isLast ? 0 : context;
  const folded = lines.length - head - tail;
  if (folded <= 1) return <ExactText text={props.part.text} />;
  return (
    <>
      <ExactText text={lines.slice(0, head).join("")} />
      <span className="card-fold">{texts.sameLines(folded)}</span>
      <ExactText text={lines.slice(lines.length - tail).join("")} />
    </>
  );
}
