import { AIMessage, type BaseMessage, RemoveMessage } from "@langchain/core/messages";
import { REMOVE_ALL_MESSAGES } from "@langchain/langgraph";
import type { Review } from "@holdpoint/core";
import { bindGate, type BoundGate, findCall, waitingFor } from "../gate/bound-gate.ts";
import { checkCanWait } from "../gate/can-wait.ts";
import { free } from "../gate/freed-calls.ts";
import { type HeldCall, heldCallFor, judge, reviewFor } from "../gate/held-call.ts";
import { keyOf, type Proposal } from "../gate/proposal.ts";
import { finishAsBefore, type UsualUpdate } from "./legacy-turn.ts";
import type { Gate } from "../gate/options.ts";
import { askPerson, awaitDecision, type Waiting } from "../pause/pause.ts";
import { readTask, type Task } from "../pause/task.ts";
import { isAlwaysFree } from "../gate/verdict-on.ts";
import { type LastTurn, lastTurn } from "./turns.ts";

type TurnState = { readonly messages: BaseMessage[] };
type TurnRuntime = { readonly configurable?: Record<string, unknown> | undefined };

/** LangChain's hook after the model, for its rule that the whole turn is finished before any tool runs (`legacy`). */
export async function finishTurn(
  gate: Gate,
  state: TurnState,
  runtime: TurnRuntime,
): Promise<UsualUpdate | undefined> {
  const last = lastTurn(state.messages);
  if (last === undefined) return undefined;
  const task = readTask(runtime.configurable);
  const own = bindGate(gate, task.saver);
  const review = await holdTurn(own, waitingFor(own, task), last, { state, runtime });
  if (review === undefined) return undefined;
  return turnLast(state.messages, last, finishAsBefore(last.message, review));
}

/** What the rules may ask about a turn beside its calls. */
export type AboutTurn = Pick<Proposal, "runtime"> & { readonly state: TurnState };

/**
 * `batched`: one review for all held calls of the turn. Returns it once it is settled, or `undefined` when
 * nothing is held; until then it raises the review's interrupt.
 */
export async function holdTurn(
  gate: BoundGate,
  waiting: Waiting,
  turn: LastTurn,
  about: AboutTurn,
): Promise<Review | undefined> {
  const review = await reviewOfTurn(gate, waiting, turn, about);
  return review === undefined ? undefined : awaitDecision(waiting, review);
}

/** The review of a turn, open or settled, or `undefined` when nothing is held; raises the interrupt of a new one. */
export async function reviewOfTurn(
  gate: BoundGate,
  waiting: Waiting,
  turn: LastTurn,
  about: AboutTurn,
): Promise<Review | undefined> {
  const { task } = waiting;
  const proposals = proposalsOf(gate, task, turn, about);
  for (const proposal of proposals) {
    const known = await findCall(gate, task, proposal);
    if (known !== undefined) return known.review;
  }
  const held: HeldCall[] = [];
  for (const proposal of proposals) {
    const call = await firstVerdict(gate, proposal);
    if (call !== undefined) held.push(call);
  }
  const [first] = proposals;
  if (held.length === 0 || first === undefined) return undefined;
  checkCanWait(task, held[0]?.action.call.name ?? "");
  return askPerson(waiting, await reviewFor(gate, first, held, "policy"));
}

/** The calls of a turn that have no result yet, as the gate judges them. */
export function proposalsOf(
  gate: BoundGate,
  task: Task,
  { message: turn, results }: LastTurn,
  about: AboutTurn,
): readonly Proposal[] {
  const { threadId = "" } = task;
  const calls = turn.tool_calls ?? [];
  return calls
    .filter((call) => !results.has(call.id ?? ""))
    .filter((call) => !gate.isClosed || gate.schemas.has(call.name))
    .map((toolCall) => ({
      ...about,
      toolCall,
      argsSchema: gate.schemas.get(toolCall.name),
      threadId,
      turnId: turn.id ?? "",
      messages: about.state.messages,
    }));
}

/** The action that holds a new call; a call that may run is freed, any other is answered at its tool. */
async function firstVerdict(gate: BoundGate, proposal: Proposal): Promise<HeldCall | undefined> {
  if (isAlwaysFree(gate, proposal.toolCall.name)) return undefined;
  const judgement = await judge(gate, proposal);
  if (judgement.type !== "judged") return undefined;
  const { verdict } = judgement;
  if (verdict.type === "allow") free(gate, keyOf(proposal), proposal.toolCall);
  return verdict.type === "review" ? heldCallFor(gate, proposal, verdict) : undefined;
}

/**
 * LangChain ends the run when the last message is one of the model's without calls, and an answered card
 * that came together with the decisions is such a one: the turn is put behind what joined the thread.
 */
function turnLast(
  messages: readonly BaseMessage[],
  { message, index }: LastTurn,
  update: UsualUpdate | undefined,
): UsualUpdate | undefined {
  const last = messages.at(-1);
  if (last === undefined || last === message || !AIMessage.isInstance(last)) return update;
  const [turn, ...results] = update?.messages ?? [message];
  const others = messages.filter((_, at) => at !== index);
  const all = [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), ...others, turn ?? message];
  return { ...update, messages: [...all, ...results] };
}
