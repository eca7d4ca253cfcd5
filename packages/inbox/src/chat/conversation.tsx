import type { AgentSummary } from "@holdpoint/client";
import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { useStream } from "@langchain/react";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useLocation } from "wouter";
import { useStore } from "../state/use-store.ts";
import { AgentBar } from "./agent-bar.tsx";
import { chatAddress, lastChat } from "./chat-address.ts";
import { Composer } from "./composer.tsx";
import { conversationItems } from "./conversation-items.ts";
import { MessageList } from "./message-list.tsx";
import { problemOf } from "./problem.ts";
import { useStayAtEnd } from "./use-stay-at-end.ts";
import { reviewNamedBy, type StreamInterrupt, useWaitingReviews } from "./use-waiting-reviews.ts";
import { WaitingCards } from "./waiting-cards.tsx";

type ConversationProps = {
  readonly agent: AgentSummary;
  readonly agents: readonly AgentSummary[];
  readonly threadId: string | undefined;
};

const noInterrupts: readonly StreamInterrupt[] = [];

/** One conversation: LangChain's own `useStream`, with the cards of what waits for a decision. */
export function Conversation({ agent, agents, threadId }: ConversationProps): ReactNode {
  const [, navigate] = useLocation();
  const firstAgent = agents[0]?.name;
  const [draft, setDraft] = useState("");
  const [ownRun, setOwnRun] = useState<string>();
  const [answeredError, setAnsweredError] = useState<unknown>();
  const sent = useRef("");

  const stream = useStream<{ messages: BaseMessage[] }>({
    apiUrl: location.origin,
    assistantId: agent.name,
    threadId: threadId ?? null,
    onThreadId: (id) =>
      navigate(chatAddress({ threadId: id, agent: agent.name, firstAgent }), { replace: true }),
    onCreated: ({ runId }) => {
      setOwnRun(runId);
      setDraft((text) => (text === sent.current ? "" : text));
    },
    onCompleted: () => setOwnRun(undefined),
  });

  // For one render after a change of address the stream still has the thread before.
  const isCurrent = stream.threadId === (threadId ?? null);
  const messages = stream.messages;
  const items = useMemo(() => conversationItems(messages), [messages]);
  const interrupts = isCurrent ? stream.interrupts : noInterrupts;
  const lastMessage = messages.at(-1)?.id;
  const waiting = useWaitingReviews(threadId, interrupts, {
    message: lastMessage,
    request: messages.findLast(({ type }) => type === "human")?.id,
  });
  const reviews = useStore(waiting);
  const onScreen = reviews.filter(({ status }) => status !== "past");
  const isWaiting = reviews.some(({ status }) => status === "open");
  const toEnd = useStayAtEnd(`${messages.length} ${lastMessage} ${onScreen.length}`);
  const shownError = stream.error === answeredError ? undefined : stream.error;

  useEffect(() => {
    lastChat.set(chatAddress({ threadId, agent: agent.name, firstAgent }));
  }, [threadId, agent.name, firstAgent]);

  function send(text: string): void {
    const content = text.trim();
    if (content === "" || stream.isLoading) return;
    setDraft(text);
    sent.current = text;
    toEnd();
    // A refusal or failure also arrives as `stream.error`, which is what is shown.
    void stream.submit({ messages: [new HumanMessage(content)] }).catch(() => undefined);
  }

  function start(name: string): void {
    setDraft("");
    navigate(chatAddress({ threadId: undefined, agent: name, firstAgent }));
  }

  return (
    <div className="chat">
      <AgentBar agent={agent} agents={agents} isNew={threadId === undefined} onStart={start} />
      <MessageList
        agent={agent}
        items={items}
        reviews={reviews}
        stream={stream}
        isLoading={stream.isLoading || stream.isThreadLoading}
      />
      <WaitingCards
        reviews={onScreen}
        hasOther={interrupts.some((interrupt) => reviewNamedBy(interrupt).length === 0)}
        respond={(response, options) =>
          stream.respond(response, options).catch((error: unknown) => {
            setAnsweredError(error); // the card says it
            throw error;
          })
        }
        onReview={waiting.take}
      />
      <Composer
        agent={agent}
        draft={draft}
        problem={shownError === undefined ? undefined : problemOf(shownError)}
        isWaiting={isWaiting}
        isLoading={stream.isLoading}
        onDraft={setDraft}
        onSend={send}
        onStop={ownRun === undefined ? undefined : () => void stream.stop()}
      />
    </div>
  );
}
