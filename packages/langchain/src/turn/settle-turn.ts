import type { BaseMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { GraphInterrupt } from "@langchain/langgraph";
import type { Review } from "@holdpoint/core";
import type { BoundGate } from "../gate/bound-gate.ts";
import { reviewOfTurn } from "./hold-turn.ts";
import { awaitDecision, castVote, type Waiting } from "../pause/pause.ts";
import { isRefusedAnswer } from "../pause/refused-answer.ts";
import { isPause } from "../pause/swallowed-pause.ts";
import { anyVoteOn } from "../pause/task.ts";
import { lastTurn } from "./turns.ts";

/** A turn that the tasks of its calls settle together. */
type Settling = {
  readonly judgedBy: string;
  /** Its review, open or settled; `undefined` when nothing is held. */
  readonly review: Promise<Review | undefined>;
  /** What the task that raised it comes to; that task takes the answer once, for all its calls. */
  taken?: Promise<Review>;
  /** What the first task to ask comes to. */
  settled?: Promise<Review>;
};

/** The turns of each step of a run. LangGraph gives all tasks of a step the same signal, and each step its own. */
const turnsOfSteps = new WeakMap<AbortSignal, Map<string, Settling>>();

type CallOfTurn = {
  readonly toolCall: ToolCall;
  readonly state: { readonly messages: BaseMessage[] };
  readonly runtime: { readonly signal?: AbortSignal | undefined };
};

/**
 * `batched`: none of a turn's calls runs before all of them are decided. LangGraph runs each call as a task
 * of its own, side by side, so no node is needed for that: the first task to come asks for the whole turn,
 * the others wait for it here. When it pauses they pause as well, with no question of their own (LangGraph
 * stores nothing for such a task and runs it again on resume). Returns the review of the turn once it is
 * settled, or `undefined` when nothing is held.
 */
export async function settleTurn(
  gate: BoundGate,
  waiting: Waiting,
  { toolCall, state, runtime }: CallOfTurn,
): Promise<Review | undefined> {
  const turn = lastTurn(state.messages);
  const { tool_calls: calls = [] } = turn?.message ?? {};
  // A call that is alone settles itself; one of an earlier message is no part of the turn.
  if (turn === undefined || calls.length < 2 || calls.every(({ id }) => id !== toolCall.id))
    return undefined;
  const { task } = waiting;
  const turns = turnsOf(runtime.signal);
  const name = turn.message.id ?? "";
  const settling = turns.get(name) ?? {
    judgedBy: task.id,
    review: reviewOfTurn(gate, waiting, turn, { state, runtime }),
  };
  turns.set(name, settling);
  settling.review.catch((error: unknown) => {
    if (!isPause(error)) turns.delete(name); // a task that LangGraph tries again begins anew
  });
  const isJudge = settling.judgedBy === task.id;
  const review = await (isJudge ? settling.review : orPause(settling.review));
  if (review === undefined || review.cause !== "policy") return undefined; // a second question waits at its call
  // The answer is delivered to the task that raised the review, which has to take it, whoever came first.
  if (review.raised.taskId !== task.id) {
    settling.settled ??= voteElsewhere(waiting, review);
    const current = await orPause(settling.settled);
    if (current.state.status === "open") throw new GraphInterrupt([]);
    return current;
  }
  settling.taken ??= awaitDecision(waiting, review);
  settling.settled ??= settling.taken;
  return settling.taken;
}

function turnsOf(signal: AbortSignal | undefined): Map<string, Settling> {
  const turns = (signal && turnsOfSteps.get(signal)) ?? new Map<string, Settling>();
  if (signal !== undefined) turnsOfSteps.set(signal, turns);
  return turns;
}

/** What another task came to, or a pause without a question: that task says what there is to say. */
async function orPause<Result>(other: Promise<Result>): Promise<Result> {
  try {
    return await other;
  } catch {
    throw new GraphInterrupt([]);
  }
}

/**
 * The review that another task raised, as it stands now. That task need not come here first, or at all: a
 * middleware before the gate may be slow or answer its call. So the answer that this run brings is recorded
 * at once.
 */
export async function voteElsewhere(waiting: Waiting, review: Review): Promise<Review> {
  const vote = anyVoteOn(waiting.task, review.interruptId);
  if (review.state.status === "open" && vote !== undefined) {
    try {
      const { recorded } = await castVote(waiting, review, vote);
      if (recorded !== undefined) return recorded;
    } catch (error) {
      if (!isRefusedAnswer(error)) throw error; // the task that raised it says so
    }
  }
  return (await waiting.holdpoint.readReview(review.id)) ?? review;
}
