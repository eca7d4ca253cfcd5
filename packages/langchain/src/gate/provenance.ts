import { AsyncLocalStorage } from "node:async_hooks";
import type { BaseMessage } from "@langchain/core/messages";
import { getConfig } from "@langchain/langgraph";
import type { ParentCall, Provenance, ReviewDraft } from "@holdpoint/core";
import { askedFor } from "../history/call-key.ts";

/** An outer agent's tool call that is running: what runs inside it, on a resume too, was asked for by it. */
type OuterCall = {
  readonly path: readonly string[];
  readonly call: ParentCall;
  /** The messages in which the person's own request stands. */
  readonly messages: readonly BaseMessage[];
  /** The call that this agent itself runs in. */
  readonly around: OuterCall | undefined;
  /** The name in the outer agent's own configuration, which an agent inside may only have inherited. */
  readonly named: unknown;
};

const outerCall = new AsyncLocalStorage<OuterCall>();

type ToolRequest = {
  readonly toolCall: { readonly id?: string | undefined; readonly name: string };
  readonly state: { readonly messages: readonly BaseMessage[] };
};

/** The same handler, run so that an agent inside the tool knows which call of which agent it runs in. */
export function insideCallOf<Request extends ToolRequest, Output>(
  agent: string,
  handler: (request: Request) => Output,
): (request: Request) => Output {
  return (request) => {
    const { id = "", name } = request.toolCall;
    const around = outerCall.getStore();
    const inside: OuterCall = {
      path: agentPath(agent),
      call: { toolCallId: id, name },
      messages: around?.messages ?? request.state.messages,
      around,
      named: configuredName(),
    };
    return outerCall.run(inside, () => handler(request));
  };
}

/** The names from the outermost agent to this one. */
export function agentPath(agent: string): readonly string[] {
  const outer = outerCall.getStore();
  return outer === undefined ? [agent] : [...outer.path, nameInside(outer, agent)];
}

/** Which agent asks, and inside which call of the outer one; nothing for an agent that none called. */
export function provenanceHere(agent: string): Provenance {
  const outer = outerCall.getStore();
  return outer === undefined ? {} : { agentPath: agentPath(agent), parentCall: outer.call };
}

/** Who asks when the tool of the call that runs here asks a person by itself, and what that person had asked for. */
export function askerInside(): Pick<ReviewDraft, "agentPath" | "parentCall" | "askedFor"> {
  const running = outerCall.getStore();
  if (running === undefined) return {};
  const { path, messages, around } = running;
  const request = askedFor(messages);
  return {
    ...(around === undefined ? {} : { agentPath: path, parentCall: around.call }),
    ...(request === undefined ? {} : { askedFor: request }),
  };
}

/** What the person asked for: in a subagent, whose own messages another agent wrote, what the outermost one was asked. */
export function requestOfPerson(messages: readonly BaseMessage[]): string | undefined {
  return askedFor(outerCall.getStore()?.messages ?? messages);
}

/** deepagents names a subagent in the configuration it runs it with; any other agent goes by its gate's name. */
function nameInside(outer: OuterCall, agent: string): string {
  const named = configuredName();
  return typeof named === "string" && named !== outer.named ? named : agent;
}

function configuredName(): unknown {
  const config = getConfig() as { metadata?: Record<string, unknown> } | undefined; // none outside a run
  return config?.metadata?.["lc_agent_name"];
}
