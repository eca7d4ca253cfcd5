import type { DecisionType } from "../contract/decision.ts";

/** What policy says of a tool call, with the rule that said it. */
export type Verdict =
  | { readonly type: "allow"; readonly rule: string; readonly reason: string }
  | {
      readonly type: "review";
      readonly rule: string;
      readonly reason: string;
      readonly allowedDecisions: readonly DecisionType[];
    }
  | { readonly type: "deny"; readonly rule: string; readonly reason: string };
