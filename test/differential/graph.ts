import type { BaseMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import {
  Annotation,
  type BaseCheckpointSaver,
  Command,
  DeltaChannel,
  type DeltaReducer,
  END,
  messagesDeltaReducer,
  messagesStateReducer,
  Send,
  START,
  StateGraph,
  type StateSnapshot,
} from "@langchain/langgraph";
import { act, type Play, type State, type Update } from "./act.ts";
import type { GraphPlan, NodePlan } from "./program.ts";

/** A compiled graph, as far as it is played with; its saver can be replaced. */
export type PlayedGraph = {
  checkpointer?: BaseCheckpointSaver | false;
  invoke(input: unknown, config: object): Promise<unknown>;
  getState(config: RunnableConfig, options?: { subgraphs?: boolean }): Promise<StateSnapshot>;
  getStateHistory(config: RunnableConfig): AsyncIterableIterator<StateSnapshot>;
  updateState(config: object, values: unknown, asNode?: string): Promise<RunnableConfig>;
};

const worker = "worker";

/** Builds the graph of a plan. */
export function graphOf(plan: GraphPlan, play: Play): PlayedGraph {
  return compiled(plan, play, undefined);
}

function compiled(plan: GraphPlan, play: Play, checkpointer: true | undefined): PlayedGraph {
  const names = [...plan.nodes.map(({ name }) => name), worker];
  const graph = new StateGraph(stateOf(plan)) as unknown as OpenGraph; // its names are known only as it runs
  for (const node of plan.nodes) {
    const inner = node.subgraph;
    graph.addNode(
      node.name,
      inner === undefined
        ? (state: State) => run(node, state, play)
        : compiled(inner.plan, play, inner.keeps ? true : undefined),
      { ends: [...names, END] },
    );
  }
  graph.addNode(worker, (args: State) => run(workerPlan(plan), { ...nothing, ...args }, play), {});
  connect(graph, plan);
  return graph.compile(checkpointer === undefined ? {} : { checkpointer });
}

type OpenGraph = {
  addNode(name: string, run: unknown, options: object): unknown;
  addEdge(from: string | readonly string[], to: string): unknown;
  compile(options: object): PlayedGraph;
};

/** The worker does what the first node does, on a part of the state. */
function workerPlan({ nodes: [first] }: GraphPlan): NodePlan {
  return { name: worker, actions: first?.actions ?? [], to: [], by: "edges", sends: 0 };
}

const nothing: State = { messages: [], log: [], files: {}, box: null, delta: [] };

function connect(graph: OpenGraph, plan: GraphPlan): void {
  const [first] = plan.nodes;
  graph.addEdge(START, first?.name ?? END);
  const forks = new Set<string>();
  for (const { name, to, by } of plan.nodes) {
    if (by === "command") continue;
    // What two nodes lead to waits for both of them.
    if (to.length === 2) graph.addEdge(to, plan.nodes.at(-1)?.name ?? END);
    for (const next of to.length === 2 ? to : to.filter(() => !forks.has(name)))
      graph.addEdge(name, next);
    if (to.length === 2) for (const one of to) forks.add(one);
  }
}

function run(node: NodePlan, state: State, play: Play): Update | Command {
  const update = act(node.actions, state, play);
  const sends = Array.from(
    { length: node.sends },
    (_, index) => new Send(worker, { ...state, box: { part: index } }),
  );
  if (node.by === "edges" && sends.length === 0) return update;
  const next =
    node.by === "command" ? node.to.slice(0, 1 + (state.log.length % node.to.length)) : [];
  return new Command({ update, goto: [...next, ...sends] });
}

function stateOf({ messages }: GraphPlan) {
  const delta = (reducer: DeltaReducer<unknown[], unknown>) =>
    new DeltaChannel<unknown[]>(reducer, { snapshotFrequency: 4, initialValueFactory: () => [] });
  return Annotation.Root({
    messages:
      messages === "delta"
        ? ((() => delta(messagesDeltaReducer as DeltaReducer<unknown[], unknown>)) as never)
        : Annotation<BaseMessage[]>({ reducer: messagesStateReducer, default: () => [] }),
    log: Annotation<unknown[]>({ reducer: (one, more) => [...one, ...more], default: () => [] }),
    files: Annotation<Record<string, unknown>>({ reducer: mergeFiles, default: () => ({}) }),
    box: Annotation<unknown>(),
    delta: (() => delta((state, writes) => [...state, ...writes.flat()])) as never,
  });
}

function mergeFiles(
  files: Record<string, unknown>,
  changes: Record<string, unknown>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries({ ...files, ...changes }).filter(([, content]) => content !== null),
  );
}
