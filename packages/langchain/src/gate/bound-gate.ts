import type { ActionRecord, Holdpoint } from "@holdpoint/core";
import { opensReviewsFor } from "../checkpoints/checkpointer.ts";
import { processRecordOf, recordOf } from "../record/record-of.ts";
import { takeBackPauses } from "../record/stored-pauses.ts";
import { judgeEdit, judgeName } from "./held-call.ts";
import { keyOf, type Proposal } from "./proposal.ts";
import { payloadFor } from "../pause/interrupt-payload.ts";
import type { Gate } from "./options.ts";
import type { Waiting } from "../pause/pause.ts";
import type { Task } from "../pause/task.ts";

/** A gate with the record of the threads that it is asked about. */
export type BoundGate = Gate & { readonly holdpoint: Holdpoint };

const bound = new WeakMap<Gate["freed"], WeakMap<object, BoundGate>>();

/** The gate with its engine or, without one, with the record that belongs to the run's checkpointer. */
export function bindGate(gate: Gate, saver: object | undefined): BoundGate {
  const key = saver ?? gate.freed;
  const known = bound.get(gate.freed)?.get(key);
  if (known !== undefined) return known;
  const holdpoint = gate.engine ?? recordOf(key);
  const fresh = { ...gate, holdpoint };
  if (gate.engine === undefined) registerPolicy(fresh);
  const gates = bound.get(gate.freed) ?? new WeakMap<object, BoundGate>();
  bound.set(gate.freed, gates.set(key, fresh));
  return fresh;
}

/** Lets edits be judged by this gate's rules, under the name that its reviews are asked by. */
export function registerPolicy(gate: BoundGate): void {
  gate.holdpoint.registerAgent(
    gate.agent,
    async (call, context) =>
      judgeName(gate, call) ?? judgeEdit(gate, call, context.threadId, gate.schemas.get(call.name)),
  );
}

/** What a task needs to wait for a person. */
export function waitingFor(gate: BoundGate, task: Task): Waiting {
  return {
    holdpoint: gate.holdpoint,
    task,
    // The usual payload does not say what the review needs.
    saverOpensReviews: !gate.isLegacy && opensReviewsFor(task.saver, gate.holdpoint),
    payloadOf: payloadFor(gate),
    answers: gate.answers,
    mayBeBare: gate.mode === "per_call",
    votes: 0,
  };
}

/** A review that was withdrawn from another task: a model that gives its messages the same ids asks anew. */
function isOfEarlierTurn({ review, action }: ActionRecord, task: Task): boolean {
  return action.state.status === "closed" && review.raised.taskId !== task.id;
}

/** Looks a held call up in the record and, where that is this process's memory, in what the thread itself kept. */
export async function findCall(
  gate: BoundGate,
  task: Task,
  proposal: Proposal,
): Promise<ActionRecord | undefined> {
  const key = keyOf(proposal);
  const record = await gate.holdpoint.findAction(key);
  if (record !== undefined) return isOfEarlierTurn(record, task) ? undefined : record;
  const { saver, namespace, isResumed } = task;
  const inProcess = saver === undefined || !isResumed ? undefined : processRecordOf(saver);
  if (saver === undefined || inProcess !== gate.holdpoint) return undefined;
  await takeBackPauses(inProcess, saver, { threadId: proposal.threadId, namespace });
  return inProcess.findAction(key);
}
