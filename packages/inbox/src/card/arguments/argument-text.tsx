import { useState } from "react";
import { useLanguage } from "../../language/language.ts";
import { useCardTexts } from "../texts.ts";
import { ExactText } from "./exact-text.tsx";
import { byteCount, foldedText } from "./fold-text.ts";
import { HiddenWarning } from "./hidden-warning.tsx";

/** A text argument: lines kept, hidden characters marked and named, a long one folded. */
export function ArgumentText({ text }: { readonly text: string }) {
  const texts = useCardTexts();
  const language = useLanguage();
  const [isOpen, setOpen] = useState(false);
  const folded = foldedText(text);
  if (text === "") return <span className="card-muted">{texts.emptyText}</span>;
  return (
    <div className="card-text">
      <HiddenWarning text={text} />
      <div className="card-text-body">
        <ExactText text={isOpen ? text : (folded ?? text)} />
        {folded !== undefined && !isOpen && "…"}
      </div>
      {folded !== undefined && (
        <button
          type="button"
          className="card-link"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {(isOpen ? texts.showLess : texts.showAll)(byteCount(text, language))}
        </button>
      )}
    </div>
  );
}
