import type { ActionView } from "@holdpoint/core";
import type { ConversationItem } from "./conversation-items.ts";
import type { WaitingReview } from "./waiting-reviews.ts";

type ToolItem = Extract<ConversationItem, { type: "tool" }>;

/** How far a tool call is, and who decided it when this page knows. */
export type ToolProgress = {
  readonly state: "waiting" | "running" | "success" | "error" | "none";
  readonly decided?: { readonly how: "approved" | "rejected" | "answered"; readonly by: string };
};

/** Says how far a tool call is, from its result, the reviews of the thread and whether a run is on. */
export function toolProgress(
  item: ToolItem,
  reviews: readonly WaitingReview[],
  isLoading: boolean,
): ToolProgress {
  const action = actionOf(item.id, reviews);
  const { outcome, recorded } = action ?? {};
  const decided =
    outcome === undefined || recorded === undefined
      ? {}
      : { decided: { how: outcome.type, by: recorded.reviewer.name } };
  if (item.result !== undefined) return { state: item.result.status, ...decided };
  if (action?.status === "open") return { state: "waiting" };
  return { state: isLoading ? "running" : "none", ...decided };
}

function actionOf(toolCallId: string, reviews: readonly WaitingReview[]): ActionView | undefined {
  return reviews
    .flatMap((entry) => (entry.status === "loading" ? [] : (entry.review?.actions ?? [])))
    .findLast((action) => action.toolCallId === toolCallId);
}
