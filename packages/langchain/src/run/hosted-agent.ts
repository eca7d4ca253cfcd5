import type { CompiledStateGraph } from "@langchain/langgraph";

/** A compiled graph with any state: a host knows nothing about an agent's types. */
export type AnyGraph = CompiledStateGraph<object, object, string>;

/** What a host can run: an agent of `holdAgent` or `createAgent`, or a compiled graph. */
export type HostedAgent = { readonly graph: unknown } | AnyGraph;

/** The graph inside an agent. */
export function graphOf(agent: HostedAgent): AnyGraph {
  return ("graph" in agent ? agent.graph : agent) as AnyGraph; // an agent's graph is a compiled one of its own types
}
