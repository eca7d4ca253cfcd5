import type { BaseMessage, ToolMessage } from "@langchain/core/messages";
import { type ActionRecord, type ReviewId, withdrawnText } from "@holdpoint/core";
import type { BoundGate } from "../gate/bound-gate.ts";
import { leftResult, mayHaveRun } from "./left-call.ts";
import { rewriteEdits } from "./rewrite-edits.ts";
import { failIfSwallowed, isAnyPaused } from "../pause/swallowed-pause.ts";
import { keptResults } from "../record/kept-results.ts";
import { processRecordOf } from "../record/record-of.ts";
import { takeBackDropped } from "../record/stored-pauses.ts";
import type { Task } from "../pause/task.ts";
import { errorMessage } from "../tool/tool-messages.ts";
import type { LastTurn } from "../turn/turns.ts";

/** A history that was put right. */
export type RepairedHistory = {
  readonly messages: readonly BaseMessage[];
  /** What is new in it or has changed. */
  readonly changes: readonly BaseMessage[];
  /** True when the order of what was there has changed, so that appending would not do. */
  readonly isReordered: boolean;
};

/**
 * Puts the last turn right before the model is asked again: calls that ran edited are shown as they ran,
 * and a call that new input left without a result gets one, in its place; nothing stands between the calls
 * and their results, as model providers want it. In one step for the whole
 * turn, so that two calls edited at the same time never overwrite each other's change.
 */
export async function repairHistory(
  gate: BoundGate,
  task: Task,
  turn: LastTurn,
  messages: readonly BaseMessage[],
): Promise<RepairedHistory | undefined> {
  if (isAnyPaused()) await failIfSwallowed(gate.holdpoint, task, turn);
  const rewritten = rewriteEdits(turn);
  const isAllAnswered = turn.message.tool_calls?.length === turn.results.size;
  const missing = isAllAnswered ? [] : await resultsLeftOut(gate, task, turn);
  const { others } = turn;
  if (rewritten === undefined && missing.length === 0 && others.length === 0) return undefined;
  const inside = messages.slice(turn.index + 1, turn.end);
  return {
    messages: [
      ...messages.slice(0, turn.index),
      rewritten ?? turn.message,
      ...inside.filter((one) => !others.includes(one)),
      ...missing,
      ...others,
      ...messages.slice(turn.end),
    ],
    changes: [...(rewritten === undefined ? [] : [rewritten]), ...missing],
    isReordered: others.length > 0 || (missing.length > 0 && turn.end < messages.length),
  };
}

/** A result for each call without one; reviews that still waited for it are closed. */
async function resultsLeftOut(
  gate: BoundGate,
  task: Task,
  { message, results }: LastTurn,
): Promise<readonly ToolMessage[]> {
  const calls = (message.tool_calls ?? []).filter(({ id }) => id !== undefined && !results.has(id));
  if (calls.length === 0) return [];
  const { saver, namespace, threadId = "" } = task;
  const kept = await keptResults(saver, { threadId, namespace });
  await recallReview(gate, task, message.id ?? "");
  const left = await Promise.all(
    calls.map(async (call) => {
      const about = { threadId, turnId: message.id ?? "" };
      const key = { ...about, toolCallId: call.id ?? "" };
      return { call, record: await gate.holdpoint.findAction(key) };
    }),
  );
  const open = left.flatMap(({ record }) => (isOpen(record) ? [record.review.id] : []));
  const because = "The user sent a new message instead.";
  const asked = await questionsOf(gate, task);
  for (const id of new Set([...open, ...asked])) await gate.holdpoint.closeReview(id, because);
  // While a review of the whole turn is open, none of its calls has started.
  const nothingRan = gate.mode === "batched" && open.length > 0;
  return left.map(({ call, record }) => {
    const shown = kept.get(call.id ?? "");
    if (shown !== undefined) return shown;
    const isWithdrawn = nothingRan || (isOpen(record) && !mayHaveRun(record));
    return isWithdrawn ? errorMessage(call, withdrawnText(call.name)) : leftResult(record, call);
  });
}

/** What tools asked by themselves: new input to the outermost agent drops every task that waits for an answer. */
async function questionsOf({ holdpoint }: BoundGate, task: Task): Promise<readonly ReviewId[]> {
  const { namespace, threadId = "" } = task;
  if (namespace !== "") return [];
  const reviews = await holdpoint.openReviewsOf(threadId);
  return reviews.filter(({ actions }) => actions[0]?.reasonCode === "question").map(({ id }) => id);
}

/**
 * Without an engine another process may have opened the review. One of a whole turn that was never
 * settled proves that nothing of the turn ran; of one call's it is not known, so that is not claimed.
 */
async function recallReview(gate: BoundGate, task: Task, turnId: string): Promise<void> {
  const { saver, namespace, threadId = "" } = task;
  const inProcess = saver === undefined ? undefined : processRecordOf(saver);
  if (saver === undefined || inProcess !== gate.holdpoint || gate.mode === "per_call") return;
  await takeBackDropped(inProcess, saver, { threadId, namespace, turnId });
}

function isOpen(record: ActionRecord | undefined): record is ActionRecord {
  return record?.action.state.status === "open" && record.review.state.status === "open";
}
