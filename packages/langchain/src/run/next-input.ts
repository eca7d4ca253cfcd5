import { Command, type StateSnapshot } from "@langchain/langgraph";
import type { JsonObject } from "@holdpoint/core";
import { readInterruptPayload } from "@holdpoint/core";
import type { Engine } from "@holdpoint/engine";
import { recordedVote } from "../gate/pause.ts";
import { pendingInterrupts } from "./thread-state.ts";

/** What to give the graph next, or that there is nothing to do. */
export type NextInput =
  | { readonly type: "input"; readonly input: JsonObject }
  | { readonly type: "resume"; readonly command: Command }
  | { readonly type: "continue" }
  | { readonly type: "nothing" };

/**
 * Reads from the thread itself how it goes on, so that a run whose process died is continued by the
 * same rule as one that was just decided: recorded outcomes are sent again by interrupt id; a task that
 * did not finish runs again; an input that is not in the thread yet is given.
 */
export async function nextInput(
  snapshot: StateSnapshot,
  engine: Engine,
  run: { readonly threadId: string; readonly input: JsonObject | undefined },
): Promise<NextInput> {
  if (run.input !== undefined && !isStarted(snapshot, run.input))
    return { type: "input", input: run.input };
  const pending = pendingInterrupts(snapshot);
  const answers: Record<string, unknown> = {};
  for (const { id, value } of pending) {
    const review = await engine.reviews.findOfInterrupt(run.threadId, id);
    if (review === undefined || review.status === "open") continue;
    const outcome = review.actions[0]?.outcome;
    const isOurs = readInterruptPayload(value) !== undefined;
    answers[id] = isOurs || outcome?.type !== "answered" ? recordedVote : outcome.message;
  }
  if (Object.keys(answers).length > 0)
    return { type: "resume", command: new Command({ resume: answers }) };
  const waiting = new Set(pending.map((interrupt) => interrupt.id));
  const unfinished = snapshot.tasks.some(
    (task) =>
      !("result" in task && task.result !== undefined) &&
      !task.interrupts.some(({ id }) => id !== undefined && waiting.has(id)),
  );
  return unfinished ? { type: "continue" } : { type: "nothing" };
}

/** True when every message of the input is in the thread already. */
function isStarted(snapshot: StateSnapshot, input: JsonObject): boolean {
  const known = new Set(idsIn((snapshot.values as { messages?: unknown }).messages)); // a graph's state is an object
  const asked = idsIn(input.messages);
  return asked.length > 0 && asked.every((id) => known.has(id));
}

function idsIn(messages: unknown): readonly string[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message: { id?: unknown }) =>
    typeof message.id === "string" ? [message.id] : [],
  );
}
