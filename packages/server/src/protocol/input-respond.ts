import {
  decisionSchema,
  type NamedDecision,
  positionalAnswerSchema,
  readAnswer,
  type Refusal,
  type Reviewer,
  type ReviewView,
  textLimit,
} from "@holdpoint/core";
import type { Engine } from "@holdpoint/engine";
import type { z } from "zod";
import {
  type CommandResult,
  commandError,
  type InputRespond,
  inputRespondSchema,
  type ProtocolError,
} from "./commands.ts";

type DecideRequest = Parameters<Engine["reviews"]["decideAll"]>[0][number];

/** Answers one or more interrupts: every answer is recorded in one transaction or, with a refusal, none. */
export async function respondToInput(
  engine: Engine,
  threadId: string,
  params: unknown,
  reviewer: Reviewer,
): Promise<{ readonly result: CommandResult; readonly answered: readonly string[] }> {
  const read = inputRespondSchema.safeParse(params);
  if (!read.success)
    return failed("invalid_argument", "input.respond needs interrupt_id and response.");
  if (read.data.update !== undefined || read.data.goto !== undefined) {
    return failed(
      "not_supported",
      "input.respond with update or goto is not supported; send the response alone.",
    );
  }
  const requests: DecideRequest[] = [];
  for (const answer of read.data.responses) {
    const request = await requestFor(engine, threadId, answer, reviewer);
    if ("error" in request) return failed(request.error, request.message);
    requests.push(request);
  }
  const decided = await engine.reviews.decideAll(requests);
  if (decided.type === "refused") return failed(codeOf(decided.refusal), decided.refusal.message);
  const fresh = decided.results.filter((one) => !one.repeated).map((one) => one.review.interruptId);
  return { result: { type: "success", result: {} }, answered: fresh };
}

async function requestFor(
  engine: Engine,
  threadId: string,
  answer: InputRespond["responses"][number],
  reviewer: Reviewer,
): Promise<DecideRequest | { readonly error: ProtocolError; readonly message: string }> {
  const review = await engine.reviews.findOfInterrupt(threadId, answer.interrupt_id);
  if (review === undefined) {
    return {
      error: "no_such_interrupt",
      message: `Interrupt ${answer.interrupt_id} is not known on this thread; read its state for the one that waits.`,
    };
  }
  const decisions = await readResponse(engine, review, answer.response);
  if ("code" in decisions) return { error: codeOf(decisions), message: decisions.message };
  return { reviewId: review.id, decisions, reviewer };
}

/** Decisions as core reads them; a question of a tool takes any text that a decision may carry. */
async function readResponse(
  engine: Engine,
  view: ReviewView,
  response: unknown,
): Promise<readonly NamedDecision[] | Refusal> {
  const [action] = view.actions;
  const isQuestion = view.turnId === "" && action !== undefined;
  if (isQuestion && !positionalAnswerSchema.safeParse(response).success) {
    const message = typeof response === "string" ? response : JSON.stringify(response);
    const decision = decisionSchema.safeParse({ type: "respond", message });
    return decision.success
      ? [{ actionId: action.id, decision: decision.data }]
      : notAnAnswer(view, decision.error);
  }
  const review = await engine.readReview(view.id);
  if (review === undefined) return reviewGone(view);
  const answer = readAnswer(review, response);
  return answer.type === "refused" ? answer.refusal : answer.decisions;
}

function notAnAnswer(view: ReviewView, error: z.ZodError): Refusal {
  return {
    code: "decision_invalid",
    message: `The answer to review ${view.id} cannot be used: ${error.issues[0]?.message ?? "it is not text"}. Send a text of 1 to ${textLimit} characters.`,
    details: { reviewId: view.id },
  };
}

function reviewGone(view: ReviewView): Refusal {
  return {
    code: "review_not_found",
    message: `There is no review ${view.id} any more; read the thread's state for the one that waits.`,
    details: { reviewId: view.id },
  };
}

function codeOf(refusal: Refusal): ProtocolError {
  switch (refusal.code) {
    case "already_decided":
    case "review_closed":
    case "review_not_found":
      return "no_such_interrupt";
    default:
      return "invalid_argument";
  }
}

function failed(
  error: ProtocolError,
  message: string,
): { readonly result: CommandResult; readonly answered: readonly string[] } {
  return { result: commandError(error, message), answered: [] };
}
