import {
  answerSchemaOf,
  type DecisionType,
  digestCall,
  digestJson,
  type InterruptPayload,
  isJsonObject,
  isPlainJson,
  type JsonObject,
  type Provenance,
  provenanceOf,
  readCard,
  readInterruptPayload,
  type Review,
  type ReviewDraft,
} from "@holdpoint/core";
import { ruleSchemaOf } from "../tool/tool-schema.ts";
import type { Gate } from "../gate/options.ts";

type Asked = Omit<ReviewDraft, "interruptId">;

/** What the interrupt of a review says, in the shape that the gate's mode has in LangChain. */
export function payloadFor(
  gate: Pick<Gate, "mode" | "isLegacy" | "rules">,
): (review: Asked | Review) => object {
  if (gate.isLegacy) return (review) => usualPayloadOf(gate, review);
  return gate.mode === "per_call" ? toolApprovalOf : payloadOf;
}

/** LangChain's request of 1.5.14, with nothing added. */
function usualPayloadOf(gate: Pick<Gate, "rules">, review: Asked | Review): object {
  return {
    actionRequests: review.actions.map(({ call, description }) => ({
      name: call.name,
      args: call.args,
      ...(description === undefined ? {} : { description }),
    })),
    reviewConfigs: review.actions.map(({ call, allowedDecisions }) => {
      const argsSchema = ruleSchemaOf(gate.rules, call.name);
      return {
        actionName: call.name,
        allowedDecisions: [...allowedDecisions],
        ...(argsSchema === undefined ? {} : { argsSchema }),
      };
    }),
  };
}

/** The request for one call, which also has the shape of LangChain's `per_call` mode. */
function toolApprovalOf(review: Asked | Review): object {
  const [action] = review.actions;
  if (action === undefined || review.actions.length > 1) return payloadOf(review);
  const { call, toolCallId, description, allowedDecisions } = action;
  return {
    type: "tool_approval",
    toolCallId,
    name: call.name,
    args: call.args,
    ...(description === undefined ? {} : { description }),
    allowedDecisions: [...allowedDecisions],
    ...payloadOf(review),
  };
}

/** LangChain's `per_call` request for one tool call, answered with one decision; ours says which agent asks. */
export type ToolApprovalInterrupt = Provenance & {
  readonly type: "tool_approval";
  readonly toolCallId: string;
  readonly name: string;
  readonly args: JsonObject;
  readonly description?: string;
  readonly allowedDecisions: readonly DecisionType[];
};

/** True for the value of an interrupt that asks about one tool call, in either casing. */
export function isToolApprovalInterrupt(value: unknown): value is ToolApprovalInterrupt {
  if (typeof value !== "object" || value === null) return false;
  return "type" in value && value.type === "tool_approval" && "name" in value && "args" in value;
}

/** True for the value of our interrupt that asks for a whole turn, so that every other call of it waits as well. */
export function asksForTurn(value: unknown): boolean {
  return readInterruptPayload(value)?.cause === "policy" && !isToolApprovalInterrupt(value);
}

/** The interrupt's value for a review: LangChain's request with our fields added. */
export function payloadOf(review: Asked | Review): InterruptPayload {
  return {
    actionRequests: review.actions.map((action) => ({
      name: action.call.name,
      args: action.call.args,
      ...(action.description === undefined ? {} : { description: action.description }),
      actionId: action.id,
      toolCallId: action.toolCallId,
      rule: action.rule,
      reason: action.reason,
      reasonCode: action.reasonCode,
    })),
    reviewConfigs: review.actions.map((action) => ({
      actionName: action.call.name,
      allowedDecisions: [...action.allowedDecisions],
      ...(action.argsSchema === undefined ? {} : { argsSchema: action.argsSchema }),
    })),
    reviewId: review.id,
    cause: review.cause,
    threadId: review.threadId,
    agent: review.agent,
    ...provenanceOf(review),
    turnId: review.turnId,
    raised: review.raised,
    ...(review.askedFor === undefined ? {} : { askedFor: review.askedFor }),
    ...(review.deadline === undefined ? {} : { deadline: review.deadline }),
  };
}

