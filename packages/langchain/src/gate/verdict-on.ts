import { getConfig } from "@langchain/langgraph";
import {
  type CompiledRules,
  compileInterruptOn,
  explain,
  type Explanation,
  ruleFor,
  type Verdict,
} from "@holdpoint/core";
import { withGuardrail } from "./guardrail.ts";
import { type Proposal, runtimeOf } from "./proposal.ts";
import type { DescriptionFactory, WhenRequest } from "./interrupt-on.ts";
import type { Gate } from "./options.ts";
import { agentPath } from "./provenance.ts";

type Rules = CompiledRules<WhenRequest, string | DescriptionFactory>;

/** What the agent's rules, its guardrail, and the rules of this invocation's context say of a call. */
export async function verdictOn(gate: Gate, proposal: Proposal): Promise<Verdict> {
  return (await explainVerdict(gate, proposal, contextOfRun())).verdict;
}

/**
 * True when the rules let every call of this tool run, whatever it says, so that they need not be asked.
 * Most calls are such.
 */
export function isAlwaysFree(gate: Gate, tool: string): boolean {
  if (gate.guardrail !== undefined || rulesIn(gate, contextOfRun()) !== undefined) return false;
  const rule = ruleFor(gate.rules, tool)?.rule;
  return rule === "allow" || (rule === undefined && gate.rules.unlisted === "allow");
}

/** A verdict, and whether the rules in the invocation's context gave it, or the guardrail, or the agent's own rules. */
type ExplainedVerdict = Explanation & {
  readonly isOfContext: boolean;
  readonly isOfGuardrail?: true;
};

/** The same with how it came about, for an agent invoked with this context. */
export async function explainVerdict(
  gate: Gate,
  proposal: Proposal,
  context: unknown,
): Promise<ExplainedVerdict> {
  const ruled = await explainRules(gate, proposal, context);
  const verdict = withGuardrail(gate.guardrail?.(proposal.toolCall), ruled.verdict);
  return verdict === ruled.verdict ? ruled : { verdict, isOfContext: false, isOfGuardrail: true };
}

async function explainRules(
  gate: Gate,
  proposal: Proposal,
  context: unknown,
): Promise<ExplainedVerdict> {
  const { toolCall } = proposal;
  const request = {
    toolCall,
    tool: gate.isLegacy ? undefined : gate.tools.get(toolCall.name),
    state: proposal.state,
    runtime: runtimeOf(proposal),
    context,
    agent: { name: gate.agent, path: agentPath(gate.agent) },
  } as WhenRequest; // the tool, the state and the runtime are LangChain's own, handed through
  const given = rulesIn(gate, context);
  const ask = async (rules: Rules): Promise<ExplainedVerdict> => ({
    ...(await explain(rules, toolCall.name, request)),
    isOfContext: rules === given,
  });
  if (given === undefined) return ask(gate.rules);
  return gate.contextMayLoosen ? ask(given) : stricter(await ask(gate.rules), await ask(given));
}

/** LangChain hands a hook only what the middleware declares of the context; rules may ask about all of it. */
function contextOfRun(): unknown {
  const config: { readonly context?: unknown } | undefined = getConfig();
  return config?.context;
}

const compiled = new WeakMap<object, Rules>();

/** The rules that one invocation brings along, compiled once for each object. */
function rulesIn(gate: Gate, context: unknown): Rules | undefined {
  if (typeof context !== "object" || context === null || !("interruptOn" in context))
    return undefined;
  const { interruptOn } = context;
  if (typeof interruptOn !== "object" || interruptOn === null) return undefined;
  const rules: Rules = compiled.get(interruptOn) ?? compileInterruptOn({ ...interruptOn }, "allow");
  compiled.set(interruptOn, rules);
  return gate.contextMayLoosen ? { ...rules, unlisted: gate.rules.unlisted } : rules;
}

const strictness = { allow: 0, review: 1, deny: 2 } as const;

/** The stricter of two verdicts; where both ask a person, only what both let them decide, by the earlier deadline. */
function stricter(own: ExplainedVerdict, given: ExplainedVerdict): ExplainedVerdict {
  if (own.verdict.type === "review" && given.verdict.type === "review") {
    const { allowedDecisions } = given.verdict;
    const both = own.verdict.allowedDecisions.filter((one) => allowedDecisions.includes(one));
    if (both.length === 0) return own;
    const verdict = {
      ...own.verdict,
      allowedDecisions: both,
      ...earlier(own.verdict, given.verdict),
    };
    return { ...own, verdict };
  }
  return strictness[given.verdict.type] > strictness[own.verdict.type] ? given : own;
}

type Held = Extract<Verdict, { type: "review" }>;

function earlier(...held: readonly Held[]): Pick<Held, "deadlineIn"> {
  const deadlines = held.flatMap(({ deadlineIn }) => deadlineIn ?? []);
  return deadlines.length === 0 ? {} : { deadlineIn: Math.min(...deadlines) };
}
