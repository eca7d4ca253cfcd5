import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { StateSnapshot } from "@langchain/langgraph";
import type { Engine } from "@holdpoint/engine";
import { resultOfLeftCall } from "../history/left-call.ts";
import { lastTurn } from "../turn/turns.ts";
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
  const turn = lastTurn(messages)?.message;
  if (turn === undefined) return [];
  const answered = resultsByCall(messages.slice(messages.indexOf(turn)));
  const kept = resultsByCall(snapshot.tasks.flatMap((task) => messagesIn(resultOf(task))));
  const results: ToolMessage[] = [];
  for (const call of turn.tool_calls ?? []) {
    if (call.id === undefined || answered.has(call.id)) continue;
    const key = { threadId, turnId: turn.id ?? "", toolCallId: call.id };
    results.push(kept.get(call.id) ?? (await resultOfLeftCall(engine, key, call)));
  }
  return results;
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
