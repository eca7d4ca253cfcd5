import { z } from "zod";
import { deadlineSchema } from "./deadline.ts";
import { decisionTypeSchema, jsonObjectSchema } from "./decision.ts";
import { reasonCodeSchema } from "../policy/verdict.ts";
import { actionIdSchema, reviewIdSchema } from "./ids.ts";
import { provenanceFields } from "./provenance.ts";
import { causeSchema } from "./review-view.ts";

/**
 * Where a review was raised: the LangGraph task, how many resume values the task had consumed when it
 * was raised first, and how many when it was raised last. A value before that was cast for something else.
 */
export const raisedSchema = z.lazy(() =>
  z.object({
    taskId: z.string(),
    round: z.number().int().nonnegative(),
    votes: z.number().int().nonnegative(),
  }),
);
export type Raised = z.infer<typeof raisedSchema>;

/**
 * The value of a Holdpoint interrupt: LangChain's human-in-the-loop request with our fields added,
 * so that user interfaces written for LangChain read it unchanged. v1; `agentPath`, `parentCall` and `deadline` came later.
 */
export const interruptPayloadSchema = z.lazy(() =>
  z.object({
    actionRequests: z.array(
      z.object({
        name: z.string(),
        args: jsonObjectSchema,
        description: z.string().optional(),
        actionId: actionIdSchema,
        toolCallId: z.string(),
        rule: z.string(),
        reason: z.string(),
        reasonCode: reasonCodeSchema,
      }),
    ),
    reviewConfigs: z.array(
      z.object({
        actionName: z.string(),
        allowedDecisions: z.array(decisionTypeSchema),
        argsSchema: jsonObjectSchema.optional(),
      }),
    ),
    reviewId: reviewIdSchema,
    cause: causeSchema,
    threadId: z.string(),
    agent: z.string(),
    ...provenanceFields,
    turnId: z.string(),
    raised: raisedSchema,
    askedFor: z.string().optional(),
    deadline: deadlineSchema.optional(),
    conflict: z.object({ by: z.string(), at: z.string(), decision: z.string() }).optional(),
    problem: z.string().optional(),
  }),
);
export type InterruptPayload = z.infer<typeof interruptPayloadSchema>;

/** Reads an interrupt's value as ours, or `undefined` when somebody else raised it. */
export function readInterruptPayload(value: unknown): InterruptPayload | undefined {
  const read = interruptPayloadSchema.safeParse(value);
  return read.success ? read.data : undefined;
}
