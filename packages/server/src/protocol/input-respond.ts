import {
  isJsonObject,
  type NamedDecision,
  readAnswer,
  type Refusal,
  type Reviewer,
  type ReviewView,
} from "@holdpoint/core";
import type { Engine } from "@holdpoint/engine";
import { readThreadState } from "@holdpoint/langchain";
import type { LoadedAgent } from "../host/load-agents.ts";
import { type AddedMessage, readAddedMessages } from "./added-messages.ts";
import {
  type CommandResult,
  commandError,
  type InputRespond,
  inputRespondSchema,
  type ProtocolError,
} from "./commands.ts";

type DecideRequest = Parameters<Engine["reviews"]["decideAll"]>[0][number];

/** What answering needs: the engine, and the agents whose threads can be read. */
export type RespondParts = {
  readonly engine: Engine;
  readonly agents: ReadonlyMap<string, LoadedAgent>;
};

/**
 * Answers one or more interrupts: every answer is recorded in one transaction or, with a refusal, none.
 * An update's messages are recorded with the first answer, and join the thread in the step that reads it.
 */
export async function respondToInput(
  parts: RespondParts,
  threadId: string,
  params: unknown,
  reviewer: Reviewer,
): Promise<{ readonly result: CommandResult; readonly answered: readonly string[] }> {
  const { engine } = parts;
  const read = inputRespondSchema.safeParse(params);
  if (!read.success)
    return failed("invalid_argument", "input.respond needs interrupt_id and response.");
  const { update, goto } = read.data;
  if (goto !== undefined)
    return failed("not_supported", "input.respond with goto is not supported; leave goto away.");
  const added = update === undefined ? [] : readAddedMessages(update);
  if (added === undefined) return failed("not_supported", notAddable);
  const requests: DecideRequest[] = [];
  for (const answer of read.data.responses) {
    const request = await requestFor(engine, threadId, answer, reviewer);
    if ("error" in request) return failed(request.error, request.message);
    requests.push(requests.length === 0 ? { ...request, addMessages: added } : request);
  }
  const taken = await takenId(parts, threadId, { requests, added });
  if (taken !== undefined)
    return failed(
      "invalid_argument",
      `Thread ${threadId} has a message ${taken} already, and a message cannot be replaced; send the new one under an id of its own.`,
    );
  const decided = await engine.reviews.decideAll(requests);
  if (decided.type === "refused") return failed(codeOf(decided.refusal), decided.refusal.message);
  const fresh = decided.results.filter((one) => !one.repeated).map((one) => one.review.interruptId);
  return { result: { type: "success", result: {} }, answered: fresh };
}

const notAddable =
  'The update of input.respond may only add messages of a person or answered cards: { messages: [{ type: "human" | "ai", content }] }, without tool calls.';

/** An added message that would replace one of the thread; an answer that is sent again adds nothing. */
async function takenId(
  { engine, agents }: RespondParts,
  threadId: string,
  sent: { readonly requests: readonly DecideRequest[]; readonly added: readonly AddedMessage[] },
): Promise<string | undefined> {
  const [first] = sent.requests;
  if (sent.added.length === 0 || first === undefined) return undefined;
  if ((await engine.readReview(first.reviewId))?.state.status !== "open") return undefined;
  const thread = await engine.runs.thread(threadId);
  const hosted = agents.get(thread?.agent ?? "");
  if (hosted?.status !== "loaded") return undefined; // nothing can be resumed here
  const { state } = await readThreadState(hosted.agent, engine, threadId);
  const known = new Set(messageIdsIn(state.values));
  return sent.added.find((message) => known.has(message.id))?.id;
}

function messageIdsIn(values: unknown): readonly unknown[] {
  if (!isJsonObject(values) || !Array.isArray(values["messages"])) return [];
  return values["messages"].map((message: unknown) =>
    isJsonObject(message) ? message["id"] : undefined,
  );
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

async function readResponse(
  engine: Engine,
  view: ReviewView,
  response: unknown,
): Promise<readonly NamedDecision[] | Refusal> {
  const review = await engine.readReview(view.id);
  if (review === undefined) return reviewGone(view);
  const answer = readAnswer(review, response);
  return answer.type === "refused" ? answer.refusal : answer.decisions;
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
    case "deadline_passed":
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
