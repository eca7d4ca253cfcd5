import type { CompiledRules } from "./interrupt-on.ts";
import type { Verdict } from "./verdict.ts";

/**
 * Asks the rules about one call. Never throws: a condition that fails or does not answer true or false
 * holds the call for a person instead.
 */
export async function evaluate<Request, Describe>(
  compiled: CompiledRules<Request, Describe>,
  tool: string,
  request: Request,
): Promise<Verdict> {
  const rule = compiled.rules.get(tool);
  if (rule === undefined) return unlisted(compiled.unlisted, tool);
  const name = `interruptOn.${tool}`;
  if (rule === "allow")
    return { type: "allow", rule: name, reason: `${tool} may run without asking.` };
  const held = { type: "review", rule: name, allowedDecisions: rule.allowedDecisions } as const;
  if (rule.when === undefined)
    return { ...held, reasonCode: "always", reason: `${tool} always asks a person first.` };
  const answer = await ask(rule.when, request);
  if (answer === true)
    return {
      ...held,
      reasonCode: "condition",
      reason: `${tool} asks a person first in this case.`,
    };
  if (answer === false)
    return { type: "allow", rule: name, reason: `${tool} may run without asking in this case.` };
  return {
    ...held,
    reasonCode: "condition_failed",
    reason: `The condition of ${name} did not answer yes or no, so a person is asked.`,
  };
}

async function ask<Request>(
  when: (request: Request) => boolean | Promise<boolean>,
  request: Request,
): Promise<boolean | undefined> {
  try {
    const answer: unknown = await when(request);
    return typeof answer === "boolean" ? answer : undefined;
  } catch {
    return undefined;
  }
}

function unlisted(mode: "allow" | "review" | "deny", tool: string): Verdict {
  const rule = "unlisted";
  switch (mode) {
    case "allow":
      return { type: "allow", rule, reason: `${tool} is not listed, and unlisted tools may run.` };
    case "review":
      return {
        type: "review",
        rule,
        reason: `${tool} is not listed, so a person is asked.`,
        reasonCode: "unlisted",
        allowedDecisions: ["approve", "edit", "reject"],
      };
    case "deny":
      return {
        type: "deny",
        rule,
        reason: `${tool} is not listed, and unlisted tools may not run.`,
      };
    default:
      return mode satisfies never;
  }
}
