import type { ReviewView } from "@holdpoint/core";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { outermostAgent } from "../review/outermost-agent.ts";
import { chatAddress } from "./chat-address.ts";

type ChatLinkProps = {
  readonly review: Pick<ReviewView, "threadId" | "agent" | "agentPath">;
  readonly children: ReactNode;
};

/** Leads from a review to the conversation in which its calls were proposed. */
export function ChatLink({ review, children }: ChatLinkProps): ReactNode {
  const { threadId } = review;
  const agent = outermostAgent(review);
  const firstAgent = agent === "" ? agent : undefined; // without a name the address names none
  return (
    <Link href={chatAddress({ threadId, agent, firstAgent })} data-testid="to-conversation">
      {children}
    </Link>
  );
}
