import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { StateSnapshot } from "@langchain/langgraph";
import { type ActionRecord, type CallKey, outcomeOf } from "@holdpoint/core";
import type { Engine } from "@holdpoint/engine";
import {
  errorMessage,
  fromReceiptMessage,
  noteEdit,
  outcomeMessage,
} from "../gate/tool-messages.ts";
import type { AnyGraph } from "./hosted-agent.ts";
import { resultOf } from "./thread-state.ts";

/**
 * The results of the calls that a cancelled or failed run left without one, in the order of the calls.
 * New input drops the tasks that would have written them, and a model refuses a history in which a call
 * has no result. What is known is told: the result that its task or its receipt kept, what a person
 * decided, or that it was stopped and whether it may have run.
 */
export async function stoppedCalls(
  graph: AnyGraph,
  engine: Engine,
  snapshot: StateSnapshot,
): Promise<readonly ToolMessage[]> {
  const threadId: unknown = snapshot.config.configurable?.["thread_id"];
  if (typeof threadId !== "string" || snapshot.createdAt === undefined) return []; // a new thread
  // Asked for by its id, a checkpoint comes without what its tasks wrote, which new input drops.
  const committed = await graph.getState(snapshot.config);
  const messages = messagesIn(committed.values);
  const turn = messages.findLast((message) => !ToolMessage.isInstance(message));
  if (!AIMessage.isInstance(turn)) return [];
  const answered = resultsByCall(messages.slice(messages.indexOf(turn)));
  const kept = resultsByCall(snapshot.tasks.flatMap((task) => messagesIn(resultOf(task))));
  const results: ToolMessage[] = [];
  for (const call of turn.tool_calls ?? []) {
    if (call.id === undefined || answered.has(call.id)) continue;
    const key = { threadId, turnId: turn.id ?? "", toolCallId: call.id };
    results.push(kept.get(call.id) ?? (await resultOfCall(engine, key, call)));
  }
  return results;
}

async function resultOfCall(engine: Engine, key: CallKey, call: ToolCall): Promise<ToolMessage> {
  const record = await engine.findAction(key);
  if (record === undefined) return errorMessage(call, stoppedText(call.name, "may have run"));
  const { review, action, permit } = record;
  const outcome = outcomeOf(action);
  if (permit !== undefined && "message" in permit.state) {
    const message = fromReceiptMessage(action.id, call, permit.state.message);
    return outcome?.type === "approved" && outcome.edited
      ? noteEdit(message, outcome.call)
      : message;
  }
  if (outcome !== undefined && outcome.type !== "approved")
    return outcomeMessage(action.id, call, outcome, review.cause);
  return errorMessage(
    call,
    stoppedText(call.name, mayHaveRun(record) ? "may have run" : "never ran"),
  );
}

/** A second question about a lost run is asked because its first start may have run. */
function mayHaveRun({ review, permit }: ActionRecord): boolean {
  if (review.cause === "unknown_receipt") return true;
  const status = permit?.state.status;
  switch (status) {
    case undefined:
    case "unused":
    case "revoked":
      return false;
    case "started":
    case "suspended":
    case "unknown":
    case "succeeded":
    case "failed":
      return true;
    default:
      return status satisfies never;
  }
}

function stoppedText(tool: string, what: "may have run" | "never ran"): string {
  return what === "never ran"
    ? `This call to \`${tool}\` was stopped before it ran; nothing was executed. Do not try it again unless the user asks for it.`
    : `This call to \`${tool}\` was stopped and its result is not known; it may have run. Do not assume that it ran, or that it did not.`;
}

function resultsByCall(messages: readonly BaseMessage[]): ReadonlyMap<string, ToolMessage> {
  const results = messages.filter((message) => ToolMessage.isInstance(message));
  return new Map(results.map((message) => [message.tool_call_id, message]));
}

function messagesIn(value: unknown): readonly BaseMessage[] {
  const messages =
    typeof value === "object" && value !== null && "messages" in value ? value.messages : undefined;
  return Array.isArray(messages) ? (messages as BaseMessage[]) : []; // the agent's own state
}
