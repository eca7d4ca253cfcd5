import { isGraphInterrupt } from "@langchain/langgraph";
import { type Holdpoint, HoldpointError } from "@holdpoint/core";
import type { Task } from "./task.ts";
import type { LastTurn } from "./turns.ts";

/**
 * A middleware such as LangChain's retry (before 1.5.15) catches the pause of a call as if the tool had
 * failed, and tries again. LangGraph runs a task with a new scratchpad each time, so a call that has
 * paused in this run and is there again was caught: it gets its pause again and starts nothing. A
 * middleware inside the gate cannot keep it; one around the gate ends the run with a clear text.
 */
const pauses = new WeakMap<object, Map<string, unknown>>();
/** Turns in which a middleware around the gate has caught a pause. */
const swallowedIn = new Set<string>();

/** The pause that a call has raised in this run of its task. */
export function pauseOf({ scratchpad }: Task, toolCallId: string | undefined): unknown {
  return pauses.get(scratchpad)?.get(toolCallId ?? "");
}

/** Runs a part of a call's way and remembers a pause that it raises. */
export async function notingPause<Output>(
  { scratchpad }: Task,
  toolCallId: string | undefined,
  run: () => Promise<Output>,
): Promise<Output> {
  try {
    return await run();
  } catch (error) {
    const ofTask = pauses.get(scratchpad) ?? new Map<string, unknown>();
    if (isGraphInterrupt(error)) pauses.set(scratchpad, ofTask.set(toolCallId ?? "", error));
    throw error;
  }
}

/** Remembers that a middleware around the gate has caught a pause of this turn. */
export function noteSwallowed(task: Task, turnId: string): void {
  swallowedIn.add(nameOf(task, turnId));
}

/** Before the model is told that the tool failed: ends the run instead, and withdraws the question. */
export async function failIfSwallowed(
  holdpoint: Holdpoint,
  task: Task,
  { message }: LastTurn,
): Promise<void> {
  const turnId = message.id ?? "";
  if (swallowedIn.size === 0 || !swallowedIn.delete(nameOf(task, turnId))) return;
  for (const { id = "" } of message.tool_calls ?? []) {
    const key = { threadId: task.threadId ?? "", turnId, toolCallId: id };
    const record = await holdpoint.findAction(key);
    if (record !== undefined)
      await holdpoint.closeReview(record.review.id, "A middleware swallowed the pause.");
  }
  throw new HoldpointError(
    "config_invalid",
    "A middleware listed before humanInTheLoopMiddleware (such as toolRetryMiddleware) treats a pause as a failure; list humanInTheLoopMiddleware first, or use holdAgent. The call that waited was not run.",
    { details: { key: "middleware" } },
  );
}

function nameOf({ threadId = "" }: Task, turnId: string): string {
  return JSON.stringify([threadId, turnId]);
}
