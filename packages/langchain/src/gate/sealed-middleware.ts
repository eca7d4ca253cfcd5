import type { AgentMiddleware } from "langchain";
import type { Gate } from "./options.ts";
import { isInvokable, permittedTool } from "../tool/permitted-tool.ts";

/**
 * The same middleware, wherever it stands behind the gate: the tools it brings are guarded, and whatever
 * tool it puts in place of the one it was given, the guarded one goes on.
 */
export function sealedMiddleware(gate: Gate, middleware: AgentMiddleware): AgentMiddleware {
  const { tools, wrapToolCall } = middleware;
  return {
    ...middleware,
    ...(tools === undefined
      ? {}
      : { tools: tools.map((tool) => (isInvokable(tool) ? permittedTool(gate, tool) : tool)) }),
    ...(wrapToolCall === undefined
      ? {}
      : {
          wrapToolCall: (request, handler) =>
            wrapToolCall(request, (next) => handler({ ...next, tool: request.tool })),
        }),
  };
}
