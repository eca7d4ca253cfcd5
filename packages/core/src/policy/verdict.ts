import { z } from "zod";
import type { DecisionType } from "../contract/decision.ts";

/** Why a call is held, as a word that user interfaces can put into any language. */
export const reasonCodeSchema = z.enum([
  "always",
  "condition",
  "condition_failed",
  "unlisted",
  "permission",
  "unknown_receipt",
  "question",
]);
export type ReasonCode = z.infer<typeof reasonCodeSchema>;

/** What policy says of a tool call, with the rule that said it. */
export type Verdict =
  | { readonly type: "allow"; readonly rule: string; readonly reason: string }
  | {
      readonly type: "review";
      readonly rule: string;
      readonly reason: string;
      readonly reasonCode: ReasonCode;
      readonly allowedDecisions: readonly DecisionType[];
      /** How long a person has, in milliseconds; for ever when it is left out. */
      readonly deadlineIn?: number;
    }
  | { readonly type: "deny"; readonly rule: string; readonly reason: string };
