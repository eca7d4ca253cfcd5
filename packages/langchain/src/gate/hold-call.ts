import { isDeepStrictEqual } from "node:util";
import { type AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { Call } from "@holdpoint/core";
import { bindGate, type BoundGate, waitingFor } from "./bound-gate.ts";
import { turnOf } from "../history/call-key.ts";
import { checkCanWait, checkOneCallEach } from "./can-wait.ts";
import { asToolFailure, failureOfFreeCall } from "../tool/free-failure.ts";
import { forget } from "./freed-calls.ts";
import { judge } from "./held-call.ts";
import { keyOf, type Proposal } from "./proposal.ts";
import type { Gate } from "./options.ts";
import { isInvokable, permittedTool } from "../tool/permitted-tool.ts";
import { type Resolution, resolveCall } from "./resolve-call.ts";
import { settleTurn } from "../turn/settle-turn.ts";
import { alone, joinLine } from "./starting-order.ts";
import { isPause, noteLeaving, notePause, throwPause } from "../pause/swallowed-pause.ts";
import { readTask } from "../pause/task.ts";
import { noteEdit, refusedMessage, withMessageId } from "../tool/tool-messages.ts";
import { schemaOf } from "../tool/tool-schema.ts";

/** The part of LangChain's request that the gate reads and changes. */
type CallRequest = {
  readonly toolCall: ToolCall;
  readonly tool: unknown;
  readonly state: { readonly messages: BaseMessage[] };
  readonly runtime: {
    readonly configurable?: Record<string, unknown> | undefined;
    readonly signal?: AbortSignal | undefined;
  };
};

/** One tool call on its way to its tool: it runs freely or as approved, waits, or is answered without running. */
export async function holdCall<Request extends CallRequest, Output>(
  gate: Gate,
  request: Request,
  handler: (request: Request) => Output | Promise<Output>,
): Promise<Output | ToolMessage> {
  const { toolCall, tool, state, runtime } = request;
  if (tool === undefined && gate.isClosed) return handler(request); // LangChain says it is no tool
  const task = readTask(runtime.configurable);
  if (gate.mode === "per_call") checkOneCallEach(task, toolCall.name);
  const own = bindGate(gate, task.saver);
  const { messages } = state;
  const turn = turnOf(messages, toolCall.id);
  const about = { toolCall, tool, argsSchema: schemaOf(tool), state, runtime, messages };
  const { threadId = "" } = task;
  if (turn?.id === undefined || threadId === "" || task.saver === undefined) {
    const proposal = { ...about, threadId, turnId: turn?.id ?? "" };
    return (await refusalOutsideThread(own, proposal, task)) ?? handler(request);
  }
  const proposal = { ...about, threadId, turnId: turn.id };
  if (isAmbiguous(turn, toolCall)) {
    const why = "another call of the same message has the same id; use one id for each call.";
    return refusedMessage(toolCall, why);
  }
  throwPause(task, toolCall.id);
  const place = (turn.tool_calls ?? []).length > 1 ? joinLine(keyOf(proposal)) : alone;
  const withTool = isInvokable(tool) ? { tool: permittedTool(gate, tool) } : {};
  const run = (call: Partial<Call>): Output | Promise<Output> =>
    handler({ ...request, ...withTool, toolCall: { ...toolCall, ...call } });
  try {
    const waiting = waitingFor(own, task);
    const isBatched = gate.mode === "batched" && !gate.isLegacy;
    const ofTurn = isBatched ? await settleTurn(own, waiting, request) : undefined;
    const resolution = await resolveCall(own, waiting, proposal, ofTurn);
    await place.turn();
    const output =
      resolution.type === "free"
        ? await runFreely(own, toolCall, () => run({}))
        : await perform(own, resolution, run);
    throwPause(task, toolCall.id); // a middleware between the gate and the tool made a result of it
    noteLeaving(keyOf(proposal), undefined);
    forget(gate, keyOf(proposal));
    return withId(output, proposal);
  } catch (error) {
    notePause(task, toolCall.id, error);
    noteLeaving(keyOf(proposal), error);
    if (!isPause(error)) forget(gate, keyOf(proposal)); // otherwise it comes back, and was let run already
    throw error;
  } finally {
    place.leave();
  }
}

/** A call that belongs to no thread: it may run when the rules let it, but no decision on it could be kept. */
async function refusalOutsideThread(
  gate: BoundGate,
  proposal: Proposal,
  task: ReturnType<typeof readTask>,
): Promise<ToolMessage | undefined> {
  const { toolCall } = proposal;
  const judgement = await judge(gate, proposal);
  if (judgement.type === "judged" && judgement.verdict.type === "allow") return undefined;
  checkCanWait(task, toolCall.name);
  return refusedMessage(toolCall, "it stands in no message of its thread.");
}

async function perform<Output>(
  gate: BoundGate,
  resolution: Exclude<Resolution, { type: "free" }>,
  run: (call: Partial<Call>) => Output | Promise<Output>,
): Promise<Output | ToolMessage> {
  switch (resolution.type) {
    case "answered":
      return resolution.message;
    case "approved": {
      const { call, edited } = resolution;
      const output = await run(call);
      return edited && ToolMessage.isInstance(output)
        ? noteEdit(output, call, gate.editNotice)
        : output;
    }
    default:
      return resolution satisfies never;
  }
}

/** A free call whose tool fails gets a ToolMessage; the outermost middleware makes it itself. */
async function runFreely<Output>(
  gate: BoundGate,
  toolCall: ToolCall,
  run: () => Output | Promise<Output>,
): Promise<Output | ToolMessage> {
  try {
    return await run();
  } catch (error) {
    const message = failureOfFreeCall(toolCall, error);
    if (message === undefined) throw error;
    if (gate.isClosed) return message;
    throw asToolFailure(toolCall, message, error);
  }
}

/** A ToolMessage without an id would get another one each time a paused state is read. */
function withId<Output>(output: Output, { turnId, toolCall }: Proposal): Output | ToolMessage {
  if (!ToolMessage.isInstance(output) || output.id !== undefined) return output;
  return withMessageId(output, `tool_${turnId}_${toolCall.id ?? ""}`);
}

/** True for a call whose id another, different call of its message has too: no record could tell them apart. */
function isAmbiguous(turn: AIMessage, toolCall: ToolCall): boolean {
  const first = turn.tool_calls?.find((call) => call.id === toolCall.id);
  return (
    first !== undefined &&
    first !== toolCall && // usually the very object, and then there is nothing to compare
    !(first.name === toolCall.name && isSame(first.args, toolCall.args))
  );
}

/** Not by JSON: a BigInt has none. Most arguments are texts and numbers, for which this is quicker than all at once. */
function isSame(one: ToolCall["args"], other: ToolCall["args"]): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every(
      (name) => Object.is(one[name], other[name]) || isDeepStrictEqual(one[name], other[name]),
    )
  );
}
