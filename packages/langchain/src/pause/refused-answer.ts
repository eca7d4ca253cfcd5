import { HoldpointError, isJsonObject, type Refusal, type Review } from "@holdpoint/core";

/**
 * By this mark LangGraph knows that a resume value was refused (`isInvalidResume`): nothing of the task is
 * stored as its answer, the step's other tasks end undisturbed, and the interrupt can be answered again.
 */
const invalidResume = Symbol.for("langgraph.invalid_resume");

/** The error of an answer that changed nothing: LangChain's own words first, where it has some, then ours. */
export function refusedAnswer(
  refusal: Refusal,
  given?: { readonly review: Review; readonly vote: unknown },
): HoldpointError {
  const usual = given === undefined ? undefined : usualText(given.review, given.vote);
  const message = usual === undefined ? refusal.message : `${usual} ${refusal.message}`;
  const error = new HoldpointError(
    refusal.code,
    message,
    refusal.details === undefined ? {} : { details: refusal.details },
  );
  return Object.defineProperty(error, invalidResume, { value: true });
}

/** The same refusal, with the interrupts of the thread that do wait for an answer. */
export function withWaiting(
  refusal: Refusal,
  threadId: string,
  interruptIds: readonly string[],
): Refusal {
  const message = `${refusal.message} What waits on thread ${threadId}: ${interruptIds.join(", ") || "nothing"}.`;
  return { ...refusal, message, details: { ...refusal.details, interruptIds } };
}

/** True for an answer that LangGraph lets be given again. */
export function isRefusedAnswer(error: unknown): boolean {
  let current = error;
  for (let depth = 0; depth < 10; depth += 1) {
    if (typeof current !== "object" || current === null) return false;
    if (Object.getOwnPropertyDescriptor(current, invalidResume)?.value === true) return true;
    current = "cause" in current ? current.cause : undefined;
  }
  return false;
}

/** How much of an answer an error quotes, in characters. */
const quoteLimit = 300;

/** What LangChain's middleware says to the same answer (langchain 1.5.14, `middleware/hitl.js`). */
function usualText(review: Review, vote: unknown): string | undefined {
  if (review.actions[0]?.reasonCode === "question") return undefined;
  const decisions: unknown = isRecord(vote) ? vote["decisions"] : undefined;
  if (!Array.isArray(decisions))
    return "Invalid HITLResponse: decisions must be a non-empty array.";
  const { length } = decisions;
  if (length !== review.actions.length)
    return `Number of human decisions (${length}) does not match number of hanging tool calls (${review.actions.length}).`;
  for (const [index, decision] of decisions.entries()) {
    const action = review.actions[index];
    const text = action === undefined ? undefined : textOfDecision(action, decision);
    if (text !== undefined) return text;
  }
  return undefined;
}

function textOfDecision(action: Review["actions"][number], decision: unknown): string | undefined {
  const tool = action.call.name;
  const { type, editedAction, message } = isRecord(decision) ? decision : {};
  if (!action.allowedDecisions.some((one) => one === type)) {
    return `Unexpected human decision: ${asText(decision)}. Decision type '${String(type)}' is not allowed for tool '${tool}'. Expected one of ${JSON.stringify(action.allowedDecisions)} based on the tool's configuration.`;
  }
  if (type === "edit") {
    const edited = isRecord(editedAction) ? editedAction : {};
    if (typeof edited["name"] !== "string")
      return `Invalid edited action for tool "${tool}": name must be a string.`;
    if (!isJsonObject(edited["args"]))
      return `Invalid edited action for tool "${tool}": args must be an object.`;
  }
  if (type === "reject" && message !== undefined && typeof message !== "string")
    return `Tool call response for "${tool}" must be a string, got ${typeof message}.`;
  return undefined;
}

function asText(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, quoteLimit);
  } catch {
    return "an answer that is not JSON";
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
