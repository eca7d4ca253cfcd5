import { GraphInterrupt, interrupt, isGraphInterrupt } from "@langchain/langgraph";
import {
  actionNamesIn,
  type Holdpoint,
  type InterruptPayload,
  isRecordedAnswer,
  readAnswer,
  type Refusal,
  type Review,
  type ReviewDraft,
} from "@holdpoint/core";
import { z } from "zod";
import { resumer } from "./resumer.ts";
import { refusedAnswer, withWaiting } from "./refused-answer.ts";
import { interruptsOf, isPausedUnder } from "../record/stored-pauses.ts";
import { dropLast, type GivenValue, isLastUnder, nextValue, type Task } from "./task.ts";

/**
 * Waiting for a person inside a LangGraph task. A resume value is only a vote: the outcome is read from
 * the record. A vote is looked at before it is taken: one that cannot be accepted is never stored, so it
 * is not replayed in front of the right one. LangGraph keeps every value that was taken and gives them
 * again, in order, each time the task runs; so the review remembers how many had been taken when it was
 * raised last, and only a later one is a vote on it.
 */
export type Waiting = {
  readonly holdpoint: Holdpoint;
  readonly task: Task;
  /** True when the checkpointer opens the review together with the interrupt's writes. */
  readonly saverOpensReviews: boolean;
  /** What the interrupt of a review says. */
  readonly payloadOf: (review: Omit<ReviewDraft, "interruptId"> | Review) => object;
  /** `named`: a vote has to name its interrupt or its actions. */
  readonly answers: "any" | "named";
  /** True where a review of one action may be answered with the decision itself. */
  readonly mayBeBare: boolean;
  /** How many resume values this run of the task has taken. */
  votes: number;
};

/** What to resume with once a decision is in the record, whoever put it there: no vote, only "read the record". */
export const recordedVote = { holdpoint: "recorded" } as const;

const recordedSchema = z.object({ holdpoint: z.literal("recorded") });

type Notice = Pick<InterruptPayload, "conflict" | "problem">;

/** What became of a vote: the review as it was recorded, or what to tell a loser; neither where it was no vote. */
type Cast = { readonly recorded?: Review; readonly notice?: Notice };

const noVote: Cast = {};

/** A review that is about to be raised for the first time. */
export type NewReview = Omit<ReviewDraft, "interruptId" | "raised">;

/** Opens a review by raising its interrupt. Never returns. */
export async function askPerson(waiting: Waiting, review: NewReview): Promise<never> {
  for (;;) {
    const { task, votes } = waiting;
    const asked = { ...review, raised: { taskId: task.id, round: votes, votes } };
    // A value that is there already was given to an earlier review of this task.
    const raised = take(waiting, waiting.payloadOf(asked));
    if (raised === undefined) continue;
    await opened(waiting, { ...asked, interruptId: raised.id });
    throw raised.error;
  }
}

/**
 * Returns the review once it is settled; until then raises its interrupt again. Throws the refusal of a
 * vote that cannot be accepted, and raises the interrupt with `conflict` for one that came too late.
 */
export async function awaitDecision(waiting: Waiting, review: Review): Promise<Review> {
  for (;;) {
    const vote = nextValue(waiting.task);
    if (vote === undefined || isLeftOver(waiting, review, vote)) return raiseAgain(waiting, review);
    const { notice, recorded } =
      waiting.votes >= review.raised.votes ? await castVote(waiting, review, vote) : noVote;
    if (notice !== undefined) throw interruptOf(waiting, review, review.interruptId, notice);
    take(waiting, waiting.payloadOf(review));
    if (waiting.votes <= review.raised.votes) continue;
    const current = recorded ?? (await waiting.holdpoint.readReview(review.id)) ?? review;
    if (current.state.status === "open") continue;
    if (isLastUnder(waiting.task, review.interruptId)) await passOver(waiting, current);
    return current;
  }
}

/**
 * What is sent under the id of a task's first interrupt, LangGraph gives to the task's later question too,
 * such as one that the tool itself asks. Sent after the review was settled, it does not answer that
 * question: a repeat is passed over, anything else refused.
 */
