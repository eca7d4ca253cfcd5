import type { AIMessage } from "@langchain/core/messages";
import {
  type Action,
  type Call,
  digestCall,
  type Holdpoint,
  type JsonObject,
  problemWithArgs,
  problemWithJson,
  type ReviewDraft,
  ruleFor,
  type Verdict,
} from "@holdpoint/core";
import { later } from "@holdpoint/engine/clock";
import { newId } from "@holdpoint/engine/ids";
import type { WhenRequest } from "./interrupt-on.ts";
import type { Gate } from "./options.ts";
import type { NewReview } from "../pause/pause.ts";
import { type Judgement, type Proposal, runtimeOf } from "./proposal.ts";
import { provenanceHere, requestOfPerson } from "./provenance.ts";
import { ruleSchemaOf, schemaOf } from "../tool/tool-schema.ts";
import { isRejection } from "../tool/tool-messages.ts";
import { sinceLastHuman } from "../turn/turns.ts";
import { verdictOn } from "./verdict-on.ts";

/** Asks the rules; a call that could never run (not JSON, or against its schema) goes back to the model instead. */
export async function judge(gate: Gate, proposal: Proposal): Promise<Judgement> {
  return judgementOn(gate, proposal, await verdictOn(gate, proposal));
}

/** What a verdict comes to for this very call. */
export function judgementOn(gate: Gate, proposal: Proposal, verdict: Verdict): Judgement {
  const { toolCall } = proposal;
  if (verdict.type !== "review") return { type: "judged", verdict };
  const unsafe = problemWithJson(toolCall.args);
  if (unsafe !== undefined) return { type: "malformed", problem: unsafe };
  const problem = problemWithSchemas(gate, proposal);
  if (problem !== undefined) return { type: "malformed", problem };
  const times = rejectionsOf(proposal);
  return times >= gate.maxRejections ? { type: "repeated", times } : { type: "judged", verdict };
}

/** Asks the rules about an edited call, at the moment it is decided: it is a new call of the same agent. */
export async function judgeEdit(
  gate: Gate,
  call: Call,
  threadId: string,
  argsSchema?: JsonObject,
): Promise<Verdict> {
  const toolCall = { type: "tool_call" as const, name: call.name, args: { ...call.args } };
  const about = {
    toolCall,
    argsSchema,
    threadId,
    turnId: "",
    messages: [],
    state: {},
    runtime: {},
  };
  const problem = problemWithJson(call.args) ?? problemWithSchemas(gate, about);
  if (problem !== undefined) return { type: "deny", rule: "schema", reason: problem };
  return verdictOn(gate, about);
}

/** Refuses a call to a tool that the agent does not have, and lists those it has, as far as they are known here. */
export function judgeName({ schemas }: Gate, { name }: Call): Verdict | undefined {
  if (schemas.size === 0 || schemas.has(name)) return undefined;
  const known = [...schemas.keys()].join(", ");
  return {
    type: "deny",
    rule: "tools",
    reason: `${name} is not one of the agent's tools: ${known}.`,
  };
}

/** Against the tool's own schema, and the one that its rule gives. */
function problemWithSchemas(gate: Gate, { toolCall, argsSchema }: Proposal): string | undefined {
  const args: JsonObject = toolCall.args; // checked to be JSON
  for (const schema of [argsSchema, ruleSchemaOf(gate.rules, toolCall.name)]) {
    const problem = schema === undefined ? undefined : problemWithArgs(schema, args);
    if (problem !== undefined) return problem.message;
  }
  return undefined;
}

/** How often a person has rejected exactly this call since the last message that a person wrote. */
function rejectionsOf({ messages, toolCall }: Proposal): number {
  const recent = sinceLastHuman(messages);
  const rejected = new Set(
    recent.filter(isRejection).map((one) => ("tool_call_id" in one ? one.tool_call_id : undefined)),
  );
  if (rejected.size === 0) return 0;
  const wanted = JSON.stringify([toolCall.name, toolCall.args]);
  return recent
    .flatMap((message) => (message as AIMessage).tool_calls ?? []) // only AI messages have any
    .filter((call) => call.id !== toolCall.id && rejected.has(call.id))
    .filter((call) => JSON.stringify([call.name, call.args]) === wanted).length;
}

