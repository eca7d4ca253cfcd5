import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { RunnableConfig } from "@langchain/core/runnables";
import { ERROR } from "@langchain/langgraph-checkpoint";
import { HoldpointError } from "@holdpoint/core";
import type { ThreadConfig } from "./check-resume.ts";
import { type AnyGraph, graphOf, type HostedAgent } from "./hosted-agent.ts";

/** What became of a thread that was looked at. */
export type RepairedThread = { readonly repaired: boolean; readonly why: string };

/**
 * Frees a thread on which LangChain's own middleware was given an answer that it did not understand,
 * which it then reads again in front of every later one. The calls wait as if the model had just made
 * them; `agent.invoke(null, config)` asks about them anew. So it does for a thread that was paused when
 * the agent still had LangChain's middleware, whose step it has no more. Any other thread is left alone.
 */
export async function repairThread(
  agent: HostedAgent,
  config: ThreadConfig,
): Promise<RepairedThread> {
  const graph = graphOf(agent);
  const threadId = config.configurable?.["thread_id"];
  if (typeof threadId !== "string")
    throw new HoldpointError("config_invalid", "A repair needs configurable.thread_id.");
  const thread = { configurable: { thread_id: threadId } };
  const snapshot = await graph.getState(thread);
  if (snapshot.createdAt === undefined) {
    const message = `There is no thread ${threadId} to repair.`;
    throw new HoldpointError("thread_not_found", message, { details: { threadId } });
  }
  const isLost = snapshot.tasks.length === 0; // what was to come next is a step that the agent does not have
  const isFailed = snapshot.tasks.some((task) => task.error !== undefined);
  if (!isLost && !isFailed && !(await keepsError(graph, thread)))
    return { repaired: false, why: `Thread ${threadId} has no failed step; nothing was changed.` };
  const turn = unansweredTurn(snapshot.values);
  if (turn === undefined)
    return { repaired: false, why: `No tool call of thread ${threadId} lacks a result.` };
  await graph.updateState(thread, { messages: [turn] }, "model_request");
  const why = "Its calls wait again as the model made them; invoke(null) asks about them.";
  return { repaired: true, why };
}

/** The failed step may be one that this agent does not have, as in `per_call` mode, where no hook runs after the model. */
async function keepsError({ checkpointer }: AnyGraph, thread: RunnableConfig): Promise<boolean> {
  if (typeof checkpointer !== "object") return false;
  const tuple = await checkpointer.getTuple(thread);
  return (tuple?.pendingWrites ?? []).some(([, channel]) => channel === ERROR);
}

/** The model's last message, when some of its calls have no result. */
function unansweredTurn(values: unknown): AIMessage | undefined {
  const messages = messagesIn(values);
  const turn = messages.findLast((message) => AIMessage.isInstance(message));
  if (!AIMessage.isInstance(turn)) return undefined;
  const answered = new Set(
    messages.filter((one) => ToolMessage.isInstance(one)).map((one) => one.tool_call_id),
  );
  return (turn.tool_calls ?? []).some(({ id }) => !answered.has(id ?? "")) ? turn : undefined;
}

function messagesIn(values: unknown): readonly BaseMessage[] {
  const messages =
    typeof values === "object" && values !== null && "messages" in values ? values.messages : [];
  return Array.isArray(messages) ? (messages as BaseMessage[]) : []; // an agent's own state
}
