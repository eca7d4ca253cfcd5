import type { AgentMiddleware } from "langchain";
import { HoldpointSaver } from "../checkpoints/checkpointer.ts";
import { gateOfMiddleware } from "../gate/gate-of.ts";
import type { Gate } from "../gate/options.ts";
import { isInvokable, isPermittedTool } from "../tool/permitted-tool.ts";

/** What `explainGate` reads of an agent: one of `createAgent`, `createDeepAgent`, `holdAgent`. */
export type ExplainableAgent = { readonly options: object; readonly graph: object };

/** What keeps the agent's pauses. `inherited`: whatever the graph around it has. */
export type CheckpointerKind =
  | { readonly type: "none" }
  | { readonly type: "inherited" }
  | { readonly type: "holdpoint" }
  | { readonly type: "foreign"; readonly name: string };

/** How far a tool of the agent is under the gate. */
export type ToolFacts = {
  readonly isRegistered: boolean;
  /**
   * `always`: the registered tool checks its permit itself. `in_passing`: the gate puts the check in when
   * a call passes it. `never`: the tool runs at the model's provider, or nowhere.
   */
  readonly isWrapped: "always" | "in_passing" | "never";
};

/** An agent's parts, as far as they bear on whether a call is held. */
export type AgentFacts = {
  readonly gate: Gate | undefined;
  readonly middleware: readonly AgentMiddleware[];
  readonly tools: ReadonlyMap<string, unknown>;
  readonly checkpointer: CheckpointerKind;
  readonly saver: object | undefined;
  readonly isVersion1: boolean;
};

/** Reads an agent's parts from what `createAgent` keeps of them. */
export function readAgent({ options, graph }: ExplainableAgent): AgentFacts {
  const middleware = listIn(options, "middleware") as readonly AgentMiddleware[]; // createAgent takes nothing else
  const tools = [...listIn(options, "tools"), ...middleware.flatMap((one) => one.tools ?? [])];
  const gates = middleware.flatMap((one) => gateOfMiddleware(one) ?? []);
  return {
    gate: gates[0],
    middleware,
    tools: new Map(tools.map((tool) => [nameOf(tool), tool])),
    ...checkpointerOf(readKey(graph, "checkpointer")),
    isVersion1: readKey(options, "version") === "v1",
  };
}

/** How far a tool is under the agent's gate. */
export function factsOfTool({ gate, tools }: AgentFacts, name: string): ToolFacts {
  const tool = tools.get(name);
  if (tool === undefined) return { isRegistered: false, isWrapped: "never" };
  if (gate === undefined || !isInvokable(tool)) return { isRegistered: true, isWrapped: "never" };
  return { isRegistered: true, isWrapped: isPermittedTool(tool) ? "always" : "in_passing" };
}

function checkpointerOf(saver: unknown): Pick<AgentFacts, "checkpointer" | "saver"> {
  if (typeof saver !== "object" || saver === null) {
    return { checkpointer: { type: saver === true ? "inherited" : "none" }, saver: undefined };
  }
  return saver instanceof HoldpointSaver
    ? { checkpointer: { type: "holdpoint" }, saver }
    : { checkpointer: { type: "foreign", name: saver.constructor.name }, saver };
}

/** A provider's own tool has a name or, at least, a type. */
function nameOf(tool: unknown): string {
  const name = readKey(tool, "name") ?? readKey(tool, "type");
  return typeof name === "string" ? name : "";
}

function listIn(value: object, key: string): readonly unknown[] {
  const list = readKey(value, key);
  return Array.isArray(list) ? list : [];
}

function readKey(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
}