/** The schema that a call to this tool is bound to, as it is now; a redeployed tool with another one needs a new review. */
export function argsSchemaOf(gate: Gate, tool: { readonly name: string }): JsonObject | undefined {
  return ruleSchemaOf(gate.rules, tool.name) ?? schemaOf(tool);
}

/** A gate with the record that its reviews go to. */
type Recorded = Gate & { readonly holdpoint: Holdpoint };

/** An action that holds a call, and how long a person has for it, in milliseconds. */
export type HeldCall = { readonly action: Action; readonly deadlineIn?: number | undefined };

/** The action that holds a call. */
export async function heldCallFor(
  gate: Gate,
  proposal: Proposal,
  verdict: Extract<Verdict, { type: "review" }>,
): Promise<HeldCall> {
  const { toolCall } = proposal;
  const argsSchema = ruleSchemaOf(gate.rules, toolCall.name) ?? proposal.argsSchema;
  const args: JsonObject = toolCall.args; // checked by `judge`
  const description = await describe(gate, proposal);
  const action: Action = {
    id: newId("act"),
    toolCallId: toolCall.id ?? "",
    call: { name: toolCall.name, args },
    ...(argsSchema === undefined ? {} : { argsSchema }),
    digest: digestCall({ name: toolCall.name, args, argsSchema }),
    description,
    allowedDecisions: verdict.allowedDecisions,
    rule: verdict.rule,
    reason: verdict.reason,
    reasonCode: verdict.reasonCode,
    state: { status: "open" },
  };
  return { action, deadlineIn: verdict.deadlineIn };
}

/** The review that holds these calls of one turn. */
export async function reviewFor(
  gate: Recorded,
  proposal: Pick<Proposal, "threadId" | "turnId" | "messages">,
  held: readonly HeldCall[],
  cause: ReviewDraft["cause"],
): Promise<NewReview> {
  const request = requestOfPerson(proposal.messages);
  return {
    id: newId("rev"),
    threadId: proposal.threadId,
    agent: gate.agent,
    ...provenanceHere(gate.agent),
    turnId: proposal.turnId,
    cause,
    ...(request === undefined ? {} : { askedFor: request }),
    ...(await deadlineFor(gate, held)),
    actions: held.map(({ action }) => action),
  };
}

/** What holds them waits as one, so the earliest deadline is the review's; by the record's own clock. */
async function deadlineFor(
  { holdpoint }: Recorded,
  held: readonly HeldCall[],
): Promise<Pick<NewReview, "deadline">> {
  const durations = held.flatMap(({ deadlineIn }) => deadlineIn ?? []);
  if (durations.length === 0) return {};
  const at = later(await holdpoint.now(), Math.min(...durations));
  return { deadline: { at, outcome: "rejected" } };
}

/** The arguments stand beside the description in full; nobody reads them twice, and they would be kept twice. */
const longestArgs = 4_000;

function shortened(args: string): string {
  if (args.length <= longestArgs) return args;
  const beginning = args.slice(0, longestArgs).replace(/[\uD800-\uDBFF]$/u, "");
  return `${beginning}… (cut here: the arguments are ${args.length} characters long)`;
}

async function describe(gate: Gate, proposal: Proposal): Promise<string> {
  const { toolCall } = proposal;
  const rule = ruleFor(gate.rules, toolCall.name)?.rule;
  const written = typeof rule === "object" ? rule.description : undefined;
  const args = JSON.stringify(toolCall.args, null, 2);
  const shown = gate.isLegacy ? args : shortened(args);
  const usual = `${gate.descriptionPrefix}\n\nTool: ${toolCall.name}\nArgs: ${shown}`;
  if (typeof written === "string") return written;
  if (written === undefined) return usual;
  try {
    const about = { state: proposal.state, runtime: runtimeOf(proposal) };
    const { state, runtime } = about as Pick<WhenRequest, "state" | "runtime">; // LangChain's own
    const text: unknown = await written(toolCall, state, runtime);
    return typeof text === "string" ? text : usual;
  } catch {
    return usual; // a broken description must not lose the pause
  }
}
