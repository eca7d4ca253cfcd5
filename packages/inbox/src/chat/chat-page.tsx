import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useSearch } from "wouter";
import { useStore } from "../state/use-store.ts";
import { agents } from "./agents.ts";
import { Conversation } from "./conversation.tsx";
import { useChatTexts } from "./texts.ts";
import "./chat.css";

/** The chat with one agent: the one the address names, else the first. */
export function ChatPage({ threadId }: { readonly threadId: string | undefined }): ReactNode {
  const texts = useChatTexts();
  const state = useStore(agents);
  const named = new URLSearchParams(useSearch()).get("agent");

  const [draft, setDraft] = useState("");
  const [connection, setConnection] = useState(0);
  const reconnect = useCallback(() => setConnection((count) => count + 1), []);

  useEffect(() => void agents.load(), []);

  switch (state.status) {
    case "loading":
      return <p className="gate-quiet">{texts.loading}</p>;
    case "failed":
      return (
        <p className="page" role="alert">
          {state.message ?? texts.agentsFailed}{" "}
          <button type="button" className="button" onClick={() => void agents.load()}>
            {texts.retry}
          </button>
        </p>
      );
    case "ready": {
      const agent = state.agents.find(({ name }) => name === named) ?? state.agents[0];
      if (agent === undefined) return <p className="page">{texts.noAgents}</p>;
      return (
        <Conversation
          key={`${agent.name} ${connection}`}
          agent={agent}
          agents={state.agents}
          threadId={threadId}
          draft={draft}
          onDraft={setDraft}
          onReconnect={reconnect}
        />
      );
    }
    default:
      return state satisfies never;
  }
}
