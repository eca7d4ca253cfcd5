import type { BaseMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import {
  type Action,
  type Call,
  type CallKey,
  digestCall,
  evaluate,
  type JsonObject,
  problemWithArgs,
  problemWithJson,
  type ReviewDraft,
  ruleFor,
  type Verdict,
} from "@holdpoint/core";
import { newId } from "@holdpoint/engine";
import { askedFor } from "./call-key.ts";
import type { Gate } from "./options.ts";
import type { NewReview } from "./pause.ts";
import { schemaOf } from "./tool-schema.ts";

/** One tool call on its way, with what the rules may ask about it. */
export type Proposal = {
  readonly toolCall: ToolCall;
  readonly argsSchema: JsonObject | undefined;
  readonly threadId: string;
  readonly turnId: string;
  readonly messages: readonly BaseMessage[];
  readonly state: unknown;
  readonly runtime: unknown;
};

/** The name under which the gate and its records know this call. */
export function keyOf({ threadId, turnId, toolCall }: Proposal): CallKey {
  return { threadId, turnId, toolCallId: toolCall.id ?? "" };
}

/** The verdict on a proposal, or what is wrong with the call itself so that nobody need be asked. */
export type Judgement =
  | { readonly type: "judged"; readonly verdict: Verdict }
  | { readonly type: "malformed"; readonly problem: string };

/** Asks the rules; a call that could never run (not JSON, or against its schema) goes back to the model instead. */
export async function judge(gate: Gate, proposal: Proposal): Promise<Judgement> {
  const { toolCall, argsSchema, state, runtime } = proposal;
  const verdict = await evaluate(gate.rules, toolCall.name, { toolCall, state, runtime });
  if (verdict.type !== "review") return { type: "judged", verdict };
  const unsafe = problemWithJson(toolCall.args);
  if (unsafe !== undefined) return { type: "malformed", problem: unsafe };
  const problem = argsSchema === undefined ? undefined : problemWithArgs(argsSchema, toolCall.args);
  return problem === undefined
    ? { type: "judged", verdict }
    : { type: "malformed", problem: problem.message };
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
  const judgement = await judge(gate, about);
  return judgement.type === "judged"
    ? judgement.verdict
    : { type: "deny", rule: "schema", reason: judgement.problem };
}

/** The schema that a call to this tool is bound to, as it is now; a redeployed tool with another one needs a new review. */
export function argsSchemaOf(gate: Gate, tool: { readonly name: string }): JsonObject | undefined {
  return ruleSchema(gate, tool.name) ?? schemaOf(tool);
}

function ruleSchema(gate: Gate, tool: string): JsonObject | undefined {
  const rule = ruleFor(gate.rules, tool)?.rule;
  return typeof rule === "object" ? rule.argsSchema : undefined;
}

/** The action that holds a call. */
export async function actionFor(
  gate: Gate,
  proposal: Proposal,
  verdict: Extract<Verdict, { type: "review" }>,
): Promise<Action> {
  const { toolCall } = proposal;
  const argsSchema = ruleSchema(gate, toolCall.name) ?? proposal.argsSchema;
  const args: JsonObject = toolCall.args; // checked by `judge`
  const description = await describe(gate, proposal);
  return {
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
}

/** The review that holds these actions of one turn. */
export function reviewFor(
  gate: Gate,
  proposal: Pick<Proposal, "threadId" | "turnId" | "messages">,
  actions: readonly Action[],
  cause: ReviewDraft["cause"],
): NewReview {
  const request = askedFor(proposal.messages);
  return {
    id: newId("rev"),
    threadId: proposal.threadId,
    agent: gate.agent,
    turnId: proposal.turnId,
    cause,
    ...(request === undefined ? {} : { askedFor: request }),
    actions,
  };
}

async function describe(gate: Gate, proposal: Proposal): Promise<string> {
  const { toolCall, state, runtime } = proposal;
  const rule = ruleFor(gate.rules, toolCall.name)?.rule;
  const written = typeof rule === "object" ? rule.description : undefined;
  const usual = `${gate.descriptionPrefix}\n\nTool: ${toolCall.name}\nArgs: ${JSON.stringify(toolCall.args, null, 2)}`;
  if (typeof written === "string") return written;
  if (written === undefined) return usual;
  try {
    return String(await written(toolCall, state, runtime));
  } catch {
    return usual; // a broken description must not lose the pause
  }
}
