import {
  actionIdSchema,
  type NamedDecision,
  nameDecisions,
  positionalAnswerSchema,
  type Refusal,
  type Reviewer,
  type ReviewView,
  toCamelCase,
} from "@holdpoint/core";
import type { Engine } from "@holdpoint/engine";
import { z } from "zod";
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
  const decisions = await readAnswer(engine, review, answer.response);
  if ("code" in decisions) return { error: codeOf(decisions), message: decisions.message };
  return { reviewId: review.id, decisions, reviewer };
}

/** Decisions that name their actions, or that cover the review by position; a question takes any text. */
async function readAnswer(
  engine: Engine,
  view: ReviewView,
  response: unknown,
): Promise<readonly NamedDecision[] | Refusal> {
  const answer = positionalAnswerSchema.safeParse(response);
  if (!answer.success) {
    const [action] = view.actions;
    const isQuestion = view.turnId === "" && action !== undefined;
    if (!isQuestion) return notUnderstood(view);
    const message = typeof response === "string" ? response : JSON.stringify(response);
    return [{ actionId: action.id, decision: { type: "respond", message } }];
  }
  const { decisions } = answer.data;
  const ids = idsIn(response);
  if (ids.length > 0 && ids.length === decisions.length) {
    const missing = view.actions.find(
      (action) => action.status === "open" && !ids.includes(action.id),
    );
    if (missing !== undefined) return notCovered(view, missing.id);
    return decisions.flatMap((decision, index): NamedDecision[] => {
      const actionId = ids[index];
      return actionId === undefined ? [] : [{ actionId, decision }];
    });
  }
  const review = await engine.readReview(view.id);
  if (review === undefined) return notUnderstood(view);
  const named = nameDecisions(review, decisions);
  return named.type === "refused" ? named.refusal : named.decisions;
}

const namedSchema = z.object({ decisions: z.array(z.object({ actionId: actionIdSchema })) });

function idsIn(response: unknown): readonly NamedDecision["actionId"][] {
  const read = namedSchema.safeParse(toCamelCase(response));
  return read.success ? read.data.decisions.map((one) => one.actionId) : [];
}

function notUnderstood(view: ReviewView): Refusal {
  const allowed = view.actions
    .map((action) => `${action.name}: ${action.allowedDecisions.join(", ")}`)
    .join("; ");
  return {
    code: "decision_invalid",
    message: `The answer to review ${view.id} was not understood; send { decisions: [{ type: … }] }, one for each action (${allowed}).`,
  };
}

/** An answer to an interrupt ends it, so it must decide everything that the review still holds. */
function notCovered(view: ReviewView, actionId: string): Refusal {
  return {
    code: "decision_count",
    message: `The answer leaves action ${actionId} of review ${view.id} undecided; send a decision for each of its actions.`,
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
