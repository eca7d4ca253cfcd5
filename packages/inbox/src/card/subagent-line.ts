import type { ReviewView } from "@holdpoint/core";
import type { CardTexts } from "./texts.ts";

/** The line that says which subagent asks, or `undefined` when the agent itself does. */
export function subagentLine(
  { agentPath = [], parentCall }: Pick<ReviewView, "agentPath" | "parentCall">,
  texts: Pick<CardTexts, "subagent" | "subagentOfCall">,
): string | undefined {
  if (agentPath.length < 2) return undefined;
  const path = agentPath.join(" → ");
  return parentCall === undefined
    ? texts.subagent(path)
    : texts.subagentOfCall(path, parentCall.name);
}
