import type { ToolMessage } from "@langchain/core/messages";
import { Command, type StateSnapshot } from "@langchain/langgraph";
import { answerValue, type JsonObject, outcomeOf } from "@holdpoint/core";
import type { Engine } from "@holdpoint/engine";
import { runMetadataKey } from "../checkpoints/checkpointer.ts";
import { asksForTurn } from "../pause/interrupt-payload.ts";
import { recordedVote } from "../pause/pause.ts";
import type { AnyGraph } from "./hosted-agent.ts";
import { stoppedCalls } from "./stopped-calls.ts";
import { pendingInterrupts, resultOf } from "./thread-state.ts";

/** What to give the graph next, or that there is nothing to do. */
export type NextInput =
  | { readonly type: "input"; readonly input: object }
  | { readonly type: "resume"; readonly command: Command }
  | { readonly type: "continue" }
  | { readonly type: "nothing" };

/**
 * Reads from the thread itself how it goes on, so that a run whose process died is continued by the
 * same rule as one that was just decided: recorded outcomes are sent again by interrupt id; a task that
 * did not finish runs again, unless it waits with its whole turn; a step whose tasks have all finished is saved; an input that is not in the thread yet is given, after
 * a result for each call that an earlier run left without one.
 */
export async function nextInput(
  graph: AnyGraph,
  engine: Engine,
  run: {
    readonly threadId: string;
    readonly runId?: string;
    readonly input: JsonObject | undefined;
  },
): Promise<NextInput> {
  const snapshot = await graph.getState({ configurable: { thread_id: run.threadId } });
  if (run.input !== undefined && !isStarted(snapshot, run.input, run.runId)) {
    const results = await stoppedCalls(graph, engine, snapshot);
    return { type: "input", input: withResults(run.input, results) };
  }
  const pending = pendingInterrupts(snapshot);
  const answers: Record<string, unknown> = {};
  const added: JsonObject[] = [];
  for (const { id } of pending) {
    const found = await engine.reviews.findOfInterrupt(run.threadId, id);
    const review = found === undefined ? undefined : await engine.readReview(found.id);
    if (review === undefined || review.state.status === "open") continue;
    const [action] = review.actions;
    const outcome = action === undefined ? undefined : outcomeOf(action);
    added.push(...(review.addedMessages ?? []));
    const isQuestion = action?.reasonCode === "question";
    answers[id] = isQuestion && outcome?.type === "answered" ? answerValue(outcome) : recordedVote;
  }
  if (Object.keys(answers).length > 0)
    return { type: "resume", command: resumeWith(answers, added) };
  if (pending.some(({ value }) => asksForTurn(value))) return { type: "nothing" };
  const waiting = new Set(pending.map((interrupt) => interrupt.id));
  const mayRun = snapshot.tasks.some(
    (task) =>
      resultOf(task) === undefined &&
      !task.interrupts.some(({ id }) => id !== undefined && waiting.has(id)),
  );
  // A process may have died when all had written and the step was not saved: LangGraph's `next` is empty then.
  const isUnsaved = pending.length === 0 && snapshot.tasks.length > 0;
  return mayRun || isUnsaved ? { type: "continue" } : { type: "nothing" };
}

/** The same messages again, after a crash, stand in their own place: each has an id. */
function resumeWith(resume: object, added: readonly JsonObject[]): Command {
  return new Command({ resume, ...(added.length === 0 ? {} : { update: { messages: added } }) });
}

/**
 * True when this run has saved a checkpoint, or when every message of the input is in the thread. The
 * messages alone do not tell: an agent that summarizes removes them.
 */
function isStarted(snapshot: StateSnapshot, input: JsonObject, runId: string | undefined): boolean {
  const metadata: Record<string, unknown> = snapshot.metadata ?? {};
  if (runId !== undefined && metadata[runMetadataKey] === runId) return true;
  const known = new Set(idsIn((snapshot.values as { messages?: unknown }).messages)); // a graph's state is an object
  const asked = idsIn(input.messages);
  return asked.length > 0 && asked.every((id) => known.has(id));
}

function withResults(input: JsonObject, results: readonly ToolMessage[]): object {
  if (results.length === 0) return input;
  const { messages = [] } = input;
  return { ...input, messages: [...results, ...(Array.isArray(messages) ? messages : [messages])] };
}

function idsIn(messages: unknown): readonly string[] {
  if (!Array.isArray(messages)) return [];
  return messages.flatMap((message: { id?: unknown }) =>
    typeof message.id === "string" ? [message.id] : [],
  );
}