async function passOver({ task, holdpoint }: Waiting, review: Review): Promise<void> {
  const refusal = await refusalOfRepeat(holdpoint, review, task.named.get(review.interruptId));
  if (refusal !== undefined)
    throw refusedAnswer(withWaiting(refusal, review.threadId, await interruptsOf(task)));
  dropLast(task);
}

/** Why an answer to a settled review is not the one that is recorded; nothing when it is. */
async function refusalOfRepeat(
  holdpoint: Holdpoint,
  review: Review,
  vote: unknown,
): Promise<Refusal | undefined> {
  if (isNoVote(review, vote)) return undefined;
  const answer = readAnswer(review, vote, { mayBeBare: true });
  if (answer.type === "refused") return answer.refusal;
  const { decisions } = answer;
  const result = await holdpoint.decide({ reviewId: review.id, decisions, reviewer: resumer });
  return result.type === "refused" ? result.refusal : undefined;
}

/** How a host resumes: it says "read the record" or, to a tool's own question, the recorded answer. */
function isNoVote(review: Review, value: unknown): boolean {
  return recordedSchema.safeParse(value).success || isRecordedAnswer(review, value);
}

/** A value without a name beside a resume that names others: LangGraph kept it from an earlier call. */
function isLeftOver({ task }: Waiting, review: Review, vote: GivenValue): boolean {
  return !vote.isOwn && task.named.size > 0 && !task.named.has(review.interruptId);
}

type Raised = { readonly id: string; readonly error: unknown };

/** Takes the next resume value of this task or, when there is none, returns the interrupt that LangGraph raised. */
function take(waiting: Waiting, payload: object): Raised | undefined {
  try {
    interrupt(payload);
    waiting.votes += 1;
    return undefined;
  } catch (error) {
    const id = isGraphInterrupt(error) ? error.interrupts[0]?.id : undefined;
    if (id === undefined) throw error;
    return { id, error };
  }
}

/**
 * A task's first interrupt keeps its id however often it is raised, because LangGraph delivers to that
 * id always; a later one gets LangGraph's own next id, to which alone it would deliver.
 */
async function raiseAgain(waiting: Waiting, review: Review): Promise<never> {
  await checkNames(waiting, review);
  const draft = { ...review, raised: { ...review.raised, votes: waiting.votes } };
  const raised =
    nextValue(waiting.task) === undefined ? take(waiting, waiting.payloadOf(draft)) : undefined;
  const id = review.raised.round === 0 ? review.interruptId : (raised?.id ?? review.interruptId);
  if (review.raised.votes > 0) await opened(waiting, { ...draft, interruptId: id });
  throw interruptOf(waiting, draft, id, {});
}

function interruptOf(waiting: Waiting, review: Review, id: string, notice: Notice): GraphInterrupt {
  return new GraphInterrupt([{ id, value: { ...waiting.payloadOf(review), ...notice } }]);
}

async function opened(waiting: Waiting, draft: ReviewDraft): Promise<void> {
  if (!waiting.saverOpensReviews) await waiting.holdpoint.openReview(draft);
}

/**
 * A resume that names interrupts of which none waits any more: what it repeats has its outcome already,
 * anything else is told who decided, or that there is no such interrupt.
 */
export async function checkNames(
  { holdpoint, task }: Waiting,
  { threadId }: Review,
): Promise<void> {
  if (task.named.size === 0) return;
  const open = await holdpoint.openReviewsOf(threadId);
  const ids = open.map((one) => one.interruptId);
  if (ids.some((id) => task.named.has(id))) return;
  for (const [id, vote] of task.named) {
    const review = await holdpoint.findReviewOfInterrupt(threadId, id);
    if (review === undefined) {
      const { saver, namespace } = task;
      const isOther =
        saver !== undefined && (await isPausedUnder(saver, { threadId, namespace }, id));
      if (isOther) continue; // what a tool asks itself
      const message = `No review waits under interrupt ${id}; what waits on thread ${threadId}: ${ids.join(", ")}.`;
      throw refusedAnswer({
        code: "decision_invalid",
        message,
        details: { threadId, interruptIds: ids },
      });
    }
    const refusal = await refusalOfRepeat(holdpoint, review, vote);
    if (refusal !== undefined) throw refusedAnswer(withWaiting(refusal, threadId, ids));
  }
}

