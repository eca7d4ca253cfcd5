import type { BaseMessage } from "@langchain/core/messages";
import { callKey } from "../history/call-key.ts";
import { judgementOn } from "../gate/held-call.ts";
import type { Gate } from "../gate/options.ts";
import type { Judgement } from "../gate/proposal.ts";
import { schemaOf } from "../tool/tool-schema.ts";
import { explainVerdict } from "../gate/verdict-on.ts";
import { recordOf } from "../record/record-of.ts";
import { type AgentFacts, type ExplainableAgent, factsOfTool, readAgent } from "./agent-facts.ts";
import type { Gated, GatedFate, GateExplanation, Ungated } from "./explanation.ts";
import { textOf } from "./explanation-text.ts";
import { warningsAbout } from "./gate-warnings.ts";

/** The call that is asked about: one that the model made, or any other. */
export type ExplainedCall = {
  readonly name: string;
  readonly args?: Record<string, unknown>;
  readonly id?: string | undefined;
};

/** What `when` is to be told, as far as the question is about a certain moment. */
export type ExplainOptions = {
  /** With the state and the call's id: tells what was decided about this very call. */
  readonly threadId?: string;
  /** The agent's state, as `graph.getState(config)` has it in `values`; without it, one with no messages. */
  readonly state?: { readonly messages: readonly BaseMessage[] };
  /** The context of the invocation, with its `interruptOn` if it has one. */
  readonly context?: unknown;
  /** The runtime that `when` reads, for its `configurable` or `store`. */
  readonly runtime?: unknown;
};

/**
 * Answers "why was this call (not) held?" from the agent itself: the rules and the code that would decide
 * it, asked without running anything. Of the developer's functions only the rule's `when` is called.
 */
export async function explainGate(
  agent: ExplainableAgent,
  toolCall: ExplainedCall,
  options: ExplainOptions = {},
): Promise<GateExplanation> {
  const facts = readAgent(agent);
  const shared = {
    tool: factsOfTool(facts, toolCall.name),
    checkpointer: facts.checkpointer,
    warnings: warningsAbout(facts, toolCall.name),
  };
  const found =
    facts.gate === undefined
      ? { fate: "ungated" as const }
      : await askGate(facts.gate, facts, toolCall, options);
  const told = { ...found, ...shared };
  return { ...told, text: textOf(toolCall.name, told, [...facts.tools.keys()]) };
}

async function askGate(
  gate: Gate,
  facts: AgentFacts,
  { name, args = {}, id }: ExplainedCall,
  options: ExplainOptions,
): Promise<Omit<Gated, keyof Ungated> & Pick<Gated, "fate">> {
  const { state = { messages: [] }, context, threadId } = options;
  const { runtime = { configurable: { thread_id: threadId }, context } } = options;
  const tool = facts.tools.get(name);
  const proposal = {
    toolCall: { type: "tool_call" as const, name, args, ...(id === undefined ? {} : { id }) },
    argsSchema: schemaOf(tool),
    threadId: "",
    turnId: "",
    messages: state.messages,
    state,
    runtime,
  };
  // The drop-in learns the tools when the model is called first, which may not have been yet.
  const informed = { ...gate, tools: new Map([...gate.tools, ...facts.tools]) };
  const explained = await explainVerdict(informed, proposal, context);
  const judgement = judgementOn(informed, proposal, explained.verdict);
  const holdpoint = gate.engine ?? (facts.saver === undefined ? undefined : recordOf(facts.saver));
  const key = callKey(threadId, state.messages, id);
  const known = key === undefined ? undefined : await holdpoint?.findAction(key);
  return {
    ...explained,
    ...problemIn(judgement),
    ...(known === undefined ? {} : { record: known.action.state }),
    fate: known === undefined ? fateOf(judgement, gate, facts, tool) : "recorded",
    mode: gate.mode,
    unlisted: gate.rules.unlisted,
    hasEngine: gate.engine !== undefined || facts.checkpointer.type === "holdpoint",
  };
}

function problemIn(judgement: Judgement): Pick<Gated, "problem"> {
  switch (judgement.type) {
    case "malformed":
      return { problem: judgement.problem };
    case "repeated":
      return { problem: `the same call was rejected before (times: ${judgement.times})` };
    case "judged":
      return {};
    default:
      return judgement satisfies never;
  }
}

function fateOf(judgement: Judgement, gate: Gate, facts: AgentFacts, tool: unknown): GatedFate {
  if (tool === undefined && gate.isClosed) return "no_such_tool";
  switch (judgement.type) {
    case "malformed":
      return "returned";
    case "repeated":
      return "not_asked_again";
    case "judged":
      break;
    default:
      return judgement satisfies never;
  }
  switch (judgement.verdict.type) {
    case "allow":
      return "free";
    case "deny":
      return "denied";
    case "review":
      return canWait(gate, facts) ? "held" : "cannot_wait";
    default:
      return judgement.verdict satisfies never;
  }
}

function canWait(gate: Gate, { checkpointer, isVersion1 }: AgentFacts): boolean {
  return checkpointer.type !== "none" && !(isVersion1 && gate.mode === "per_call");
}
