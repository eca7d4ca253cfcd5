import type { ActionView } from "@holdpoint/core";
import { effectiveArgs, outcomeKind } from "../review/outcome-kind.ts";
import type { ConversationItem } from "./conversation-items.ts";
import type { WaitingReview } from "./waiting-reviews.ts";

type ToolItem = Extract<ConversationItem, { type: "tool" }>;

/** How far a tool call is, who decided it when this page knows, and what it runs with. */
export type ToolProgress = {
  readonly state: "waiting" | "running" | "success" | "error" | "stopped" | "none";
  readonly decided?: {
    readonly how: "approved" | "edited" | "rejected" | "answered";
    /** Absent when only the tool message tells of the decision. */
    readonly by: string | undefined;
  };
  readonly args: Readonly<Record<string, unknown>>;
};

/** What is known of the thread's run. */
export type RunProgress = {
  readonly isLoading: boolean;
  /** The ids of the calls that had no result when the person stopped the run. */
  readonly stopped: ReadonlySet<string>;
};

/** Says how far a tool call is, from its result, the reviews of the thread and what is known of its run. */
export function toolProgress(
  item: ToolItem,
  reviews: readonly WaitingReview[],
  run: RunProgress,
): ToolProgress {
  const action = actionOf(item.id, reviews);
  const decided = decisionOn(item, action);
  const rest = {
    args: action === undefined ? (item.result?.ranWith ?? item.args) : effectiveArgs(action),
    ...(decided === undefined ? {} : { decided }),
  };
  if (item.result !== undefined) return { state: item.result.status, ...rest };
  if (action?.status === "open") return { state: "waiting", args: item.args };
  if (run.stopped.has(item.id)) return { state: "stopped", ...rest };
  return { state: run.isLoading ? "running" : "none", ...rest };
}

function decisionOn(item: ToolItem, action: ActionView | undefined): ToolProgress["decided"] {
  const how = action === undefined ? "closed" : outcomeKind(action);
  if (how === "expired") return { how: "rejected", by: undefined };
  if (action?.recorded !== undefined)
    return how === "closed" ? undefined : { how, by: action.recorded.reviewer.name };
  return item.result?.ranWith === undefined ? undefined : { how: "edited", by: undefined };
}

function actionOf(toolCallId: string, reviews: readonly WaitingReview[]): ActionView | undefined {
  return reviews
    .flatMap((entry) => (entry.status === "loading" ? [] : (entry.review?.actions ?? [])))
    .findLast((action) => action.toolCallId === toolCallId);
}
