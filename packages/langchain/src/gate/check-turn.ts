import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { checkCanWait } from "./can-wait.ts";
import { judge } from "./held-call.ts";
import type { Gate } from "./options.ts";
import type { Task } from "../pause/task.ts";

/** True when a pause of this task is kept. */
export function canWait(task: Task): boolean {
  return task.saver !== undefined && task.threadId !== undefined;
}

/**
 * `per_call` where no pause could be kept: each call has a task of its own, so the free ones would have
 * run by the time a held one fails. The whole turn is looked at before, as soon as the model answers.
 */
export async function checkTurnCanWait(
  gate: Gate,
  task: Task,
  about: {
    readonly state: { readonly messages: readonly BaseMessage[] };
    readonly runtime: unknown;
  },
  response: unknown,
): Promise<void> {
  if (gate.isLegacy || !AIMessage.isInstance(response)) return;
  const messages = [...about.state.messages, response];
  const state = { ...about.state, messages };
  for (const toolCall of response.tool_calls ?? []) {
    const argsSchema = gate.schemas.get(toolCall.name);
    const { runtime } = about;
    const proposal = { toolCall, argsSchema, threadId: "", turnId: "", messages, state, runtime };
    const judgement = await judge(gate, proposal);
    if (judgement.type === "judged" && judgement.verdict.type === "review")
      checkCanWait(task, toolCall.name);
  }
}
