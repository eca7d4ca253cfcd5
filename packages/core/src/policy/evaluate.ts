import type { CompiledRules } from "./interrupt-on.ts";
import { ruleFor } from "./rule-for.ts";
import type { Verdict } from "./verdict.ts";

/** What a rule's condition answered; one that threw, or answered neither true nor false, has failed. */
export type Condition =
  | { readonly type: "answered"; readonly answer: boolean }
  | { readonly type: "failed"; readonly problem: string };

/** A verdict and how it came about: the key of `interruptOn` that decided, and its condition if it has one. */
export type Explanation = {
  readonly verdict: Verdict;
  readonly key?: string;
  readonly condition?: Condition;
};

/**
 * Asks the rules about one call. Never throws: a condition that fails or does not answer true or false
 * holds the call for a person instead.
 */
export async function explain<Request, Describe>(
  compiled: CompiledRules<Request, Describe>,
  tool: string,
  request: Request,
): Promise<Explanation> {
  const matched = ruleFor(compiled, tool);
  if (matched === undefined) return { verdict: unlisted(compiled.unlisted, tool) };
  const { key, rule } = matched;
  const name = `interruptOn.${key}`;
  if (rule === "allow")
    return {
      key,
      verdict: { type: "allow", rule: name, reason: `${tool} may run without asking.` },
    };
  const held = {
    type: "review",
    rule: name,
    allowedDecisions: rule.allowedDecisions,
    ...(rule.deadline === undefined ? {} : { deadlineIn: rule.deadline }),
  } as const;
  if (rule.when === undefined) {
    const reason = `${tool} always asks a person first.`;
    return { key, verdict: { ...held, reasonCode: "always", reason } };
  }
  const condition = await ask(rule.when, request);
  if (condition.type === "failed") {
    const reason = `The condition of ${name} did not answer yes or no, so a person is asked.`;
    return { key, condition, verdict: { ...held, reasonCode: "condition_failed", reason } };
  }
  if (condition.answer) {
    const reason = `${tool} asks a person first in this case.`;
    return { key, condition, verdict: { ...held, reasonCode: "condition", reason } };
  }
  const reason = `${tool} may run without asking in this case.`;
  return { key, condition, verdict: { type: "allow", rule: name, reason } };
}

/** What `explain` comes to: the verdict alone. */
export async function evaluate<Request, Describe>(
  compiled: CompiledRules<Request, Describe>,
  tool: string,
  request: Request,
): Promise<Verdict> {
  return (await explain(compiled, tool, request)).verdict;
}

async function ask<Request>(
  when: (request: Request) => boolean | Promise<boolean>,
  request: Request,
): Promise<Condition> {
  try {
    const answer: unknown = await when(request);
    if (typeof answer === "boolean") return { type: "answered", answer };
    const kind = answer === null ? "null" : typeof answer;
    return { type: "failed", problem: `it answered ${kind}, not true or false` };
  } catch (error) {
    const problem = error instanceof Error ? `: ${error.message}` : "";
    return { type: "failed", problem: `it threw${problem}` };
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
