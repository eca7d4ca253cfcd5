import type { ClientTool } from "@langchain/core/tools";
import {
  type AgentMiddleware,
  createAgent,
  type CreateAgentParams,
  createMiddleware,
} from "langchain";
import type { Call, Unlisted } from "@holdpoint/core";
import type { Engine } from "@holdpoint/engine";
import { checkpointer } from "./checkpoints/checkpointer.ts";
import { judgeEdit } from "./gate/held-call.ts";
import { gateMiddleware } from "./gate/human-in-the-loop.ts";
import {
  compileGate,
  type Gate,
  type HumanInTheLoopOptions,
  type InterruptOn,
} from "./gate/options.ts";
import { type InvokableTool, isInvokable, permittedTool } from "./gate/permitted-tool.ts";
import { schemaOf } from "./gate/tool-schema.ts";

/** What `holdAgent` takes: `createAgent`'s parameters, the rules, and the engine. */
export type HoldAgentParams = Omit<
  CreateAgentParams,
  "checkpointer" | "tools" | "middleware" | "responseFormat"
> & {
  readonly responseFormat?: CreateAgentParams["responseFormat"];
  readonly interruptOn: InterruptOn;
  readonly holdpoint: Engine;
  readonly tools: readonly ClientTool[];
  readonly middleware?: readonly AgentMiddleware[];
  readonly interruptMode?: HumanInTheLoopOptions["interruptMode"];
  /** Tools that `interruptOn` does not list: a person is asked, unless this says otherwise. */
  readonly unlisted?: Unlisted;
  readonly descriptionPrefix?: string;
};

/** An agent that holds its risky tool calls. */
export type HeldAgent = ReturnType<typeof createAgent>;

/**
 * `createAgent` with everything in place: the gate outermost, every registered tool wrapped so that a
 * held call runs only with its permit whatever other middlewares do, and the engine's checkpointer.
 * Throws `config_invalid` that names the key when a rule is wrong.
 */
export function holdAgent(params: HoldAgentParams): HeldAgent {
  const {
    interruptOn,
    holdpoint,
    tools,
    middleware = [],
    interruptMode,
    unlisted,
    descriptionPrefix,
    ...rest
  } = params;
  const name = params.name ?? "agent";
  const allTools = [...tools, ...middleware.flatMap((one) => one.tools ?? [])].filter(isInvokable);
  const schemas = new Map(allTools.map((tool) => [tool.name, schemaOf(tool)]));
  const compiled = compileGate({
    interruptOn,
    holdpoint,
    agent: name,
    interruptMode: interruptMode ?? "per_call",
    unlisted: unlisted ?? "review",
    ...(descriptionPrefix === undefined ? {} : { descriptionPrefix }),
  });
  const gate = { ...compiled, schemas, isClosed: true };
  holdpoint.registerAgent(name, async (call: Call, { threadId }) => {
    if (!schemas.has(call.name)) {
      return {
        type: "deny",
        rule: "tools",
        reason: `${call.name} is not one of the agent's tools: ${[...schemas.keys()].join(", ")}.`,
      };
    }
    return judgeEdit(gate, call, threadId, schemas.get(call.name));
  });
  const agentParams = {
    ...rest,
    name,
    tools: tools.map((tool) => permittedTool(gate, tool as InvokableTool)),
    middleware: [gateMiddleware(gate), ...middleware.map((one) => guardTools(gate, one)), seal()],
    checkpointer: checkpointer(holdpoint),
  };
  return createAgent(agentParams as Parameters<typeof createAgent>[0]); // LangChain infers these types from literals only
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
