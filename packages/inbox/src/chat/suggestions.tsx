import type { ReactNode } from "react";
import { oneLine } from "../display/one-line.ts";
import { useChatTexts } from "./texts.ts";

type SuggestionsProps = {
  readonly suggestions: readonly string[];
  /** Whether they share one line that scrolls. */
  readonly isRow: boolean;
  readonly onChoose: (suggestion: string) => void;
};

/** Requests to start with, each sent by one click. */
export function Suggestions({ suggestions, isRow, onChoose }: SuggestionsProps): ReactNode {
  const texts = useChatTexts();
  if (suggestions.length === 0) return null;
  return (
    <ul className="suggestions" data-row={isRow} aria-label={texts.suggestions}>
      {suggestions.map((suggestion) => (
        <li key={suggestion}>
          <button type="button" data-testid="suggestion" onClick={() => onChoose(suggestion)}>
            {oneLine(suggestion, 120)}
          </button>
        </li>
      ))}
    </ul>
  );
}
