import type { ClientTool } from "@langchain/core/tools";
import {
  type AgentMiddleware,
  createAgent,
  type CreateAgentParams,
  createMiddleware,
} from "langchain";
import type { Unlisted } from "@holdpoint/core";
import type { Engine } from "@holdpoint/engine";
import { checkpointer } from "./checkpoints/checkpointer.ts";
import { registerPolicy } from "./gate/bound-gate.ts";
import { gateMiddleware } from "./gate/human-in-the-loop.ts";
import { oneTaskForAll } from "./gate/can-wait.ts";
import { compileGate, type Gate, type HumanInTheLoopOptions } from "./gate/options.ts";
import { refuseMisspelled } from "./gate/misspelled-names.ts";
import { type InvokableTool, isInvokable, permittedTool } from "./tool/permitted-tool.ts";
import { schemaOf } from "./tool/tool-schema.ts";
import { refusingResumes } from "./run/refusing-resumes.ts";

/** What `holdAgent` takes: `createAgent`'s parameters, the rules, and the engine. */
export type HoldAgentParams = Omit<
  CreateAgentParams,
  "checkpointer" | "tools" | "middleware" | "responseFormat" | "stateSchema" | "contextSchema"
> &
  Omit<HumanInTheLoopOptions, "agent"> & {
    readonly responseFormat?: CreateAgentParams["responseFormat"];
    readonly stateSchema?: Parameters<typeof createAgent>[0]["stateSchema"];
    readonly contextSchema?: Parameters<typeof createAgent>[0]["contextSchema"];
    readonly holdpoint: Engine;
    readonly tools: readonly ClientTool[];
    readonly middleware?: readonly AgentMiddleware[];
    /** Tools that `interruptOn` does not list: a person is asked, unless this says otherwise. */
    readonly unlisted?: Unlisted | undefined;
  };

/** An agent that holds its risky tool calls. */
export type HeldAgent = ReturnType<typeof createAgent>;

/**
 * `createAgent` with everything in place: the gate outermost, every registered tool wrapped so that a
 * held call runs only with its permit whatever other middlewares do, and the engine's checkpointer.
 * Throws `config_invalid` that names the key when a rule is wrong.
 */
export function holdAgent(params: HoldAgentParams): HeldAgent {
  const { options, rest } = splitParams(params);
  refuseMisspelled(rest, Object.keys(options), "");
  const { holdpoint, tools, middleware = [] } = params;
  const name = params.name ?? "agent";
  const allTools = [...tools, ...middleware.flatMap((one) => one.tools ?? [])].filter(isInvokable);
  const schemas = new Map(allTools.map((tool) => [tool.name, schemaOf(tool)]));
  const compiled = compileGate({
    ...options,
    agent: name,
    interruptMode: options.interruptMode ?? "per_call",
    unlisted: options.unlisted ?? "review",
  });
  const named = new Map(allTools.map((tool) => [tool.name, tool]));
  const gate = { ...compiled, schemas, tools: named, isClosed: true };
  if (gate.mode === "per_call" && params.version === "v1") throw oneTaskForAll(name);
  registerPolicy({ ...gate, holdpoint });
  const agentParams = {
    ...rest,
    name,
    tools: tools.map((tool) => permittedTool(gate, tool as InvokableTool)),
    middleware: [gateMiddleware(gate), ...middleware.map((one) => guardTools(gate, one)), seal()],
    checkpointer: checkpointer(holdpoint),
  };
  // LangChain infers these types from literals only.
  return refusingResumes(createAgent(agentParams as Parameters<typeof createAgent>[0]));
}

/** What the gate is made of, and what `createAgent` takes. */
function splitParams(params: HoldAgentParams) {
  const {
    interruptOn,
    holdpoint,
    interruptMode,
    unlisted,
    descriptionPrefix,
    mixedDecisions,
    editNotice,
    maxRejections,
    answers,
    contextMayLoosen,
    ...rest
  } = params;
  const options = {
    interruptOn,
    holdpoint,
    interruptMode,
    unlisted,
    descriptionPrefix,
    mixedDecisions,
    editNotice,
    maxRejections,
    answers,
    contextMayLoosen,
  };
  return { options: options satisfies HumanInTheLoopOptions, rest };
}

/** The tools that a middleware brings are guarded like the agent's own. */
function guardTools(gate: Gate, middleware: AgentMiddleware): AgentMiddleware {
  if (middleware.tools === undefined) return middleware;
  const tools = middleware.tools.map((tool) =>
    isInvokable(tool) ? permittedTool(gate, tool) : tool,
  );
  return { ...middleware, tools };
}

/**
 * The innermost middleware: whatever tool others put in place of the registered one, the registered,
 * guarded one runs; a name that is not registered gets LangChain's own "not a valid tool" answer.
 */
function seal(): AgentMiddleware {
  return createMiddleware({
    name: "HoldpointSeal",
    wrapToolCall: (request, handler) => handler({ ...request, tool: undefined }),
  });
}
