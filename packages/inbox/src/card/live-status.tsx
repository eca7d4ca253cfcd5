import type { ReviewSessionState } from "@holdpoint/client";
import { useLanguage } from "../language/language.ts";
import { outcomeKind } from "../review/outcome-kind.ts";
import { conflictText } from "./conflict-note.tsx";
import { failureText } from "./failure-text.ts";
import { useCardTexts } from "./texts.ts";

/** Tells people who do not see the screen what became of their decision. */
export function LiveStatus({ state }: { readonly state: ReviewSessionState }) {
  const texts = useCardTexts();
  const language = useLanguage();
  return (
    <p className="card-live" role="status" aria-live="polite">
      {statusText()}
    </p>
  );

  function statusText(): string {
    switch (state.phase.type) {
      case "deciding":
        return "";
      case "submitting":
        return texts.sending;
      case "settled":
        return settledText();
      case "conflict":
        return conflictText(state.phase.conflict, texts, language);
      case "refused":
        return failureText(state.phase.failure, texts);
      default:
        return state.phase satisfies never;
    }
  }

  function settledText(): string {
    return state.review.actions
      .map((action) => texts.outcomeTitles[outcomeKind(action)])
      .join(texts.between);
  }
}
