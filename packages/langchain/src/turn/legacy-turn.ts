import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import { outcomeOf, type Review } from "@holdpoint/core";
import { copyOf } from "../history/ai-message.ts";
import { outcomeMessage } from "../tool/tool-messages.ts";

/** What LangChain's hook returns. */
export type UsualUpdate = { readonly messages: BaseMessage[]; readonly jumpTo?: "model" };

/**
 * The end of a turn as LangChain had it before 1.6.1 (`mixedDecisions: "legacy"`): calls that need no
 * person come first, edits stand in the message, and one rejection drops what was approved.
 */
export function finishAsBefore(turn: AIMessage, review: Review): UsualUpdate {
  const actions = new Map(review.actions.map((action) => [action.toolCallId, action]));
  const calls = turn.tool_calls ?? [];
  const isAnyRejected = review.actions.some((action) => outcomeOf(action)?.type === "rejected");
  const free = calls.filter((call) => !actions.has(call.id ?? ""));
  const decided = calls.flatMap((call) => {
    const action = actions.get(call.id ?? "");
    const outcome = action === undefined ? undefined : outcomeOf(action);
    if (outcome === undefined || (isAnyRejected && outcome.type === "approved")) return [];
    return [outcome.type === "approved" ? { ...call, ...outcome.call } : call];
  });
  const results = calls.flatMap((call) => {
    const action = actions.get(call.id ?? "");
    const outcome = action === undefined ? undefined : outcomeOf(action);
    if (action === undefined || outcome === undefined || outcome.type === "approved") return [];
    return [outcomeMessage(action.id, call, outcome, review.cause, true)];
  });
  return {
    messages: [copyOf(turn, { tool_calls: [...free, ...decided] }), ...results],
    ...(isAnyRejected ? { jumpTo: "model" } : {}),
  };
}
