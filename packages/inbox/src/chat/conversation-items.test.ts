import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from "@langchain/core/messages";
import type { ReviewView } from "@holdpoint/core";
import { expect, test } from "vitest";
import { decidedReview, editedReview, openReview } from "../testing/sample-review.ts";
import { conversationItems } from "./conversation-items.ts";
import { problemOf } from "./problem.ts";
import { toolProgress } from "./tool-progress.ts";
import type { WaitingReview } from "./waiting-reviews.ts";

const idle = { isLoading: false, stopped: new Set<string>() };
const running = { ...idle, isLoading: true };
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
      reviewId: "rev_1",
      review: openReview(1, { toolCallId: "call-1" }),
    },
  ] as const;
  expect(toolProgress(item, open, idle).state).toBe("waiting");
  expect(toolProgress(item, open, running).state).toBe("waiting");
  expect(toolProgress(item, [], running).state).toBe("running");
  expect(toolProgress(item, [], idle).state).toBe("none");
});

test("after Stop a call without a result is stopped, and not said to have no result", () => {
  const item = { type: "tool", ...call } as const;
  expect(toolProgress(item, [], { ...idle, stopped: new Set(["call-1"]) }).state).toBe("stopped");
});

test("an approval with changes is told apart from one without", () => {
  const item = { type: "tool", ...call } as const;
  const known = (review: ReviewView) =>
    [{ status: "past", reviewId: "rev_1", review }] as const satisfies WaitingReview[];
  const open = openReview(1, { toolCallId: "call-1" });
  expect(toolProgress(item, known(decidedReview(open)), idle).decided).toEqual({
    how: "approved",
    by: "Bo",
  });
  const edited = known(editedReview(open, { amount: 90 }));
  expect(toolProgress(item, edited, idle)).toMatchObject({
    decided: { how: "edited", by: "Bo" },
    args: { amount: 90 },
  });
});

test("after a reload the tool message itself says that the call ran with changes", () => {
  const ranInstead = { name: "refund_order", args: { amount: 90 } };
  const [item] = conversationItems([
    new AIMessage({ id: "a1", content: "", tool_calls: [call] }),
    new ToolMessage({
      tool_call_id: "call-1",
      content: "Refunded.",
      additional_kwargs: { holdpoint: { ranInstead } },
    }),
  ]);
  expect(item).toMatchObject({ type: "tool", result: { ranWith: { amount: 90 } } });
  if (item?.type !== "tool") throw new Error("It is no tool call.");
  expect(toolProgress(item, [], idle)).toMatchObject({
    decided: { how: "edited", by: undefined },
    args: { amount: 90 },
  });
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
