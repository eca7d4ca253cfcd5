import type { Verdict } from "@holdpoint/core";

/** A rule that is read beside `interruptOn`; `undefined` when it has no say about the call. */
export type Guardrail = (call: {
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
}) => Verdict | undefined;

/**
 * What a guardrail and the rules come to together: the stricter of the two. What a guardrail allows stays
 * subject to every rule that names the tool; only where none does, it may run.
 */
export function withGuardrail(guarded: Verdict | undefined, ruled: Verdict): Verdict {
  if (guarded === undefined || ruled.type === "deny") return ruled;
  switch (guarded.type) {
    case "deny":
      return guarded;
    case "review":
      if (ruled.type === "allow" || ruled.rule === "unlisted") return guarded;
      return {
        ...ruled,
        rule: guarded.rule,
        reason: guarded.reason,
        reasonCode: guarded.reasonCode,
      };
    case "allow":
      return ruled.rule === "unlisted" ? guarded : ruled;
    default:
      return guarded satisfies never;
  }
}