/** Casts one vote; throws what is wrong with one that nobody can accept. */
export async function castVote(waiting: Waiting, review: Review, vote: GivenValue): Promise<Cast> {
  const { value } = vote;
  if (isNoVote(review, value)) return noVote;
  const isNamed = waiting.task.named.has(review.interruptId);
  // A value from before this resume: the record has its outcome.
  if (vote.isOwn && !isNamed && (await isSettled(waiting, review))) return noVote;
  const misplaced = await misplacement(waiting, review, { ...vote, isNamed });
  if (misplaced !== undefined) {
    // Of several that were given the same value one says so; errors of several would hide each other.
    if (misplaced.speaker === review.id) throw refusedAnswer(misplaced.refusal);
    return { notice: { problem: misplaced.refusal.message } };
  }
  const repeated = isNamed ? undefined : await repeatedVote(waiting, review, value);
  if (repeated !== undefined) return { notice: repeated };
  const answer = readAnswer(review, value, { mayBeBare: waiting.mayBeBare });
  if (answer.type === "refused") throw refusedAnswer(answer.refusal, { review, vote: value });
  const { decisions } = answer;
  const result = await waiting.holdpoint.decide({
    reviewId: review.id,
    decisions,
    reviewer: resumer,
  });
  if (result.type === "recorded") return { recorded: result.review };
  const conflict = conflictIn(result.refusal);
  if (conflict === undefined) throw refusedAnswer(result.refusal, { review, vote: value });
  return { notice: { conflict, problem: result.refusal.message } };
}

/**
 * A vote that names an action of a settled review, come again while this one waits: a repeat changes
 * nothing, a different decision is refused, and neither says anything about this review.
 */
async function repeatedVote(
  { holdpoint }: Waiting,
  review: Review,
  vote: unknown,
): Promise<Notice | undefined> {
  const [name] = actionNamesIn(vote);
  if (name === undefined) return undefined;
  const named = await holdpoint.findReviewOfAction(review.threadId, name);
  if (named === undefined || named.id === review.id || named.state.status === "open")
    return undefined;
  const refusal = await refusalOfRepeat(holdpoint, named, vote);
  if (refusal !== undefined)
    throw refusedAnswer(withWaiting(refusal, review.threadId, [review.interruptId]));
  return {};
}

async function isSettled({ holdpoint }: Waiting, review: Review): Promise<boolean> {
  const current = await holdpoint.readReview(review.id);
  return current !== undefined && current.state.status !== "open";
}

/** A vote under an earlier interrupt's id, or without any name where it needs one; and which review is to say so. */
async function misplacement(
  waiting: Waiting,
  review: Review,
  vote: GivenValue & { readonly isNamed: boolean },
): Promise<{ readonly refusal: Refusal; readonly speaker: string } | undefined> {
  if (vote.isNamed) return undefined;
  const open = await waiting.holdpoint.openReviewsOf(review.threadId);
  const ids = open.map((one) => one.interruptId);
  const why = whyMisplaced(waiting, review, { ...vote, waitingReviews: open.length });
  if (why === undefined) return undefined;
  const refusal: Refusal = {
    code: "decision_invalid",
    message: `${why}; resume each by its interrupt id: ${ids.join(", ")}.`,
    details: { threadId: review.threadId, interruptIds: ids },
  };
  return { refusal, speaker: vote.isOwn ? review.id : (open[0]?.id ?? review.id) };
}

function whyMisplaced(
  { answers }: Waiting,
  review: Review,
  vote: GivenValue & { readonly waitingReviews: number },
): string | undefined {
  if (vote.isOwn)
    return `The resume names an interrupt that was answered before, not review ${review.id}`;
  if (vote.waitingReviews > 1)
    return `Several reviews wait on thread ${review.threadId}, so a bare resume value answers none of them`;
  if (answers === "named" && actionNamesIn(vote.value).length === 0)
    return `The answer to review ${review.id} names neither its interrupt nor its actions`;
  return undefined;
}

function conflictIn(refusal: Refusal): InterruptPayload["conflict"] {
  const { by, at, decision } = refusal.details ?? {};
  return typeof by === "string" && typeof at === "string" && typeof decision === "string"
    ? { by, at, decision }
    : undefined;
}
