import { isGraphInterrupt } from "@langchain/langgraph";
import { type CallKey, type Holdpoint, HoldpointError } from "@holdpoint/core";
import { nameOfCall } from "../history/call-key.ts";
import { isRefusedAnswer } from "./refused-answer.ts";
import type { Task } from "./task.ts";
import { isOwnMessageId } from "../tool/tool-messages.ts";
import type { LastTurn } from "../turn/turns.ts";

/**
 * A pause leaves a tool as a thrown error, and a middleware around it (such as `toolRetryMiddleware` of
 * langchain 1.5.14) may catch it as a failure. Inside the gate it is thrown again when it comes to the
 * gate as a result; around the gate nothing can be thrown any more, so the run ends before the model is
 * told. LangGraph runs a task again with a new scratchpad, which is how one run of it is known.
 */
const pausedIn = new WeakMap<object, Map<string | undefined, unknown>>();

/** An interrupt that a call left the gate with, and whether it is the gate's own question or the tool's. */
type Raised = { readonly id: string; readonly isGates: boolean };

/** Calls that left the gate with a pause in this process, oldest first, with the interrupts that it raised. */
const leftWithPause = new Map<string, readonly Raised[]>();

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
  if (leftWithPause.size === 0 && !isPause(error)) return;
  const name = nameOfCall(key);
  leftWithPause.delete(name);
  if (!isPause(error)) return;
  const raised = isGraphInterrupt(error) ? error.interrupts : [];
  leftWithPause.set(
    name,
    raised.flatMap(({ id, value }) => (id === undefined ? [] : [{ id, isGates: isGates(value) }])),
  );
  const [oldest] = leftWithPause.keys();
  if (leftWithPause.size > mostRemembered && oldest !== undefined) leftWithPause.delete(oldest);
}

function isGates(value: unknown): boolean {
  return typeof value === "object" && value !== null && "reviewId" in value;
}

/** True for a call that left the gate with a pause in this process and has not come back since. */
export function wasPaused(key: CallKey): boolean {
  return leftWithPause.size > 0 && leftWithPause.has(nameOfCall(key));
}

/** Withdraws the question about a whole turn whose pause somebody made results of; false when there is none. */
export async function withdrawSwallowedTurn(
  holdpoint: Holdpoint,
  { threadId = "" }: Task,
  { message, results }: LastTurn,
): Promise<boolean> {
  if (leftWithPause.size === 0) return false;
  const turnId = message.id ?? "";
  const names = (message.tool_calls ?? [])
    .filter(({ id = "" }) => results.has(id) && !isOwnMessageId(results.get(id)?.id))
    .map(({ id = "" }) => nameOfCall({ threadId, turnId, toolCallId: id }));
  const raised = names.flatMap((name) => leftWithPause.get(name) ?? []);
  const asked = raised.find(({ isGates }) => isGates);
  if (asked === undefined) return false;
  for (const name of names) leftWithPause.delete(name);
  // Where the checkpointer opens reviews, one whose interrupt never reached it is not open.
  const review = await holdpoint.findReviewOfInterrupt(threadId, asked.id);
  if (review !== undefined)
    await holdpoint.closeReview(review.id, "A middleware swallowed the pause; it is asked again.");
  return true;
}

/** True while any call of this process has left its gate with a pause. */
export function isAnyPaused(): boolean {
  return leftWithPause.size > 0;
}

/** Before the model reads a result that somebody made of a pause: ends the run instead, and withdraws the question. */
export async function failIfSwallowed(
  holdpoint: Holdpoint,
  { threadId = "" }: Task,
  { message, results }: LastTurn,
): Promise<void> {
  let tool: string | undefined;
  for (const { id = "", name } of message.tool_calls ?? []) {
    const call = nameOfCall({ threadId, turnId: message.id ?? "", toolCallId: id });
    const raised = leftWithPause.get(call);
    leftWithPause.delete(call); // answered, withdrawn or swallowed: it is over
    const result = results.get(id);
    if (raised === undefined || result === undefined || isOwnMessageId(result.id)) continue;
    tool = name;
    for (const { id: interruptId } of raised) {
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
