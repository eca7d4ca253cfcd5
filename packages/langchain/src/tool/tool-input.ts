import type { BaseMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { HoldpointError } from "@holdpoint/core";
import { readTask, type Task } from "../pause/task.ts";

/** The call that a guarded tool was invoked with; refuses one that came from outside its agent. */
export function readToolCall(tool: { readonly name: string }, input: unknown): ToolCall {
  if (
    typeof input === "object" &&
    input !== null &&
    "args" in input &&
    "type" in input &&
    input.type === "tool_call"
  ) {
    const { args } = input;
    const id = "id" in input && typeof input.id === "string" ? { id: input.id } : {};
    return { type: "tool_call", name: tool.name, args: args as Record<string, unknown>, ...id }; // as ToolNode builds it
  }
  throw new HoldpointError(
    "permit_refused",
    `The tool ${tool.name} is guarded by Holdpoint and was called outside its agent; call it through the agent.`,
  );
}

/** Where the tool was invoked: its task, and the state with the messages. */
export function readConfig(config: unknown): {
  task: Task;
  state: unknown;
  messages: readonly BaseMessage[];
} {
  const task = readTask(readKey(config, "configurable") as Record<string, unknown> | undefined); // LangChain's own
  const state = readKey(config, "state") ?? task.scratchpad.currentTaskInput;
  return { task, state, messages: messagesIn(state) };
}

/** The messages of an agent's state, or of an update of it. */
export function messagesIn(value: unknown): readonly BaseMessage[] {
  const messages = readKey(value, "messages");
  return Array.isArray(messages) ? (messages as BaseMessage[]) : []; // the agent's own state
}

/** One key of whatever this is. */
export function readKey(value: unknown, key: string): unknown {
  return typeof value === "object" && value !== null
    ? (value as Record<string, unknown>)[key]
    : undefined; // any object
}
