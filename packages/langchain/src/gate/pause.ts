import { GraphInterrupt, interrupt, isGraphInterrupt } from "@langchain/langgraph";
import {
  type Holdpoint,
  type InterruptPayload,
  readAnswer,
  type Refusal,
  type Review,
  type ReviewDraft,
  type Reviewer,
} from "@holdpoint/core";
import { z } from "zod";
import { payloadOf } from "./interrupt-payload.ts";

/**
 * Waiting for a person inside a LangGraph task. A resume value is only a vote: the outcome is read from
 * the record. LangGraph keeps every value a task was resumed with and gives them again, in order, each
 * time the task runs; so the review remembers how many had been given when it was raised last, and only
 * a later one is a vote on it. A vote that was refused is never cast a second time.
 */
export type Waiting = {
  readonly holdpoint: Holdpoint;
  /** True when the checkpointer opens the review together with the interrupt's writes. */
  readonly saverOpensReviews: boolean;
  /** Who answers when a bare `Command({ resume })` carries the decisions. */
  readonly resumer: Reviewer;
  /** The interrupt ids that the caller's resume names; a bare value names none. */
  readonly named: ReadonlySet<string>;
  readonly taskId: string;
  /** How many resume values this run of the task has taken. */
  votes: number;
};

/** What the server resumes with: no vote, only "read the record". */
export const recordedVote = { holdpoint: "recorded" } as const;

const recordedSchema = z.object({ holdpoint: z.literal("recorded") });

type Notice = Pick<InterruptPayload, "conflict" | "problem">;

/** A review that is about to be raised for the first time. */
export type NewReview = Omit<ReviewDraft, "interruptId" | "raised">;

/** Opens a review by raising its interrupt. Never returns. */
export async function askPerson(waiting: Waiting, review: NewReview): Promise<never> {
  for (;;) {
    const { taskId, votes } = waiting;
    const asked = { ...review, raised: { taskId, round: votes, votes } };
    // A value that is there already was given to an earlier review of this task.
    const raised = take(payloadOf(asked));
    if (raised.type === "vote") {
      waiting.votes += 1;
      continue;
    }
    await opened(waiting, { ...asked, interruptId: raised.id });
    throw raised.error;
  }
}

/** Returns the review once it is settled; until then raises its interrupt again. */
export async function awaitDecision(waiting: Waiting, review: Review): Promise<Review> {
  let notice: Notice = {};
  for (;;) {
    const draft = { ...review, raised: { ...review.raised, votes: waiting.votes } };
    const taken = take({ ...payloadOf(draft), ...notice });
    if (taken.type === "raised") return raiseAgain(waiting, draft, taken, notice);
    waiting.votes += 1;
    if (waiting.votes <= review.raised.votes) continue;
    notice = await castVote(waiting, review, taken.value);
    const current = (await waiting.holdpoint.readReview(review.id)) ?? review;
    if (notice.problem === undefined && current.state.status !== "open") return current;
  }
}

type Taken =
  | { readonly type: "vote"; readonly value: unknown }
  | { readonly type: "raised"; readonly id: string; readonly error: unknown };

/** The next resume value of this task or, when there is none, the interrupt that LangGraph raised. */
function take(payload: InterruptPayload): Taken {
  try {
    return { type: "vote", value: interrupt(payload) };
  } catch (error) {
    const id = isGraphInterrupt(error) ? error.interrupts[0]?.id : undefined;
    if (id === undefined) throw error;
    return { type: "raised", id, error };
  }
}

/**
 * A task's first interrupt keeps its id however often it is raised, because LangGraph delivers to that
 * id always; a later one gets LangGraph's own next id, to which alone it would deliver.
 */
async function raiseAgain(
  waiting: Waiting,
  review: Review,
  raised: Extract<Taken, { type: "raised" }>,
  notice: Notice,
): Promise<never> {
  const id = review.raised.round === 0 ? review.interruptId : raised.id;
  if (review.raised.votes > 0) await opened(waiting, { ...review, interruptId: id });
  throw new GraphInterrupt([{ id, value: { ...payloadOf(review), ...notice } }]);
}

async function opened(waiting: Waiting, draft: ReviewDraft): Promise<void> {
  if (!waiting.saverOpensReviews) await waiting.holdpoint.openReview(draft);
}

/** Casts one vote; what stands in the way of it goes into the interrupt that is raised again. */
async function castVote(waiting: Waiting, review: Review, vote: unknown): Promise<Notice> {
  if (recordedSchema.safeParse(vote).success) return {};
  // A value from before this resume, which names something later: the record has its outcome.
  if (isForAnother(waiting, review) && (await isSettled(waiting, review))) return {};
  const misplaced = await misplacement(waiting, review);
  if (misplaced !== undefined) return noticeOf(misplaced);
  const answer = readAnswer(review, vote);
  if (answer.type === "refused") return noticeOf(answer.refusal);
  const result = await waiting.holdpoint.decide({
    reviewId: review.id,
    decisions: answer.decisions,
    reviewer: waiting.resumer,
  });
  return result.type === "refused" ? noticeOf(result.refusal) : {};
}

function isForAnother({ named }: Waiting, review: Review): boolean {
  return named.size > 0 && !named.has(review.interruptId);
}

async function isSettled({ holdpoint }: Waiting, review: Review): Promise<boolean> {
  const current = await holdpoint.readReview(review.id);
  return current !== undefined && current.state.status !== "open";
}

/** A vote that names another interrupt, or that names none while several reviews wait. */
async function misplacement(waiting: Waiting, review: Review): Promise<Refusal | undefined> {
  if (waiting.named.has(review.interruptId)) return undefined;
  const open = await waiting.holdpoint.openReviewsOf(review.threadId);
  const ids = open.map((one) => one.interruptId);
  if (!isForAnother(waiting, review) && open.length < 2) return undefined;
  const why = isForAnother(waiting, review)
    ? `The resume names an interrupt that was answered before, not review ${review.id}`
    : `Several reviews wait on thread ${review.threadId}, so a bare resume value answers none of them`;
  return {
    code: "decision_invalid",
    message: `${why}; resume each by its interrupt id: ${ids.join(", ")}.`,
    details: { threadId: review.threadId, interruptIds: ids },
  };
}

function noticeOf(refusal: Refusal): Notice {
  const { by, at, decision } = refusal.details ?? {};
  return typeof by === "string" && typeof at === "string" && typeof decision === "string"
    ? { conflict: { by, at, decision }, problem: refusal.message }
    : { problem: refusal.message };
}
