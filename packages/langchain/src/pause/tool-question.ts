import { GraphInterrupt, type Interrupt } from "@langchain/langgraph";
import { INTERRUPT, RESUME } from "@langchain/langgraph-checkpoint";
import {
  answerValue,
  type InterruptPayload,
  isJsonObject,
  outcomeOf,
  readInterruptPayload,
  type Review,
} from "@holdpoint/core";
import { type BoundGate, waitingFor } from "../gate/bound-gate.ts";
import { type RaisedInterrupt, reviewOf } from "./interrupt-payload.ts";
import { castVote, checkNames } from "./pause.ts";
import { type GivenValue, givenSince, giveInstead, type Task } from "./task.ts";

/**
 * What a tool asks by itself with `interrupt()`: a card, a text, any JSON. LangGraph would hand it whatever
 * the caller resumed with, also what was meant for the gate. So the value is looked at before the tool
 * starts again: it is a vote on the question's review as any other, and the tool gets what was recorded.
 */
type Question = {
  readonly interrupt: RaisedInterrupt & { readonly id: string };
  readonly review: Review;
  /** How many answers of this task are stored; a later one came with this resume. */
  readonly stored: number;
};

/**
 * Resolves when the tool may start: nothing was asked, or the answer is recorded and is what `interrupt()`
 * will return. Raises the question again when nobody has answered it, and when the answer came too late;
 * throws the refusal of an answer that does not fit.
 */
export async function awaitAnswer(gate: BoundGate, task: Task): Promise<void> {
  const question = await findQuestion(gate, task);
  if (question === undefined) return;
  const { interrupt, review } = question;
  const vote = givenSince(task, question.stored);
  if (vote === undefined || isLeftOver(task, interrupt.id, vote)) throw raiseAgain(question);
  const waiting = waitingFor(gate, task);
  if (vote.isOwn && !task.named.has(interrupt.id)) {
    await checkNames(waiting, review); // it names an earlier pause of the task; a repeat of its answer is no error
    throw raiseAgain(question);
  }
  const { notice, recorded } = await castVote(waiting, review, vote);
  const current = recorded ?? (await gate.holdpoint.readReview(review.id)) ?? review;
  const outcome = current.actions.map(outcomeOf)[0];
  if (notice !== undefined || outcome?.type !== "answered") throw raiseAgain(question, notice);
  giveInstead(task, vote, answerValue(outcome));
}

/** Opens the review of a question that the tool has raised itself; one of a graph inside the tool has its own gate. */
export async function openQuestion(
  gate: BoundGate,
  task: Task,
  interrupts: readonly RaisedInterrupt[],
): Promise<void> {
  const [interrupt, ...others] = interrupts;
  const { threadId } = task;
  if (interrupt === undefined || others.length > 0 || threadId === undefined) return;
  if (waitingFor(gate, task).saverOpensReviews) return;
  const draft = reviewOf(interrupt, { threadId, taskId: task.id });
  if (draft !== undefined) await gate.holdpoint.openReview(draft);
}

/** A value without a name beside a resume that names others: LangGraph kept it from an earlier call. */
function isLeftOver({ named }: Task, id: string, vote: GivenValue): boolean {
  return !vote.isOwn && named.size > 0 && !named.has(id);
}

async function findQuestion(gate: BoundGate, task: Task): Promise<Question | undefined> {
  const { saver, threadId } = task;
  if (saver === undefined || threadId === undefined) return undefined;
  const place = { thread_id: threadId, checkpoint_ns: task.namespace };
  const tuple = await saver.getTuple({ configurable: place });
  const own = (tuple?.pendingWrites ?? []).filter(([taskId]) => taskId === task.id);
  const raised: unknown = own.findLast(([, channel]) => channel === INTERRUPT)?.[2];
  const [interrupt, ...others] = (Array.isArray(raised) ? raised : []) as RaisedInterrupt[]; // LangGraph's own list
  const { id } = interrupt ?? {};
  if (interrupt === undefined || id === undefined || others.length > 0) return undefined;
  if (readInterruptPayload(interrupt.value) !== undefined) return undefined;
  const review = await reviewOfQuestion(gate, task, { ...interrupt, id });
  if (review === undefined) return undefined;
  const answers = own.filter(([, channel]) => channel === RESUME);
  const stored = answers.flatMap(([, , value]) => (Array.isArray(value) ? value : [value])).length;
  return { interrupt: { ...interrupt, id }, review, stored };
}

/** The review of this very task's question; a process that has forgotten it takes it back from the interrupt. */
async function reviewOfQuestion(
  { holdpoint }: BoundGate,
  task: Task,
  interrupt: RaisedInterrupt & { readonly id: string },
): Promise<Review | undefined> {
  const { threadId = "", id: taskId } = task;
  let review = await holdpoint.findReviewOfInterrupt(threadId, interrupt.id);
  if (review === undefined && !(await isOfInnerGraph(task, interrupt.id))) {
    const draft = reviewOf(interrupt, { threadId, taskId });
    review = draft === undefined ? undefined : await holdpoint.openReview(draft);
  }
  const isQuestion = review?.actions[0]?.reasonCode === "question";
  return isQuestion && review?.raised.taskId === taskId ? review : undefined;
}

/** True for an interrupt that a graph inside the tool has raised: its checkpoint, in the task's own namespace, holds it. */
async function isOfInnerGraph(
  { saver, threadId, innerNamespace }: Task,
  id: string,
): Promise<boolean> {
  const place = { thread_id: threadId, checkpoint_ns: innerNamespace };
  const tuple = await saver?.getTuple({ configurable: place });
  return (tuple?.pendingWrites ?? []).some(
    ([, channel, value]) =>
      channel === INTERRUPT &&
      Array.isArray(value) &&
      value.some((one: RaisedInterrupt) => one.id === id),
  );
}

function raiseAgain(
  { interrupt }: Question,
  notice: Pick<InterruptPayload, "conflict" | "problem"> = {},
): GraphInterrupt {
  const { value } = interrupt;
  const shown = isJsonObject(value) ? { ...value, ...notice } : value;
  return new GraphInterrupt([{ ...interrupt, value: shown } as Interrupt]); // as LangGraph stored it
}
