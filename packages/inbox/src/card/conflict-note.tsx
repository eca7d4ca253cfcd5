import type { Conflict } from "@holdpoint/client";
import { visibleText } from "@holdpoint/core";
import { formatTime, type Language, useLanguage } from "../language/language.ts";
import { type CardTexts, useCardTexts } from "./texts.ts";

/** Tells the one who came second who decided first, what, and when. */
export function ConflictNote({ conflict }: { readonly conflict: Conflict }) {
  const texts = useCardTexts();
  const language = useLanguage();
  return (
    <p className="card-conflict" data-testid="conflict">
      {conflictText(conflict, texts, language)}
    </p>
  );
}

/** The same as one sentence. */
export function conflictText(conflict: Conflict, texts: CardTexts, language: Language): string {
  return texts.decidedFirst(
    visibleText(conflict.by),
    texts.outcomes[conflict.decision],
    formatTime(conflict.at, language),
  );
}
