import type { AgentSummary } from "@holdpoint/client";
import { type BaseMessage, HumanMessage } from "@langchain/core/messages";
import { useStream } from "@langchain/react";
import {
  type Dispatch,
  type ReactNode,
  type SetStateAction,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useLocation } from "wouter";
import { useLanguage } from "../language/language.ts";
import { useStore } from "../state/use-store.ts";
import { AgentBar } from "./agent-bar.tsx";
import { chatAddress, lastChat } from "./chat-address.ts";
import { Composer } from "./composer.tsx";
import { conversationItems } from "./conversation-items.ts";
import { useChatTexts } from "./texts.ts";
import { MessageList } from "./message-list.tsx";
import { type Problem, problemOf } from "./problem.ts";
import { useReconnect } from "./use-reconnect.ts";
import { createRepeatingFetch } from "./repeating-fetch.ts";
import { createSharingFetch, pageVisibility } from "./sharing-fetch.ts";
import { useStayAtEnd } from "./use-stay-at-end.ts";
import { reviewNamedBy, type StreamInterrupt, useWaitingReviews } from "./use-waiting-reviews.ts";
import { WaitingCards } from "./waiting-cards.tsx";

type ConversationProps = {
  readonly agent: AgentSummary;
  readonly agents: readonly AgentSummary[];
  readonly threadId: string | undefined;
  readonly draft: string;
  readonly onDraft: Dispatch<SetStateAction<string>>;
  /** Called when only a conversation made anew would show what happens from now on. */
  readonly onReconnect: () => void;
};

const noInterrupts: readonly StreamInterrupt[] = [];
const noCalls: ReadonlySet<string> = new Set();

const streamFetch = createSharingFetch(pageVisibility, {
  other: createRepeatingFetch((input, init) => fetch(input, init)),
});

/** One conversation: LangChain's own `useStream`, with the cards of what waits for a decision. */
export function Conversation(props: ConversationProps): ReactNode {
  const { agent, agents, threadId, draft, onDraft, onReconnect } = props;
  const [, navigate] = useLocation();
  const texts = useChatTexts();
  const language = useLanguage();
  const firstAgent = agents[0]?.name;
  const [ownRun, setOwnRun] = useState<string>();
  const [answerError, setAnswerError] = useState<unknown>();
  const [waitingError, setWaitingError] = useState<unknown>();
  const [stopped, setStopped] = useState<ReadonlySet<string>>(noCalls);
  const sent = useRef("");

  const stream = useStream<{ messages: BaseMessage[] }>({
    apiUrl: location.origin,
    fetch: streamFetch,
    assistantId: agent.name,
    threadId: threadId ?? null,
    onThreadId: (id) =>
      navigate(chatAddress({ threadId: id, agent: agent.name, firstAgent }), { replace: true }),
    onCreated: ({ runId }) => {
      setOwnRun(runId);
      onDraft((text) => (text === sent.current ? "" : text));
    },
    // The end of one run may be told after the start of the next.
    onCompleted: ({ runId }) =>
      setOwnRun((own) => (runId === undefined || runId === own ? undefined : own)),
  });

  // For one render after a change of address the stream still has the thread before.
  const isCurrent = stream.threadId === (threadId ?? null);
  const messages = stream.messages;
  const items = useMemo(() => conversationItems(messages), [messages]);
  const interrupts = isCurrent ? stream.interrupts : noInterrupts;
  const interruptIds = new Map(
    interrupts.flatMap(reviewNamedBy).map(({ reviewId, interruptId }) => [reviewId, interruptId]),
  );
  const lastMessage = messages.at(-1)?.id;
  const waiting = useWaitingReviews(threadId, interrupts, {
    message: lastMessage,
    request: messages.findLast(({ type }) => type === "human")?.id,
    isLoading: stream.isLoading,
  });
  const reviews = useStore(waiting);
  const unanswerable = useStore(waiting.unanswerable);
  const onScreen = reviews.filter(({ status }) => status !== "past");
  const isWaiting = reviews.some(({ status }) => status === "open");
  useReconnect(stream.error, onReconnect);
  const end = useStayAtEnd(`${messages.length} ${lastMessage} ${onScreen.length}`);

  function problem(): Problem | undefined {
    const { error } = stream;
    if (error === undefined || error === answerError) return undefined; // the card says it
    const read = problemOf(error);
    if (error !== waitingError || read.type === "unreachable") return read;
    return isWaiting ? { type: "waiting" } : undefined;
  }

  useEffect(() => {
    lastChat.set(chatAddress({ threadId, agent: agent.name, firstAgent }));
  }, [threadId, agent.name, firstAgent]);

  function send(text: string): void {
    const content = text.trim();
    if (content === "" || stream.isLoading) return;
    onDraft(text);
    sent.current = text;
    end.go();
    // A refusal or failure also arrives as `stream.error`, which is what is shown.
    const message = new HumanMessage(content);
    const options = isWaiting ? { onError: setWaitingError } : {};
    void stream.submit({ messages: [message] }, options).catch(() => undefined);
  }

  function stop(): void {
    const open = items.filter((item) => item.type === "tool" && item.result === undefined);
    setStopped((before) => new Set([...before, ...open.map(({ id }) => id)]));
    void stream.stop();
  }

  function start(name: string): void {
    onDraft("");
    navigate(chatAddress({ threadId: undefined, agent: name, firstAgent }));
  }

  return (
    <div className="chat">
      <AgentBar agent={agent} agents={agents} isNew={threadId === undefined} onStart={start} />
      {items.length > 0 && agent.notice !== undefined ? (
        <details className="notice">
          <summary>{texts.about}</summary>
          <p>{agent.notice[language]}</p>
        </details>
      ) : null}
      <MessageList
        items={items}
        reviews={reviews}
        stream={stream}
        run={{ isLoading: stream.isLoading || stream.isThreadLoading, stopped }}
      />
      <WaitingCards
        reviews={onScreen}
        hasOther={unanswerable.length > 0}
        interruptIds={interruptIds}
        respond={(response, options) =>
          stream.respond(response, options).catch((error: unknown) => {
            setAnswerError(error);
            throw error;
          })
        }
        onSending={waiting.sending}
        onReview={waiting.take}
        onShown={end.show}
      />
      <Composer
        agent={agent}
        isNew={items.length === 0}
        draft={draft}
        problem={problem()}
        isWaiting={isWaiting}
        isLoading={stream.isLoading}
        onDraft={onDraft}
        onSend={send}
        onStop={ownRun === undefined ? undefined : stop}
      />
    </div>
  );
}
