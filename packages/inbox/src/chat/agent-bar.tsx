import type { AgentSummary } from "@holdpoint/client";
import type { ReactNode } from "react";
import { oneLine } from "../display/one-line.ts";
import { useLanguage } from "../language/language.ts";
import { useChatTexts } from "./texts.ts";

type AgentBarProps = {
  readonly agent: AgentSummary;
  readonly agents: readonly AgentSummary[];
  readonly isNew: boolean;
  /** Starts a new chat with the agent of this name. */
  readonly onStart: (agent: string) => void;
};

/** Says whom one talks to, lets one choose another agent, and starts over. */
export function AgentBar({ agent, agents, isNew, onStart }: AgentBarProps): ReactNode {
  const texts = useChatTexts();
  const language = useLanguage();
  const title = oneLine(agent.title[language], 80);
  return (
    <div className="agent-bar">
      {agents.length > 1 ? (
        <label className="agent-choice">
          <span className="visually-hidden">{texts.agent}</span>
          <select
            data-testid="agent-choice"
            value={agent.name}
            onChange={(event) => onStart(event.target.value)}
          >
            {agents.map(({ name, title: titles }) => (
              <option key={name} value={name}>
                {oneLine(titles[language], 80)}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <h1 className="agent-title">{title}</h1>
      )}
      <button
        type="button"
        className="button"
        data-testid="new-chat"
        disabled={isNew}
        onClick={() => onStart(agent.name)}
      >
        {texts.newChat}
      </button>
    </div>
  );
}
