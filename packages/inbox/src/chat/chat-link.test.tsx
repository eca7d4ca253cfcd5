import type { ComponentProps } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { Router } from "wouter";
import { ChatLink } from "./chat-link.tsx";

function hrefOf(review: ComponentProps<typeof ChatLink>["review"]): string | undefined {
  const link = renderToStaticMarkup(
    <Router ssrPath="/">
      <ChatLink review={review}>x</ChatLink>
    </Router>,
  );
  return /href="([^"]*)"/.exec(link)?.[1];
}

test("a review leads to its conversation, with the agent that it belongs to", () => {
  expect(hrefOf({ threadId: "thread 1", agent: "refunds" })).toBe("/chat/thread%201?agent=refunds");
  expect(hrefOf({ threadId: "thread-1", agent: "" })).toBe("/chat/thread-1");
});

test("a subagent's review leads to the conversation with the agent that called it", () => {
  const review = { threadId: "t", agent: "lead/writer", agentPath: ["lead", "writer"] };
  expect(hrefOf(review)).toBe("/chat/t?agent=lead");
});