/** An interrupt as LangGraph stores it; `response_schema` is there when the tool gave a `responseSchema`. */
export type RaisedInterrupt = {
  readonly id?: string;
  readonly value?: unknown;
  readonly response_schema?: unknown;
};

/** Who asks with an interrupt that does not say it. */
type Asker = Pick<ReviewDraft, "agent" | "agentPath" | "parentCall" | "askedFor">;

const askers = new WeakMap<RaisedInterrupt, Asker>();

/** Says who asks with this interrupt; known until it is stored, which is when its review is opened. */
export function noteAsker(interrupt: RaisedInterrupt, asker: Asker): void {
  askers.set(interrupt, asker);
}

/**
 * Reads any interrupt into the review it opens: ours exactly as it was raised; whatever else a tool
 * asks (a card, a text, any JSON) as one question. The answer to a card must fit its fields, and that to
 * an interrupt with a `responseSchema` must fit that.
 */
export function reviewOf(
  interrupt: RaisedInterrupt,
  raisedIn: { readonly threadId: string; readonly taskId: string },
): ReviewDraft | undefined {
  const { id } = interrupt;
  if (id === undefined) return undefined;
  const payload = readInterruptPayload(interrupt.value);
  return payload === undefined
    ? { ...questionOf({ ...interrupt, id }, raisedIn), ...askers.get(interrupt) }
    : heldCalls(id, payload);
}

function heldCalls(interruptId: string, payload: InterruptPayload): ReviewDraft {
  return {
    id: payload.reviewId,
    threadId: payload.threadId,
    agent: payload.agent,
    ...provenanceOf(payload),
    turnId: payload.turnId,
    interruptId,
    raised: payload.raised,
    cause: payload.cause,
    ...(payload.askedFor === undefined ? {} : { askedFor: payload.askedFor }),
    ...(payload.deadline === undefined ? {} : { deadline: payload.deadline }),
    actions: payload.actionRequests.map((request, index) => {
      const config = payload.reviewConfigs[index];
      const call = { name: request.name, args: request.args };
      return {
        id: request.actionId,
        toolCallId: request.toolCallId,
        call,
        ...(config?.argsSchema === undefined ? {} : { argsSchema: config.argsSchema }),
        digest: digestCall({ ...call, argsSchema: config?.argsSchema }),
        ...(request.description === undefined ? {} : { description: request.description }),
        allowedDecisions: config?.allowedDecisions ?? [],
        rule: request.rule,
        reason: request.reason,
        reasonCode: request.reasonCode,
        state: { status: "open" },
      };
    }),
  };
}

const answerOnly: readonly DecisionType[] = ["respond"];

function questionOf(
  { id: interruptId, value, response_schema: schema }: RaisedInterrupt & { readonly id: string },
  { threadId, taskId }: { readonly threadId: string; readonly taskId: string },
): ReviewDraft {
  const card = readCard(value);
  const cardSchema = card === undefined ? undefined : answerSchemaOf(card);
  const answerSchema = isJsonObject(schema) ? schema : cardSchema;
  const args: JsonObject = isJsonObject(value)
    ? value
    : { question: isPlainJson(value) ? value : "A tool asks something that cannot be shown." };
  const name = typeof args.formType === "string" ? args.formType : "question";
  return {
    id: `rev_${interruptId}`,
    threadId,
    agent: "",
    turnId: "",
    interruptId,
    raised: { taskId, round: 0, votes: 0 },
    cause: "policy",
    actions: [
      {
        id: `act_${interruptId}`,
        toolCallId: interruptId,
        call: { name, args },
        ...(answerSchema === undefined ? {} : { answerSchema }),
        digest: digestJson({ name, args }),
        allowedDecisions: answerOnly,
        rule: "interrupt",
        reason: "A tool asks a person.",
        reasonCode: "question",
        state: { status: "open" },
      },
    ],
  };
}
