import { type Holdpoint, HoldpointError } from "@holdpoint/core";
import type { Task } from "./task.ts";
import type { LastTurn } from "./turns.ts";

/** The runs of a task that have raised a pause: LangGraph runs a task again with a new scratchpad. */
const raisedIn = new WeakSet<object>();
/** Turns in which a middleware caught a pause as if it were a failure of the tool. */
const swallowedIn = new Set<string>();

/** Remembers that this run of the task ends with a pause. */
export function notePause({ scratchpad }: Task): void {
  raisedIn.add(scratchpad);
}

/** Throws when this run of the task was paused already: somebody caught the pause and tries again. */
export function checkNotSwallowed(task: Task, turnId: string): void {
  if (!raisedIn.has(task.scratchpad)) return;
  swallowedIn.add(nameOf(task, turnId));
  throw swallowed();
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
  throw swallowed();
}

function swallowed(): HoldpointError {
  return new HoldpointError(
    "config_invalid",
    "A middleware listed before humanInTheLoopMiddleware (such as toolRetryMiddleware) treats its pause as a failure; list humanInTheLoopMiddleware first, or use holdAgent. Nothing was run.",
    { details: { key: "middleware" } },
  );
}

function nameOf({ threadId = "" }: Task, turnId: string): string {
  return JSON.stringify([threadId, turnId]);
}
