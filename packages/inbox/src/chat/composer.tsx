import type { AgentSummary } from "@holdpoint/client";
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from "react";
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
  const frame = useRef<HTMLDivElement>(null);
  const [isEarly, setEarly] = useState(false);
  if (isEarly && !isLoading) setEarly(false);

  useEffect(() => {
    if (frame.current === null) return undefined;
    const observer = new ResizeObserver(noteHeight);
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, []);

  function send(text: string): void {
    if (!isLoading) onSend(text);
    else if (text.trim() !== "") setEarly(true);
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    send(draft);
    input.current?.focus();
  }

  function onKey(event: KeyboardEvent): void {
    // While an input method is composing, Enter chooses a word.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send(draft);
  }

  return (
    <div className="composer" ref={frame}>
      {isNew && agent.notice !== undefined ? (
        <p className="notice">{agent.notice[language]}</p>
      ) : null}
      {isWaiting ? <WaitingHint /> : null}
      {problem === undefined ? null : (
        <p className="chat-error" role="alert" data-testid="chat-error">
          {problem.type === "said" ? problem.sentence : texts.problems[problem.type]}
        </p>
      )}
      {isEarly ? (
        <p className="chat-note" role="status" data-testid="wait-for-answer">
          {texts.waitForAnswer}
        </p>
      ) : null}
      {isWaiting || isLoading || problem !== undefined ? null : (
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
          <button
            key="stop" // else the same button turns into Send under somebody's finger
            type="button"
            className="button"
            data-testid="chat-stop"
            onClick={onStop}
          >
            {texts.stop}
          </button>
        ) : (
          <button
            key="send"
            type="submit"
            className="button button-primary"
            data-testid="chat-send"
            disabled={draft.trim() === ""}
            aria-disabled={isLoading}
          >
            {texts.send}
          </button>
        )}
      </form>
    </div>
  );
}

/** Tells the page how much of its lower edge is covered, so that what gets the focus is scrolled clear of it. */
function noteHeight(entries: readonly ResizeObserverEntry[]): void {
  const height = entries.at(-1)?.target.getBoundingClientRect().height;
  if (height !== undefined) {
    document.documentElement.style.setProperty("--composer-height", `${Math.ceil(height)}px`);
  }
}
