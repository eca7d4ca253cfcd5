import { z } from "zod";
import {
  isJsonObject,
  isPlainJson,
  type Json,
  type JsonObject,
  problemWithJson,
} from "../plain-json.ts";
import { toCamelCase } from "./casing.ts";
import { actionIdSchema } from "./ids.ts";

/** The four decisions, in the order in which they are shown. */
export const decisionTypes = ["approve", "edit", "reject", "respond"] as const;
/** What one reviewer may say of one action. */
export type DecisionType = (typeof decisionTypes)[number];
export const decisionTypeSchema = z.enum(decisionTypes);

export const jsonObjectSchema = z
  .custom<JsonObject>(isJsonObject, {
    error: ({ input }) => `must be a plain JSON object${reason(problemWithJson(input))}`,
  })
  .meta({ type: "object" });

function reason(problem: string | undefined): string {
  return problem === undefined ? "" : `: ${problem}`;
}

/** Any value that JSON carries without change. */
export const jsonValueSchema = z
  .custom<Json>(isPlainJson, {
    error: ({ input }) => `must be plain JSON${reason(problemWithJson(input))}`,
  })
  .meta({});

/** Longest text a person may send along with a decision, in characters. */
export const textLimit = 10_000;
const text = z.string().max(textLimit).refine(isWellFormed, "has half of a surrogate pair");

function isWellFormed(value: string): boolean {
  return value.isWellFormed(); // what is recorded is digested, and half a character has no UTF-8
}

/** The parts of a rejection beside its `message`: no, because …; instead …; within these bounds …. */
export const rejectionSchema = z.lazy(() =>
  z.object({
    because: text.optional(),
    instead: text.optional(),
    bounds: text.optional(),
  }),
);
export type Rejection = z.infer<typeof rejectionSchema>;

/**
 * What a person answers: a text, or the `value` that a tool's own question asks for (ours; the values of
 * a card's fields, or any JSON), or both.
 */
const respondSchema = z.lazy(() =>
  z
    .object({
      type: z.literal("respond"),
      message: text.min(1).optional(),
      value: jsonValueSchema.optional(),
    })
    .refine((one) => one.message !== undefined || one.value !== undefined, {
      path: ["message"],
      message: "a text or a value is needed",
    }),
);

/**
 * One decision on the wire, with LangChain's field names.
 * v1: approve, edit, reject (`rejection` is ours), respond with a text.
 * v2: respond may carry a `value` beside or instead of the text.
 */
export const decisionSchema = z.lazy(() =>
  z.discriminatedUnion("type", [
    z.object({ type: z.literal("approve") }),
    z.object({
      type: z.literal("edit"),
      editedAction: z.object({ name: text.min(1), args: jsonObjectSchema }),
    }),
    z.object({
      type: z.literal("reject"),
      message: text.optional(),
      rejection: rejectionSchema.optional(),
    }),
    respondSchema,
  ]),
);
export type Decision = z.infer<typeof decisionSchema>;

/** A decision that names its action. */
export const namedDecisionSchema = z.lazy(() =>
  z.object({ actionId: actionIdSchema, decision: decisionSchema }),
);
export type NamedDecision = z.infer<typeof namedDecisionSchema>;

/** The body of a decide request: one or more actions of one review; all are accepted or none. */
export const decideRequestSchema = z.lazy(() =>
  z.preprocess(toCamelCase, z.object({ decisions: z.array(namedDecisionSchema).min(1) })),
);

/** LangChain's own answer to a review: decisions by position. Accepted only at the compatibility edge. */
export const positionalAnswerSchema = z.lazy(() =>
  z.preprocess(toCamelCase, z.object({ decisions: z.array(decisionSchema) })),
);
