import { type AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { type AgentMiddleware, createMiddleware } from "langchain";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { Action, Call, Reviewer } from "@holdpoint/core";
import { forget, free } from "./freed-calls.ts";
import { opensReviewsFor } from "../checkpoints/checkpointer.ts";
import { turnOf } from "./call-key.ts";
import { rewriteEdits } from "./rewrite-edits.ts";
import { actionFor, judge, judgeEdit, keyOf, type Proposal, reviewFor } from "./held-call.ts";
import { compileGate, type Gate, type HumanInTheLoopOptions } from "./options.ts";
import { askPerson, awaitDecision, type Waiting } from "./pause.ts";
import { isInvokable, permittedTool } from "./permitted-tool.ts";
import { type Resolution, resolveCall } from "./resolve-call.ts";
import { noteEdit, refusedMessage, withMessageId } from "./tool-messages.ts";
import { schemaOf } from "./tool-schema.ts";

/**
 * Holds risky tool calls until a person has decided, then runs exactly what was approved, once.
 * Takes the place of LangChain's middleware of the same name. Throws `config_invalid` that names the
 * key when an option is wrong.
 */
export function humanInTheLoopMiddleware(options: HumanInTheLoopOptions): AgentMiddleware {
  const gate = compileGate(options);
  gate.holdpoint.registerAgent(gate.agent, (call, context) =>
    judgeEdit(gate, call, context.threadId),
  );
  return gateMiddleware(gate);
}

/** The middleware of a compiled gate. */
export function gateMiddleware(gate: Gate): AgentMiddleware {
  const batched =
    gate.mode === "batched"
      ? { afterModel: (state: AgentState, runtime: AgentRuntime) => holdTurn(gate, state, runtime) }
      : {};
  return createMiddleware({
    name: "HumanInTheLoopMiddleware",
    ...batched,
    wrapModelCall: async (request, handler) => {
      for (const tool of request.tools) rememberSchema(gate, tool);
      return rewriteEdits(request, handler);
    },
    wrapToolCall: async (request, handler) => {
      const { toolCall, tool, state } = request;
      if (tool === undefined && gate.isClosed) return handler(request); // LangChain says it is no tool
      const proposal = propose(request.runtime.configurable, {
        toolCall,
        argsSchema: schemaOf(tool),
        state,
        runtime: request.runtime,
      });
      if (proposal === undefined) return runWithoutThread(gate, request, handler);
      if (isAmbiguous(proposal)) {
        return refusedMessage(
          toolCall,
          "another call of the same message has the same id; use one id for each call.",
        );
      }
      const waiting = waitingFor(gate, request.runtime.configurable);
      const resolution = await resolveCall(gate, waiting, proposal);
      const withTool = isInvokable(tool) ? { tool: permittedTool(gate, tool) } : {};
      const run = (call: Partial<Call>) =>
        handler({ ...request, ...withTool, toolCall: { ...toolCall, ...call } });
      try {
        return withId(await perform(resolution, run), proposal);
      } finally {
        forget(gate, keyOf(proposal));
      }
    },
  });
}

type AgentState = { readonly messages: BaseMessage[] };
type AgentRuntime = { readonly configurable?: Record<string, unknown> | undefined };

/** A call that belongs to no thread: it may run when the rules let it, but no decision on it could be kept. */
async function runWithoutThread<
  Request extends {
    readonly toolCall: ToolCall;
    readonly state: AgentState;
    readonly runtime: AgentRuntime;
  },
  Output,
>(
  gate: Gate,
  request: Request,
  handler: (request: Request) => Output,
): Promise<Awaited<Output> | ToolMessage> {
  const { toolCall, state, runtime } = request;
  const about = {
    toolCall,
    argsSchema: undefined,
    threadId: "",
    turnId: "",
    messages: state.messages,
    state,
    runtime,
  };
  const judgement = await judge(gate, about);
  if (judgement.type === "judged" && judgement.verdict.type === "allow")
    return await handler(request);
  return refusedMessage(
    toolCall,
    "it belongs to no thread, so no decision on it could be kept; pass configurable.thread_id.",
  );
}

async function perform<Output>(
  resolution: Resolution,
  run: (call: Partial<Call>) => Output | Promise<Output>,
): Promise<Output | ToolMessage> {
  switch (resolution.type) {
    case "answered":
      return resolution.message;
    case "free":
      return run({});
    case "approved": {
      const { call, edited } = resolution;
      const output = await run(call);
      return edited && ToolMessage.isInstance(output) ? noteEdit(output, call) : output;
    }
    default:
      return resolution satisfies never;
  }
}

/** A ToolMessage without an id would get another one each time a paused state is read. */
function withId<Output>(output: Output, { turnId, toolCall }: Proposal): Output | ToolMessage {
  if (!ToolMessage.isInstance(output) || output.id !== undefined) return output;
  return withMessageId(output, `tool_${turnId}_${toolCall.id ?? ""}`);
}

/** `batched`: one review for all held calls of the turn; the tools node starts after it is decided. */
async function holdTurn(gate: Gate, state: AgentState, runtime: AgentRuntime): Promise<undefined> {
  const turn = state.messages.at(-1);
  const calls = (turn as AIMessage | undefined)?.tool_calls ?? []; // only AI messages have any
  const waiting = waitingFor(gate, runtime.configurable);
  const held: Action[] = [];
  let shared: Proposal | undefined;
  for (const toolCall of calls) {
    const proposal = propose(runtime.configurable, {
      toolCall,
      argsSchema: gate.schemas.get(toolCall.name),
      state,
      runtime,
    });
    if (proposal === undefined) return undefined;
    if (gate.isClosed && !gate.schemas.has(toolCall.name)) continue;
    shared = proposal;
    const record = await gate.holdpoint.findAction(keyOf(proposal));
    if (record !== undefined) {
      await awaitDecision(waiting, record.review);
      return undefined;
    }
    const judgement = await judge(gate, proposal);
    if (judgement.type === "judged" && judgement.verdict.type === "allow") {
      free(gate, keyOf(proposal), toolCall);
    }
    if (judgement.type === "judged" && judgement.verdict.type === "review") {
      held.push(await actionFor(gate, proposal, judgement.verdict));
    }
  }
  if (held.length === 0 || shared === undefined) return undefined;
  const about = shared;
  return askPerson(waiting, reviewFor(gate, about, held, "policy"));
}

function propose(
  configurable: Record<string, unknown> | undefined,
  call: Pick<Proposal, "toolCall" | "argsSchema" | "runtime"> & { readonly state: AgentState },
): Proposal | undefined {
  const { messages } = call.state;
  const turnId = turnOf(messages, call.toolCall.id)?.id;
  const threadId = configurable?.["thread_id"];
  if (turnId === undefined || typeof threadId !== "string") return undefined;
  return { ...call, threadId, turnId, messages };
}

/** True for a call whose id another, different call of its message has too: no record could tell them apart. */
function isAmbiguous({ messages, toolCall }: Proposal): boolean {
  const calls = turnOf(messages, toolCall.id)?.tool_calls ?? [];
  const [first] = calls.filter((call) => call.id === toolCall.id);
  return (
    first !== undefined &&
    JSON.stringify([first.name, first.args]) !== JSON.stringify([toolCall.name, toolCall.args])
  );
}

function rememberSchema(gate: Gate, tool: unknown): void {
  if (isInvokable(tool) && !gate.schemas.has(tool.name))
    gate.schemas.set(tool.name, schemaOf(tool));
}

const bareResume: Reviewer = { id: "resume", name: "Command({ resume })" };

function waitingFor(gate: Gate, configurable: Record<string, unknown> | undefined): Waiting {
  const taskId = configurable?.["__pregel_task_id"];
  return {
    holdpoint: gate.holdpoint,
    saverOpensReviews: opensReviewsFor(configurable?.["__pregel_checkpointer"], gate.holdpoint),
    resumer: bareResume,
    named: new Set(Object.keys(configurable?.["__pregel_resume_map"] ?? {})),
    taskId: typeof taskId === "string" ? taskId : "",
    votes: 0,
  };
}
