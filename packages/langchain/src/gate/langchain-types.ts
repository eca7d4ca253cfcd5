import type { ToolCall } from "@langchain/core/messages/tool";
import type { AgentMiddleware } from "langchain";
import type { DecisionType, Rejection } from "@holdpoint/core";
import type { z } from "zod";
import type { InterruptOn } from "./interrupt-on.ts";

/*
 * The types that LangChain exports for its middleware, under the same names, as a superset: what was
 * written for LangChain's compiles with only the import replaced. Arrays can be written to, and
 * arguments hold anything, because they can and do there.
 */

/** A tool's arguments as LangChain types them: anything under any name. */
type Args = ToolCall["args"];

/** A call as a reviewer sends it back. */
export interface Action {
  name: string;
  args: Args;
}

/** A held call. What stands after `description` is ours, and always there in our payload. */
export interface ActionRequest {
  name: string;
  args: Args;
  description?: string;
  actionId?: string;
  toolCallId?: string;
  rule?: string;
  reason?: string;
}

/** How the held call at the same place may be answered. */
export interface ReviewConfig {
  actionName: string;
  allowedDecisions: DecisionType[];
  argsSchema?: Args;
}

/** The value of an interrupt: the held calls of a review. What stands after `reviewConfigs` is ours. */
export interface HITLRequest {
  actionRequests: ActionRequest[];
  reviewConfigs: ReviewConfig[];
  reviewId?: string;
  threadId?: string;
  agent?: string;
  /** Why the answer before this one was refused. */
  problem?: string;
  /** Who had already decided otherwise. */
  conflict?: { by: string; at: string; decision: string };
}

/** Which held call a decision is about; without either, the one at the same place. */
interface Named {
  actionId?: string;
  toolCallId?: string;
}

/** Run the call as it is. */
export interface ApproveDecision extends Named {
  type: "approve";
}

/** Run the same tool with other arguments. */
export interface EditDecision extends Named {
  type: "edit";
  editedAction: Action;
}

/** Do not run the call; the model is told why, and with a reason may try otherwise. */
export interface RejectDecision extends Named {
  type: "reject";
  message?: string;
  rejection?: Rejection;
}

/** Do not run the call; the message is its result. */
export interface RespondDecision extends Named {
  type: "respond";
  message: string;
}

/** What a person says of one held call. */
export type Decision = ApproveDecision | EditDecision | RejectDecision | RespondDecision;

/** The answer to a `HITLRequest`. */
export interface HITLResponse {
  decisions: Decision[];
}

/** The middleware, with the context that an invocation may pass it. */
export type HumanInTheLoopMiddleware = AgentMiddleware<
  undefined,
  z.ZodObject<{
    interruptOn: z.ZodOptional<z.ZodType<InterruptOn>>;
    descriptionPrefix: z.ZodOptional<z.ZodString>;
  }>,
  { readonly interruptOn?: InterruptOn; readonly descriptionPrefix?: string },
  readonly [],
  readonly []
>;
