import { z } from "zod";
import {
  decisionSchema,
  decisionTypeSchema,
  jsonObjectSchema,
  jsonValueSchema,
  rejectionSchema,
} from "./decision.ts";
import { deadlineSchema } from "./deadline.ts";
import { reasonCodeSchema } from "../policy/verdict.ts";
import { actionIdSchema, reviewIdSchema } from "./ids.ts";
import { provenanceFields } from "./provenance.ts";

/** Who decided: an id that stays, and a name to show. */
export const reviewerSchema = z.object({ id: z.string().min(1), name: z.string().min(1) });
export type Reviewer = z.infer<typeof reviewerSchema>;

const time = z.lazy(() => z.iso.datetime());

const callSchema = z.object({ name: z.string(), args: jsonObjectSchema });

/** What the decisions on an action added up to, or the deadline gave it. v3: `cause`. */
export const outcomeSchema = z.lazy(() =>
  z.discriminatedUnion("type", [
    z.object({ type: z.literal("approved"), call: callSchema, edited: z.boolean() }),
    z.object({
      type: z.literal("rejected"),
      message: z.string().optional(),
      rejection: rejectionSchema.optional(),
      cause: z.literal("deadline").optional(),
    }),
    z.object({
      type: z.literal("answered"),
      message: z.string(),
      value: jsonValueSchema.optional(),
    }),
  ]),
);
export type Outcome = z.infer<typeof outcomeSchema>;

/** A decision as it was recorded. */
export const recordedDecisionSchema = z.lazy(() =>
  z.object({
    decision: decisionSchema,
    reviewer: reviewerSchema,
    at: time,
  }),
);
export type RecordedDecision = z.infer<typeof recordedDecisionSchema>;

/** How a permitted run ended; `unknown` means that nobody can know whether the tool finished. */
export const permitStatusSchema = z.enum([
  "unused",
  "started",
  "suspended",
  "succeeded",
  "failed",
  "unknown",
  "revoked",
]);
export type PermitStatus = z.infer<typeof permitStatusSchema>;

/**
 * One action as a reviewer sees it. `answerSchema` is the JSON Schema of what a tool's question is
 * answered with. `recorded` is absent when the deadline gave the outcome. v2: `answerSchema`, and the `value`
 * of an answered outcome.
 */
export const actionViewSchema = z.lazy(() =>
  z.object({
    id: actionIdSchema,
    toolCallId: z.string(),
    name: z.string(),
    args: jsonObjectSchema,
    argsSchema: jsonObjectSchema.optional(),
    answerSchema: jsonObjectSchema.optional(),
    digest: z.string(),
    description: z.string().optional(),
    allowedDecisions: z.array(decisionTypeSchema),
    rule: z.string(),
    reason: z.string(),
    reasonCode: reasonCodeSchema,
    status: z.enum(["open", "decided", "closed"]),
    outcome: outcomeSchema.optional(),
    recorded: recordedDecisionSchema.optional(),
    permit: permitStatusSchema.optional(),
  }),
);
export type ActionView = z.infer<typeof actionViewSchema>;

/** Why a person is asked: policy says so, or a permitted call may have run and nobody knows. */
export const causeSchema = z.enum(["policy", "unknown_receipt"]);
export type Cause = z.infer<typeof causeSchema>;

/** One review as a reviewer sees it. Times are ISO-8601 UTC. v1; `agentPath`, `parentCall`, `deadline` came later. */
export const reviewViewSchema = z.lazy(() =>
  z.object({
    id: reviewIdSchema,
    status: z.enum(["open", "decided", "closed"]),
    cause: causeSchema,
    threadId: z.string(),
    agent: z.string(),
    ...provenanceFields,
    turnId: z.string(),
    interruptId: z.string(),
    askedFor: z.string().optional(),
    createdAt: time,
    deadline: deadlineSchema.optional(),
    settledAt: time.optional(),
    closedBecause: z.string().optional(),
    actions: z.array(actionViewSchema).min(1),
  }),
);
export type ReviewView = z.infer<typeof reviewViewSchema>;

/** A page of reviews; `next` is the cursor of the following page. */
export const reviewPageSchema = z.lazy(() =>
  z.object({
    reviews: z.array(reviewViewSchema),
    next: z.string().optional(),
  }),
);
export type ReviewPage = z.infer<typeof reviewPageSchema>;
