import { Annotation, END, interrupt, START, StateGraph } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

/** The config of a thread. */
export function at(threadId: string) {
  return { configurable: { thread_id: threadId } };
}

type Readable = {
  getStateHistory: (config: ReturnType<typeof at>) => AsyncIterable<unknown>;
};

/** All that a thread was. */
export async function historyOf(graph: Readable, threadId: string): Promise<unknown[]> {
  const history: unknown[] = [];
  for await (const snapshot of graph.getStateHistory(at(threadId))) history.push(snapshot);
  return history;
}

const State = Annotation.Root({
  said: Annotation<string[]>({ default: () => [], reducer: (all, more) => [...all, ...more] }),
  n: Annotation<number>({ default: () => 0, reducer: (_, next) => next }),
});

/** Counts up to five. */
export function counter(saver: BaseCheckpointSaver) {
  return new StateGraph(State)
    .addNode("step", ({ n }) => ({ n: n + 1, said: [`step ${n + 1} of ${"x".repeat(40)}`] }))
    .addEdge(START, "step")
    .addConditionalEdges("step", ({ n }) => (n < 5 ? "step" : END))
    .compile({ checkpointer: saver });
}

/** A subgraph that asks, in a graph that goes on with the answer. */
export function asker(saver: BaseCheckpointSaver) {
  const inner = new StateGraph(State)
    .addNode("prepare", () => ({ said: ["prepared"] }))
    .addNode("ask", () => ({ said: [`heard ${String(interrupt("which one?"))}`] }))
    .addEdge(START, "prepare")
    .addEdge("prepare", "ask")
    .addEdge("ask", END)
    .compile();
  return new StateGraph(State)
    .addNode("inner", inner)
    .addNode("beside", () => ({ n: 9 }))
    .addEdge(START, "inner")
    .addEdge(START, "beside")
    .addEdge("inner", END)
    .compile({ checkpointer: saver });
}
