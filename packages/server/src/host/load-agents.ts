import { HoldpointError } from "@holdpoint/core";
import { type HostedAgent, HoldpointSaver } from "@holdpoint/langchain";
import type { AgentConfig, AgentContext, HoldpointConfig } from "../config/config.ts";
import { firstLine } from "../web/first-line.ts";

/** An agent of the configuration, loaded or with the sentence that says why it is not. */
export type LoadedAgent = { readonly name: string; readonly config: AgentConfig } & (
  | { readonly status: "loaded"; readonly agent: HostedAgent }
  | { readonly status: "failed"; readonly error: HoldpointError }
);

/** Builds every agent; one that throws does not keep the others, nor the inbox, from working. */
export async function loadAgents(
  config: HoldpointConfig,
  context: AgentContext,
): Promise<ReadonlyMap<string, LoadedAgent>> {
  const agents = new Map<string, LoadedAgent>();
  for (const [name, agentConfig] of Object.entries(config.agents)) {
    agents.set(name, await loadAgent(name, agentConfig, context));
  }
  return agents;
}

async function loadAgent(
  name: string,
  config: AgentConfig,
  context: AgentContext,
): Promise<LoadedAgent> {
  try {
    return { name, config, status: "loaded", agent: hosted(await config.create(context)) };
  } catch (cause) {
    const error = new HoldpointError(
      "agent_failed_to_load",
      `The agent "${name}" could not be loaded: ${firstLine(cause)}. Correct it and start the server again; its threads and reviews are kept.`,
      { cause },
    );
    return { name, config, status: "failed", error };
  }
}

/** A graph without Holdpoint's checkpointer cannot be run; it is better to hear that at the start. */
function hosted(agent: HostedAgent | undefined): HostedAgent {
  if (typeof agent !== "object" || agent === null)
    throw new Error("its create() returned no agent");
  const graph: unknown = "graph" in agent ? agent.graph : agent;
  const saver =
    typeof graph === "object" && graph !== null && "checkpointer" in graph
      ? graph.checkpointer
      : undefined;
  if (saver instanceof HoldpointSaver) return agent;
  throw new Error(
    "it does not keep its state in Holdpoint (build it with holdAgent, or pass checkpointer(holdpoint) to createAgent)",
  );
}
