import { isGraphInterrupt } from "@langchain/langgraph";
import { type CallKey, type Holdpoint, HoldpointError } from "@holdpoint/core";
import { isRefusedAnswer } from "./refused-answer.ts";
import type { Task } from "./task.ts";
import { isOwnMessageId } from "./tool-messages.ts";
import type { LastTurn } from "./turns.ts";

/**
 * A pause leaves a tool as a thrown error, and a middleware around it (such as `toolRetryMiddleware` of
 * langchain 1.5.14) may catch it as a failure. Inside the gate it is thrown again when it comes to the
 * gate as a result; around the gate nothing can be thrown any more, so the run ends before the model is
 * told. LangGraph runs a task again with a new scratchpad, which is how one run of it is known.
 */
const pausedIn = new WeakMap<object, Map<string | undefined, unknown>>();

/** Calls that left the gate with a pause in this process, oldest first, with the interrupts that it raised. */
const leftWithPause = new Map<string, readonly string[]>();

/** How many of them are remembered; most are answered long before. */
const mostRemembered = 10_000;

/** True for what ends a task so that it can go on later: an interrupt, or an answer that was refused. */
export function isPause(error: unknown): boolean {
  return isGraphInterrupt(error) || isRefusedAnswer(error);
}

/** Remembers that this run of the task is paused at this call; anything else is no pause and is not. */
export function notePause(
  { scratchpad }: Task,
  toolCallId: string | undefined,
  error: unknown,
): void {
  if (!isPause(error)) return;
  const paused = pausedIn.get(scratchpad) ?? new Map<string | undefined, unknown>();
  pausedIn.set(scratchpad, paused.set(toolCallId, error));
}

/** Throws the pause of this call again when this run of the task had one: somebody caught it. */
export function throwPause({ scratchpad }: Task, toolCallId: string | undefined): void {
  const paused = pausedIn.get(scratchpad);
  if (paused?.has(toolCallId) === true) throw paused.get(toolCallId);
}

/** Remembers that the call leaves the gate, with a pause or without. */
export function noteLeaving(key: CallKey, error: unknown): void {
  const name = nameOf(key);
  leftWithPause.delete(name);
  if (!isPause(error)) return;
  const raised = isGraphInterrupt(error) ? error.interrupts : [];
  leftWithPause.set(
    name,
    raised.flatMap(({ id }) => id ?? []),
  );
  const [oldest] = leftWithPause.keys();
  if (leftWithPause.size > mostRemembered && oldest !== undefined) leftWithPause.delete(oldest);
}

/** True for a call that left the gate with a pause in this process and has not come back since. */
export function wasPaused(key: CallKey): boolean {
  return leftWithPause.has(nameOf(key));
}

/** Before the model reads a result that somebody made of a pause: ends the run instead, and withdraws the question. */
export async function failIfSwallowed(
  holdpoint: Holdpoint,
  { threadId = "" }: Task,
  { message, results }: LastTurn,
): Promise<void> {
  if (leftWithPause.size === 0) return;
  let tool: string | undefined;
  for (const { id = "", name } of message.tool_calls ?? []) {
    const call = nameOf({ threadId, turnId: message.id ?? "", toolCallId: id });
    const raised = leftWithPause.get(call);
    leftWithPause.delete(call); // answered, withdrawn or swallowed: it is over
    const result = results.get(id);
    if (raised === undefined || result === undefined || isOwnMessageId(result.id)) continue;
    tool = name;
    for (const interruptId of raised) {
      const review = await holdpoint.findReviewOfInterrupt(threadId, interruptId);
      if (review !== undefined)
        await holdpoint.closeReview(review.id, "A middleware swallowed the pause.");
    }
  }
  if (tool !== undefined) throw swallowed(tool);
}

function swallowed(tool: string): HoldpointError {
  return new HoldpointError(
    "config_invalid",
    `A middleware listed before humanInTheLoopMiddleware (such as toolRetryMiddleware) made a result of the pause of ${tool}, so nobody was asked; list humanInTheLoopMiddleware first, or use holdAgent. What waited for the answer did not run.`,
    { details: { key: "middleware" } },
  );
}

function nameOf({ threadId, turnId, toolCallId }: CallKey): string {
  return JSON.stringify([threadId, turnId, toolCallId]);
}
