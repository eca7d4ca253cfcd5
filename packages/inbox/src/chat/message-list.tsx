import type { AnyStream } from "@langchain/react";
import type { ReactNode } from "react";
import { ProseText } from "../display/prose-text.tsx";
import type { ConversationItem } from "./conversation-items.ts";
import { HumanMessage } from "./human-message.tsx";
import { useChatTexts } from "./texts.ts";
import { ToolLine } from "./tool-line.tsx";
import { type RunProgress, toolProgress } from "./tool-progress.ts";
import type { WaitingReview } from "./waiting-reviews.ts";

type MessageListProps = {
  readonly items: readonly ConversationItem[];
  readonly reviews: readonly WaitingReview[];
  readonly stream: AnyStream;
  readonly run: RunProgress;
};

/** The conversation so far, as plain text. */
export function MessageList(props: MessageListProps): ReactNode {
  const { items, reviews, stream, run } = props;
  const { isLoading } = run;
  const texts = useChatTexts();
  if (items.length === 0 && !isLoading) {
    return (
      <div className="chat-start">
        <p className="chat-start-title">{texts.start}</p>
        <p>{texts.startNote}</p>
      </div>
    );
  }
  const isWaiting = reviews.some(({ status }) => status === "open" || status === "loading");
  return (
    <section className="messages" aria-label={texts.conversation}>
      <ol>
        {items.map((item) => (
          <li key={item.id} className={`message message-${item.type}`}>
            <Item item={item} reviews={reviews} stream={stream} run={run} />
          </li>
        ))}
      </ol>
      <p className="working" role="status">
        {isLoading && !isWaiting ? texts.working : null}
      </p>
    </section>
  );
}

type ItemProps = Pick<MessageListProps, "reviews" | "stream" | "run"> & {
  readonly item: ConversationItem;
};

function Item({ item, reviews, stream, run }: ItemProps): ReactNode {
  switch (item.type) {
    case "human":
      return <HumanMessage stream={stream} id={item.id} text={item.text} />;
    case "ai":
      return (
        <p className="message-text" data-testid="message-ai">
          <ProseText text={item.text} />
        </p>
      );
    case "tool":
      return <ToolLine item={item} progress={toolProgress(item, reviews, run)} />;
    default:
      return item satisfies never;
  }
}
