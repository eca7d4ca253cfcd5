import { getConfig } from "@langchain/langgraph";
import { type CompiledRules, compileInterruptOn, evaluate, type Verdict } from "@holdpoint/core";
import type { Proposal } from "./proposal.ts";
import type { DescriptionFactory, WhenRequest } from "./interrupt-on.ts";
import type { Gate } from "./options.ts";

type Rules = CompiledRules<WhenRequest, string | DescriptionFactory>;

/** What the agent's rules, and those of this invocation's context, say of a call. */
export async function verdictOn(gate: Gate, proposal: Proposal): Promise<Verdict> {
  const { toolCall } = proposal;
  const context = contextOfRun();
  const request = {
    toolCall,
    tool: gate.isLegacy ? undefined : gate.tools.get(toolCall.name),
    state: proposal.state,
    runtime: proposal.runtime,
    context,
    agent: { name: gate.agent },
  } as WhenRequest; // the tool, the state and the runtime are LangChain's own, handed through
  const given = rulesIn(gate, context);
  if (given !== undefined && gate.contextMayLoosen) return evaluate(given, toolCall.name, request);
  const own = await evaluate(gate.rules, toolCall.name, request);
  return given === undefined ? own : stricter(own, await evaluate(given, toolCall.name, request));
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

/** The stricter of two verdicts; where both ask a person, only what both let them decide. */
function stricter(own: Verdict, given: Verdict): Verdict {
  if (own.type === "review" && given.type === "review") {
    const both = own.allowedDecisions.filter((one) => given.allowedDecisions.includes(one));
    return both.length === 0 ? own : { ...own, allowedDecisions: both };
  }
  return strictness[given.type] > strictness[own.type] ? given : own;
}
