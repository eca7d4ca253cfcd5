import type { AgentSummary } from "@holdpoint/client";
import { type FormEvent, type KeyboardEvent, type ReactNode, useRef } from "react";
import { useLanguage } from "../language/language.ts";
import type { Problem } from "./problem.ts";
import { Suggestions } from "./suggestions.tsx";
import { useChatTexts } from "./texts.ts";
import { WaitingHint } from "./waiting-hint.tsx";

type ComposerProps = {
  readonly agent: AgentSummary;
  /** Whether nothing was said yet; suggestions then take the room they need. */
  readonly isNew: boolean;
  readonly draft: string;
  readonly problem: Problem | undefined;
  readonly isWaiting: boolean;
  readonly isLoading: boolean;
  readonly onDraft: (text: string) => void;
  readonly onSend: (text: string) => void;
  /** Absent when there is nothing that this page could stop. */
  readonly onStop: (() => void) | undefined;
};

/** Where a message is written, with all that bears on it: notices, what went wrong, what waits. */
export function Composer(props: ComposerProps): ReactNode {
  const { agent, isNew, draft, problem, isWaiting, isLoading, onDraft, onSend, onStop } = props;
  const texts = useChatTexts();
  const language = useLanguage();
  const input = useRef<HTMLTextAreaElement>(null);

  function submit(event: FormEvent): void {
    event.preventDefault();
    onSend(draft);
    input.current?.focus();
  }

  function onKey(event: KeyboardEvent): void {
    // While an input method is composing, Enter chooses a word.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    onSend(draft);
  }

  return (
    <div className="composer">
      {agent.notice === undefined ? null : <p className="notice">{agent.notice[language]}</p>}
      {isWaiting ? <WaitingHint /> : null}
      {problem === undefined ? null : (
        <p className="chat-error" role="alert" data-testid="chat-error">
          {problem.type === "said" ? problem.sentence : texts.problems[problem.type]}
        </p>
      )}
      {isWaiting || isLoading ? null : (
        <Suggestions
          suggestions={agent.suggestions?.[language] ?? []}
          isRow={!isNew}
          onChoose={onSend}
        />
      )}
      <form className="composer-form" onSubmit={submit}>
        <textarea
          ref={input}
          rows={1}
          data-testid="chat-input"
          aria-label={texts.placeholder}
          placeholder={texts.placeholder}
          value={draft}
          onChange={(event) => onDraft(event.target.value)}
          onKeyDown={onKey}
        />
        {isLoading && onStop !== undefined ? (
          <button type="button" className="button" data-testid="chat-stop" onClick={onStop}>
            {texts.stop}
          </button>
        ) : (
          <button
            type="submit"
            className="button button-primary"
            data-testid="chat-send"
            disabled={isLoading || draft.trim() === ""}
          >
            {texts.send}
          </button>
        )}
      </form>
    </div>
  );
}
