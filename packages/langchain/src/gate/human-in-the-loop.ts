import { type AgentMiddleware, createMiddleware } from "langchain";
import { askModel } from "../history/ask-model.ts";
import { bindGate, registerPolicy } from "./bound-gate.ts";
import { canWait, checkTurnCanWait } from "./check-turn.ts";
import { registerGate } from "./gate-of.ts";
import { holdCall } from "./hold-call.ts";
import { finishTurn } from "../turn/hold-turn.ts";
import type { HumanInTheLoopMiddleware } from "./langchain-types.ts";
import { compileGate, type Gate, type HumanInTheLoopOptions } from "./options.ts";
import { isInvokable } from "../tool/permitted-tool.ts";
import { insideCallOf } from "./provenance.ts";
import { readTask } from "../pause/task.ts";
import { schemaOf } from "../tool/tool-schema.ts";

/** The name of LangChain's middleware and of ours: an agent has one of them. */
export const gateName = "HumanInTheLoopMiddleware";

/**
 * Holds risky tool calls until a person has decided, then runs exactly what was approved, once.
 * Takes the place of LangChain's middleware of the same name. Throws `config_invalid` that names the
 * key when an option is wrong.
 */
export function humanInTheLoopMiddleware(
  options: HumanInTheLoopOptions = {},
): HumanInTheLoopMiddleware {
  const gate = compileGate(options);
  if (gate.engine !== undefined) registerPolicy({ ...gate, holdpoint: gate.engine });
  return gateMiddleware(gate) as HumanInTheLoopMiddleware; // it brings no tools and no stream transformers
}

/** The middleware of a compiled gate. */
export function gateMiddleware(gate: Gate): AgentMiddleware {
  // Only the legacy rule needs a node of its own: one costs more than all else that the gate does.
  const hook: Pick<Parameters<typeof createMiddleware>[0], "afterModel"> = gate.isLegacy
    ? {
        afterModel: {
          canJumpTo: ["model"],
          hook: (state, runtime) => finishTurn(gate, state, runtime),
        },
      }
    : {};
  const middleware = createMiddleware({
    name: gateName,
    ...hook,
    wrapModelCall: async (request, handler) => {
      for (const tool of request.tools) remember(gate, tool);
      const task = readTask(request.runtime.configurable);
      const response = await askModel(bindGate(gate, task.saver), task, request, handler);
      if (!canWait(task)) await checkTurnCanWait(gate, task, request, response);
      return response;
    },
    wrapToolCall: (request, handler) => holdCall(gate, request, insideCallOf(gate.agent, handler)),
  });
  registerGate(middleware, gate);
  return middleware;
}

function remember(gate: Gate, tool: unknown): void {
  if (!isInvokable(tool) || gate.tools.has(tool.name)) return;
  gate.tools.set(tool.name, tool);
  gate.schemas.set(tool.name, schemaOf(tool));
}
