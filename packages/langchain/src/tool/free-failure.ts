import type { ToolMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { MiddlewareError, ToolInvocationError } from "langchain";
import { failedMessage } from "./tool-messages.ts";

/**
 * What tools that need no permit threw. It passes the middlewares inside the gate as it is, so that a retry
 * among them sees it; LangChain would end the run with it because a middleware is around the tool.
 */
const failures = new WeakSet<object>();

/** Remembers that a tool threw this, and no middleware. */
export function noteFailure(error: unknown): void {
  if (typeof error === "object" && error !== null) failures.add(error);
}

/** The one ToolMessage of a free call whose tool failed, or `undefined` when it was something else that failed. */
export function failureOfFreeCall(call: ToolCall, error: unknown): ToolMessage | undefined {
  const root = rootOf(error);
  return failures.has(root) ? failedMessage(call, root) : undefined;
}

/**
 * The same as an error of which LangChain itself makes that ToolMessage, after every middleware around
 * the gate has had its turn with it.
 */
export function asToolFailure(call: ToolCall, message: ToolMessage, cause: unknown): Error {
  const failure = new ToolInvocationError(cause, call);
  failure.message = message.text; // LangChain's own holds a stack trace
  return failure;
}

function rootOf(error: unknown): object {
  let root = error;
  while (MiddlewareError.isInstance(root)) root = root.cause;
  if (ToolInvocationError.isInstance(root)) root = root.toolError;
  return typeof root === "object" && root !== null ? root : {};
}
