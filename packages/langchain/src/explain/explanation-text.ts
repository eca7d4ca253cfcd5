import type { CheckpointerKind } from "./agent-facts.ts";
import type { Gated, Ungated } from "./explanation.ts";

type Told = Omit<Ungated, "text"> | Omit<Gated, "text">;

/** An explanation in a few sentences, for a person. */
export function textOf(tool: string, told: Told, tools: readonly string[]): string {
  const sentences =
    told.fate === "ungated"
      ? [`This agent has no gate of Holdpoint, so a call to ${tool} runs without asking anybody.`]
      : [...whatHappens(tool, told, tools), ...whatTheRulesSay(told), ...howItWaits(told)];
  return [...sentences, ...told.warnings].join(" ");
}

type GatedFacts = Omit<Gated, "text">;

function whatHappens(tool: string, told: GatedFacts, tools: readonly string[]): string[] {
  const { fate, problem = "" } = told;
  switch (fate) {
    case "recorded":
      return [`${whatIsRecorded(tool, told)} That alone counts, whatever the rules say now.`];
    case "held":
      return [`A call to ${tool} waits for a person.`];
    case "free":
      return [`A call to ${tool} runs without asking anybody.`];
    case "denied":
      return [`A call to ${tool} never runs; the model gets an error.`];
    case "returned":
      return [
        `This call to ${tool} goes back to the model and nobody is asked, because its arguments do not fit: ${problem}.`,
      ];
    case "not_asked_again":
      return [`This call to ${tool} does not run and nobody is asked: ${problem}.`];
    case "no_such_tool":
      return [
        `${tool} is not one of the agent's tools (${tools.join(", ")}), so LangChain says so to the model and nobody is asked.`,
      ];
    case "cannot_wait":
      return [`A call to ${tool} has to wait for a person and cannot: the run fails.`];
    default:
      return fate satisfies never;
  }
}

function whatIsRecorded(tool: string, { record }: GatedFacts): string {
  switch (record?.status) {
    case "decided": {
      if (record.recorded === undefined)
        return `This call to ${tool} was held, and its deadline passed before anybody decided it.`;
      const { decision, reviewer, at } = record.recorded;
      return `This call to ${tool} was held and decided: ${decision.type}, by ${reviewer.name} at ${at}.`;
    }
    case "closed":
      return `This call to ${tool} was held, and its review was closed before anybody decided it.`;
    case "open":
    case undefined:
      return `This call to ${tool} waits for a person now.`;
    default:
      return record satisfies never;
  }
}

function whatTheRulesSay(told: GatedFacts): string[] {
  const { fate, key, isOfContext, isOfGuardrail, condition, verdict, unlisted } = told;
  if (fate === "no_such_tool" || fate === "recorded") return [];
  const says = { allow: "lets it run", review: "holds it", deny: "refuses it" }[verdict.type];
  if (isOfGuardrail === true) return [`${verdict.rule} ${says}.`];
  if (key === undefined)
    return [`No key of interruptOn matches it, and unlisted is "${unlisted}".`];
  const answer =
    condition === undefined
      ? ""
      : condition.type === "answered"
        ? `, and its condition answered ${condition.answer}`
        : `, but its condition failed (${condition.problem}), so a person is asked`;
  const rules = isOfContext ? "context.interruptOn" : "interruptOn";
  return [`${rules}["${key}"] ${says}${answer}.`];
}

function howItWaits({ fate, mode, checkpointer, hasEngine }: GatedFacts): string[] {
  if (fate === "cannot_wait") {
    return checkpointer.type === "none"
      ? ["The agent has no checkpointer to keep the pause; pass one."]
      : ['interruptMode "per_call" needs an agent of version "v2".'];
  }
  if (fate !== "held") return [];
  const turn =
    mode === "batched"
      ? 'In "batched" mode nothing of the turn runs until every held call of it is decided.'
      : 'In "per_call" mode it waits by itself, and the other calls of the turn go on.';
  const record = hasEngine ? "the engine" : "this process";
  return [turn, `${keeperOf(checkpointer)} keeps the pause, and ${record} the decision.`];
}

function keeperOf(checkpointer: CheckpointerKind): string {
  switch (checkpointer.type) {
    case "holdpoint":
      return "Holdpoint's checkpointer";
    case "foreign":
      return checkpointer.name;
    case "inherited":
      return "The checkpointer of the graph around it";
    case "none":
      return "Nobody";
    default:
      return checkpointer satisfies never;
  }
}
