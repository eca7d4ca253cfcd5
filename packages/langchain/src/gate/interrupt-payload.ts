import {
  type DecisionType,
  digestCall,
  digestJson,
  type InterruptPayload,
  isJsonObject,
  isPlainJson,
  type JsonObject,
  readInterruptPayload,
  type Review,
  type ReviewDraft,
} from "@holdpoint/core";

type Asked = Omit<ReviewDraft, "interruptId">;

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
    turnId: review.turnId,
    raised: review.raised,
    ...(review.askedFor === undefined ? {} : { askedFor: review.askedFor }),
  };
}

/**
 * Reads any interrupt into the review it opens: ours exactly as it was raised; whatever else a tool
 * asks (a string, a form, any JSON) as one question that is answered with a text.
 */
export function reviewOf(
  interrupt: { readonly id?: string; readonly value?: unknown },
  threadId: string,
): ReviewDraft | undefined {
  if (interrupt.id === undefined) return undefined;
  const payload = readInterruptPayload(interrupt.value);
  return payload === undefined
    ? questionOf(interrupt.id, interrupt.value, threadId)
    : heldCalls(interrupt.id, payload);
}

function heldCalls(interruptId: string, payload: InterruptPayload): ReviewDraft {
  return {
    id: payload.reviewId,
    threadId: payload.threadId,
    agent: payload.agent,
    turnId: payload.turnId,
    interruptId,
    raised: payload.raised,
    cause: payload.cause,
    ...(payload.askedFor === undefined ? {} : { askedFor: payload.askedFor }),
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

function questionOf(interruptId: string, value: unknown, threadId: string): ReviewDraft {
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
    raised: { taskId: "", round: 0, votes: 0 },
    cause: "policy",
    actions: [
      {
        id: `act_${interruptId}`,
        toolCallId: interruptId,
        call: { name, args },
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
