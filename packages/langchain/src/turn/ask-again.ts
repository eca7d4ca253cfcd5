import { type BaseMessage, RemoveMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import { type BoundGate, findCall, waitingFor } from "../gate/bound-gate.ts";
import { holdTurn, proposalsOf } from "./hold-turn.ts";
import { isAnyPaused, withdrawSwallowedTurn } from "../pause/swallowed-pause.ts";
import type { Task } from "../pause/task.ts";
import type { LastTurn } from "./turns.ts";

type ModelRequest = {
  readonly state: { readonly messages: BaseMessage[] };
  readonly runtime: unknown;
};

/**
 * `batched`: a middleware around the gate (a retry listed before it) may have made results of the pause
 * of a turn, so nobody was asked. The model's node then asks, before the model is told; once it is decided,
 * those results are taken out of the thread and the calls go to their tools as if they had just been made.
 */
export async function askAgain(
  gate: BoundGate,
  task: Task,
  last: LastTurn,
  { state, runtime }: ModelRequest,
): Promise<Command | undefined> {
  if (gate.mode !== "batched" || gate.isLegacy) return undefined;
  if (last.results.size === 0 || !(task.isResumed || isAnyPaused())) return undefined;
  const turn = { ...last, results: new Map() };
  const isAsked =
    (await withdrawSwallowedTurn(gate.holdpoint, task, last)) ||
    (await isAskedHere(gate, task, turn, { state, runtime }));
  if (!isAsked) return undefined;
  await holdTurn(gate, waitingFor(gate, task), turn, { state, runtime });
  const made = [...last.results.values()].flatMap(({ id }) => id ?? []);
  return new Command({ update: { messages: made.map((id) => new RemoveMessage({ id })) } });
}

/** True when this very task of the model's node has asked about the turn. */
async function isAskedHere(
  gate: BoundGate,
  task: Task,
  turn: LastTurn,
  about: Parameters<typeof proposalsOf>[3],
): Promise<boolean> {
  if (!task.isResumed) return false;
  for (const proposal of proposalsOf(gate, task, turn, about)) {
    const known = await findCall(gate, task, proposal);
    if (known !== undefined) return known.review.raised.taskId === task.id;
  }
  return false;
}
