import type { ReviewView } from "@holdpoint/core";

/** The agent that the person talks to: for a subagent's review the outermost one, to which the thread belongs. */
export function outermostAgent({
  agent,
  agentPath = [],
}: Pick<ReviewView, "agent" | "agentPath">): string {
  return agentPath[0] ?? agent;
}
