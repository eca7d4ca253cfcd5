import type { BaseMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { CallKey, JsonObject, Verdict } from "@holdpoint/core";

/** One tool call on its way, with what the rules may ask about it. */
export type Proposal = {
  readonly toolCall: ToolCall;
  readonly argsSchema: JsonObject | undefined;
  /** The tool itself, where the call is on its way to it. */
  readonly tool?: unknown;
  readonly threadId: string;
  readonly turnId: string;
  readonly messages: readonly BaseMessage[];
  readonly state: unknown;
  readonly runtime: unknown;
};

/** The name under which the gate and its records know this call. */
export function keyOf({ threadId, turnId, toolCall }: Proposal): CallKey {
  return { threadId, turnId, toolCallId: toolCall.id ?? "" };
}

/** LangChain's runtime as its hooks know it: the context is an object, also where the invocation gave none. */
export function runtimeOf({ runtime }: Proposal): object {
  if (typeof runtime !== "object" || runtime === null) return { context: {} };
  return "context" in runtime && runtime.context !== undefined
    ? runtime
    : { ...runtime, context: {} };
}

/** The verdict on a proposal, or what is wrong with the call itself so that nobody need be asked. */
export type Judgement =
  | { readonly type: "judged"; readonly verdict: Verdict }
  | { readonly type: "malformed"; readonly problem: string }
  /** Rejected so often that nobody is asked again. */
  | { readonly type: "repeated"; readonly times: number };
