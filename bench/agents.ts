import { HumanMessage } from "@langchain/core/messages";
import {
  type BaseCheckpointSaver,
  Command,
  interrupt,
  MemorySaver,
  MessagesDeltaValue,
  StateSchema,
} from "@langchain/langgraph";
import {
  type checkpointer,
  type HumanInTheLoopOptions,
  humanInTheLoopMiddleware,
} from "@holdpoint/langchain";
import { callsOnce, ScriptedModel } from "@holdpoint/langchain/testing";
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  humanInTheLoopMiddleware as stockMiddleware,
  tool,
} from "langchain";
import { z } from "zod";

/** The two tools of every agent here; only `write` is held. */
export const tools = ["read", "write"].map((name) =>
  tool(async () => "ok", {
    name,
    description: `${name}s a file`,
    schema: z.object({ path: z.string(), text: z.string() }),
  }),
);

/** LangChain's own middleware. */
export function stock(): AgentMiddleware {
  const options = { interruptOn: { write: true } };
  // LangChain's own types do not agree with exactOptionalPropertyTypes.
  return stockMiddleware(options as never) as unknown as AgentMiddleware;
}

/** Ours, in its place. */
export function ours(more: Omit<HumanInTheLoopOptions, "interruptOn">): AgentMiddleware {
  return humanInTheLoopMiddleware({ interruptOn: { write: true }, ...more });
}

/** A middleware that does nothing around the model and the tools: what any gate costs before it does anything. */
export function empty(): AgentMiddleware {
  return createMiddleware({
    name: "Empty",
    wrapModelCall: (request, handler) => handler(request),
    wrapToolCall: (request, handler) => handler(request),
  });
}

/** The least that a gate can do: it asks before the tool runs, keeps nothing and checks nothing. */
export function bareInterrupt(): AgentMiddleware {
  return createMiddleware({
    name: "BareInterrupt",
    wrapModelCall: (request, handler) => handler(request),
    wrapToolCall: (request, handler) => {
      interrupt({ actionRequests: [{ name: request.toolCall.name, args: request.toolCall.args }] });
      return handler(request);
    },
  });
}

/** A model that calls one tool for each message and answers at once: what is left to measure is framework. */
export function modelThatCalls(name: "read" | "write"): ScriptedModel {
  return new ScriptedModel(callsOnce({ name, args: { path: "a", text: "x" } }));
}

/** An agent of any kind; a bench only invokes it. */
type Invokable = {
  invoke: (input: never, config: object) => Promise<unknown>;
};

/** How a graph is run: `exit` saves nothing before a run ends. */
export type Durability = "async" | "exit";

/** Asks the agent something. */
export async function ask(
  agent: Invokable,
  threadId: string,
  durability: Durability = "async",
): Promise<unknown> {
  const input = { messages: [new HumanMessage("go")] };
  const config = { configurable: { thread_id: threadId }, durability };
  return agent.invoke(input as never, config); // every agent takes messages
}

/** Approves the one call that waits. */
export async function approve(
  agent: Invokable,
  threadId: string,
  durability: Durability = "async",
): Promise<unknown> {
  const answer = new Command({ resume: { decisions: [{ type: "approve" }] } });
  const config = { configurable: { thread_id: threadId }, durability };
  return agent.invoke(answer as never, config); // and commands
}

/** The same with LangGraph's channel of message deltas, and without a task of its own for each call: its most frugal set-up. */
export function agentOfDeltas(
  middleware: readonly AgentMiddleware[],
  model: ScriptedModel,
  saver: BaseCheckpointSaver,
): Invokable {
  const stateSchema = new StateSchema({ messages: MessagesDeltaValue });
  const options = { model, tools, checkpointer: saver, middleware, stateSchema, version: "v1" };
  return createAgent(options as never) as unknown as Invokable; // its types know the schema of a graph only
}

/** An agent of LangChain's with this middleware, over LangGraph's checkpointer in memory or another. */
export function agentWith(
  middleware: readonly AgentMiddleware[],
  model: ScriptedModel,
  saver: MemorySaver | ReturnType<typeof checkpointer>,
): Invokable {
  return createAgent({ model, tools, checkpointer: saver, middleware });
}
