import type { Json, JsonObject } from "@holdpoint/core";
import { useEffect, useRef, useState } from "react";
import { useCardTexts } from "../texts.ts";
import { ArgumentText } from "./argument-text.tsx";
import { ExactText } from "./exact-text.tsx";

/** More rows than this are shown on request. */
const rowLimit = 50;

/** Any value as readable rows; text, number and nothing stay told apart. */
export function ArgumentValue({ value }: { readonly value: Json }) {
  const texts = useCardTexts();
  if (typeof value === "string") return <ArgumentText text={value} />;
  if (typeof value !== "object" || value === null) {
    return <code className="card-literal">{String(value)}</code>;
  }
  const entries = Object.entries(value);
  if (entries.length > 0) return <ArgumentRows value={value} />;
  return (
    <span className="card-muted">{Array.isArray(value) ? texts.emptyList : texts.emptyObject}</span>
  );
}

/** The parts of an object or a list, one row each. Items of a list are counted from one. */
export function ArgumentRows({ value }: { readonly value: JsonObject | readonly Json[] }) {
  const texts = useCardTexts();
  const [isOpen, setOpen] = useState(false);
  const firstHidden = useRef<HTMLDivElement>(null);

  // The button that was pressed is gone; reading goes on where it was.
  useEffect(() => {
    if (isOpen) firstHidden.current?.focus({ preventScroll: true });
  }, [isOpen]);

  const entries = Object.entries(value);
  const shown = isOpen ? entries : entries.slice(0, rowLimit);
  const isList = Array.isArray(value);
  return (
    <>
      <dl className={isList ? "card-rows card-rows-list" : "card-rows"}>
        {shown.map(([key, part], index) => (
          <div
            className="card-row"
            key={key}
            {...(index === rowLimit ? { ref: firstHidden, tabIndex: -1 } : {})}
          >
            <dt>{isList ? `${Number(key) + 1}.` : <ExactText text={key} />}</dt>
            <dd>
              <ArgumentValue value={part} />
            </dd>
          </div>
        ))}
      </dl>
      {shown.length < entries.length && (
        <button type="button" className="card-link" onClick={() => setOpen(true)}>
          {texts.showRows(entries.length - shown.length)}
        </button>
      )}
    </>
  );
}
