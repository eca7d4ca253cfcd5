import { ToolMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { isCommand, isGraphBubbleUp, isGraphInterrupt } from "@langchain/langgraph";
import {
  type ActionId,
  digestCall,
  type Holdpoint,
  type JsonObject,
  outcomeOf,
  type Receipt,
} from "@holdpoint/core";
import { bindGate, type BoundGate } from "../gate/bound-gate.ts";
import { callKey } from "../history/call-key.ts";
import { noteFailure } from "./free-failure.ts";
import { takeApproved } from "../gate/approved-calls.ts";
import { isFreed, isFreedInTask } from "../gate/freed-calls.ts";
import { argsSchemaOf, judge } from "../gate/held-call.ts";
import { noteAsker } from "../pause/interrupt-payload.ts";
import type { Gate } from "../gate/options.ts";
import { askerInside } from "../gate/provenance.ts";
import { withIdempotencyKey } from "./idempotency-key.ts";
import { mayStartAgain } from "./settle-unknown.ts";
import { isPause, notePause, throwPause, wasPaused } from "../pause/swallowed-pause.ts";
import { leaveLine } from "../gate/starting-order.ts";
import { nextValue, type Task } from "../pause/task.ts";
import { messagesIn, readConfig, readKey, readToolCall } from "./tool-input.ts";
import {
  errorMessage,
  failedMessage,
  fromReceiptMessage,
  messageId,
  refusedMessage,
  toReceiptMessage,
  withMessageId,
} from "./tool-messages.ts";
import { awaitAnswer, openQuestion } from "../pause/tool-question.ts";
import { schemaOf } from "./tool-schema.ts";

/** The part of a LangChain tool that the guard needs. */
export type InvokableTool = {
  readonly name: string;
  invoke(input: unknown, config?: unknown): Promise<unknown>;
};

/** True for a tool that runs in this process; a provider's own server-side tool does not. */
export function isInvokable<Tool>(tool: Tool): tool is Tool & InvokableTool {
  return (
    typeof tool === "object" &&
    tool !== null &&
    "invoke" in tool &&
    typeof tool.invoke === "function"
  );
}

const guarded = new WeakSet<object>();
const guardedBy = new WeakMap<Gate, WeakMap<object, object>>();

/** True for a tool that `permittedTool` returned. */
export function isPermittedTool(tool: object): boolean {
  return guarded.has(tool);
}

/**
 * The same tool with the last check at its own `invoke`: a held call starts only with an unconsumed
 * permit for exactly this name, these arguments and this schema, whatever other middlewares did. Made
 * once for each tool of a gate.
 */
export function permittedTool<Tool extends InvokableTool>(gate: Gate, tool: Tool): Tool {
  if (guarded.has(tool)) return tool;
  const known = guardedBy.get(gate)?.get(tool) ?? guardTool(gate, tool);
  return known as Tool; // inherits from this very tool
}

function guardTool(gate: Gate, tool: InvokableTool): object {
  const invoke = (input: unknown, config?: unknown): Promise<unknown> =>
    invokePermitted(gate, tool, input, config);
  const wrapped: object = Object.create(tool, { invoke: { value: invoke, writable: true } });
  guarded.add(wrapped);
  const others = guardedBy.get(gate) ?? new WeakMap<object, object>();
  guardedBy.set(gate, others.set(tool, wrapped));
  return wrapped;
}

async function invokePermitted(
  gate: Gate,
  tool: InvokableTool,
  input: unknown,
  config: unknown,
): Promise<unknown> {
  const toolCall = readToolCall(tool, input);
  const { task, state, messages } = readConfig(config);
  throwPause(task, toolCall.id);
  const own = bindGate(gate, task.saver);
  const { holdpoint } = own;
  const running = { gate: own, toolCall, task };
  const key = callKey(task.threadId, messages, toolCall.id);
  const isFree =
    key !== undefined && (isFreedInTask(task, toolCall) || isFreed(gate, key, toolCall));
  if (isFree) {
    if (nextValue(task) !== undefined || wasPaused(key)) await awaitAnswer(own, task);
    leaveLine(key);
    return runFree(tool, running, input, config);
  }
  const record =
    key === undefined
      ? undefined
      : (takeApproved(task, toolCall.id, holdpoint) ?? (await holdpoint.findAction(key)));
  if (record === undefined) {
    const proposal = {
      toolCall,
      argsSchema: schemaOf(tool),
      threadId: key?.threadId ?? "",
      turnId: key?.turnId ?? "",
      messages,
      state,
      runtime: config,
    };
    const judgement = await judge(gate, proposal);
    if (judgement.type === "judged" && judgement.verdict.type === "allow")
      return runFree(tool, running, input, config);
    return refusedMessage(toolCall, "it needs a person's approval and has none.");
  }
  const { action, permit: before } = record;
  if (outcomeOf(action)?.type !== "approved")
    return refusedMessage(toolCall, "no person approved it.");
  if (before?.state.status === "suspended") await awaitAnswer(own, task);
  const digest = digestCall({
    name: tool.name,
    args: toolCall.args as JsonObject,
    argsSchema: action.argsSchema === undefined ? undefined : argsSchemaOf(gate, tool),
  });
  const started = await holdpoint.startPermit(action.id, digest, mayStartAgain(task, action));
  if (started.type === "refused") {
    // Another run of the very same call has it: what that one reports is the result of both.
    const permit = await holdpoint.awaitPermit(action.id);
    if (permit?.digest === digest && "message" in permit.state)
      return fromReceiptMessage(action.id, toolCall, permit.state.message);
    return refusedMessage(toolCall, started.refusal.message);
  }
  if (key !== undefined) leaveLine(key);
  return runOnce(
    tool,
    { ...running, actionId: action.id, fence: started.permit.fence },
    input,
    key === undefined ? config : withIdempotencyKey(config, key),
  );
}

/** A call that has reached its tool. */
type Running = { readonly gate: BoundGate; readonly toolCall: ToolCall; readonly task: Task };
type Started = Running & { readonly actionId: ActionId; readonly fence: number };

async function runOnce(
  tool: InvokableTool,
  started: Started,
  input: unknown,
  config: unknown,
): Promise<unknown> {
  const { holdpoint } = started.gate;
  let output: unknown;
  try {
    output = await invokeAsking(tool, started, input, config);
  } catch (error) {
    // An answer to the tool's own question that was refused is asked for again.
    if (isPause(error)) {
      await holdpoint.suspendPermit(started.actionId, started.fence);
      throw error;
    }
    if (isStopped(error, config)) {
      // Its work may go on, or may have been done: nobody knows.
      await holdpoint.abandonPermit(started.actionId, started.fence);
      throw error;
    }
    if (isGraphBubbleUp(error)) {
      await close(holdpoint, started, "succeeded", handedOver(started.toolCall));
      throw error;
    }
    return close(holdpoint, started, "failed", failedMessage(started.toolCall, error));
  }
  const message = asToolMessage(output, started.toolCall);
  const closed = await close(
    holdpoint,
    started,
    message.status === "error" ? "failed" : "succeeded",
    message,
  );
  return isCommand(output) ? output : closed;
}

/** Stores the receipt with the message, under the action's own message id, before anybody reads it. */
async function close(
  holdpoint: Holdpoint,
  { actionId, fence, toolCall }: Started,
  status: Receipt["status"],
  message: ToolMessage,
): Promise<ToolMessage> {
  const named = withMessageId(message, messageId(actionId));
  const result = await holdpoint.closePermit(actionId, fence, {
    status,
    message: toReceiptMessage(named),
  });
  if (result.type === "done") return named;
  return errorMessage(
    toolCall,
    `Error: what \`${toolCall.name}\` did could not be recorded: ${result.refusal.message}`,
  );
}

/** A tool that passed control to another graph by throwing: it did what it was approved for. */
function handedOver(toolCall: ToolCall): ToolMessage {
  return new ToolMessage({
    tool_call_id: toolCall.id ?? "",
    name: toolCall.name,
    content: "handed over",
  });
}

function isStopped(error: unknown, config: unknown): boolean {
  const signal = readKey(config, "signal");
  if (signal instanceof AbortSignal && signal.aborted) return true;
  return readKey(error, "name") === "AbortError";
}

/** A tool that needs no permit; the gate makes a ToolMessage of its failure, so that the thread goes on. */
async function runFree(
  tool: InvokableTool,
  running: Running,
  input: unknown,
  config: unknown,
): Promise<unknown> {
  try {
    return await invokeAsking(tool, running, input, config);
  } catch (error) {
    if (!isGraphBubbleUp(error) && !isPause(error) && !isStopped(error, config)) noteFailure(error);
    throw error;
  }
}

/** Runs the tool; what it asks by itself is opened as a review before its pause leaves. */
async function invokeAsking(
  tool: InvokableTool,
  { gate, toolCall, task }: Running,
  input: unknown,
  config: unknown,
): Promise<unknown> {
  const { scratchpad } = task;
  const before = scratchpad.interruptCounter;
  try {
    return await tool.invoke(input, config);
  } catch (error) {
    // A graph inside the tool counts its own interrupts.
    const isOwn = scratchpad.interruptCounter > before;
    if (isOwn && isGraphInterrupt(error)) {
      for (const one of error.interrupts) noteAsker(one, { agent: gate.agent, ...askerInside() });
      await openQuestion(gate, task, error.interrupts);
    }
    notePause(task, toolCall.id, error);
    throw error;
  }
}

function asToolMessage(output: unknown, toolCall: ToolCall): ToolMessage {
  if (ToolMessage.isInstance(output)) return output;
  const inside = isCommand(output)
    ? messagesIn(output.update).find((one) => ToolMessage.isInstance(one))
    : undefined;
  if (inside !== undefined) return inside;
  const content = typeof output === "string" ? output : (JSON.stringify(output) ?? "");
  return new ToolMessage({ tool_call_id: toolCall.id ?? "", name: toolCall.name, content });
}
