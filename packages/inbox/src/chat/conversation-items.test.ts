import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { openReview } from "../testing/sample-review.ts";
import { conversationItems } from "./conversation-items.ts";
import { problemOf } from "./problem.ts";
import { toolProgress } from "./tool-progress.ts";

const call = { id: "call-1", name: "refund_order", args: { amount: 180 } };

test("each tool call is one item, joined with its result; empty texts and system messages are not shown", () => {
  const items = conversationItems([
    new SystemMessage("Be brief."),
    new HumanMessage({ id: "h1", content: "Refund it" }),
    new AIMessage({ id: "a1", content: "", tool_calls: [call, { ...call, id: "call-2" }] }),
    new ToolMessage({ tool_call_id: "call-1", content: "Refunded.", status: "success" }),
    new AIMessage({ id: "a2", content: [{ type: "text", text: "Done." }] }),
  ]);
  expect(items).toEqual([
    { type: "human", id: "h1", text: "Refund it" },
    { type: "tool", ...call, result: { status: "success", text: "Refunded." } },
    { type: "tool", ...call, id: "call-2" },
    { type: "ai", id: "a2", text: "Done." },
  ]);
});

test("a call without a result waits while its review is open, else runs while a run is on", () => {
  const item = { type: "tool", ...call } as const;
  const open = [
    {
      status: "open",
      interruptId: "i",
      reviewId: "rev_1",
      review: openReview(1, { toolCallId: "call-1" }),
    },
  ] as const;
  expect(toolProgress(item, open, false).state).toBe("waiting");
  expect(toolProgress(item, [], true).state).toBe("running");
  expect(toolProgress(item, [], false).state).toBe("none");
});

test("an error is the server's sentence, or that it does not answer", () => {
  expect(problemOf(new Error("The model answered with status 503."))).toEqual({
    type: "said",
    sentence: "The model answered with status 503.",
  });
  expect(problemOf(new Error("Protocol request failed: 409 Conflict — It is busy."))).toEqual({
    type: "said",
    sentence: "It is busy.",
  });
  expect(problemOf(new TypeError("Failed to fetch"))).toEqual({ type: "unreachable" });
});
