import type { AIMessage, BaseMessage } from "@langchain/core/messages";
import type { Action, Review } from "@holdpoint/core";
import { processRecordOf } from "../record/record-of.ts";
import { withSealedOutcomes } from "../record/sealed-outcomes.ts";
import { bindGate, type BoundGate, findCall, waitingFor } from "./bound-gate.ts";
import { checkCanWait } from "./can-wait.ts";
import { free } from "./freed-calls.ts";
import { actionFor, judge, reviewFor, unverifiedVerdict } from "./held-call.ts";
import { keyOf, type Proposal } from "./proposal.ts";
import { finishAsBefore, type UsualUpdate } from "./legacy-turn.ts";
import type { Gate } from "./options.ts";
import { askPerson, awaitDecision } from "./pause.ts";
import { readTask, type Task } from "./task.ts";
import { turnJustMade } from "./turns.ts";

type TurnState = { readonly messages: BaseMessage[] };
type TurnRuntime = { readonly configurable?: Record<string, unknown> | undefined };

/** `batched`: one review for all held calls of the turn; the tools node starts after it is decided. */
export async function holdTurn(
  gate: Gate,
  state: TurnState,
  runtime: TurnRuntime,
): Promise<UsualUpdate | undefined> {
  const turn = turnJustMade(state.messages);
  if (turn === undefined) return undefined;
  const task = readTask(runtime.configurable);
  const own = bindGate(gate, task.saver);
  const proposals = proposalsOf(own, task, turn, { state, runtime });
  const waiting = waitingFor(own, task);
  const held: Action[] = [];
  for (const proposal of proposals) {
    const known = await findCall(own, task, proposal, turn);
    if (known.type === "held") {
      const review = await awaitDecision(waiting, known.record.review);
      return settled(own, task, turn, review);
    }
    const action =
      known.type === "unverified"
        ? await actionFor(own, proposal, unverifiedVerdict(own, proposal.toolCall.name))
        : await firstAction(own, proposal);
    if (action !== undefined) held.push(action);
  }
  const [first] = proposals;
  if (held.length === 0 || first === undefined) return undefined;
  checkCanWait(task, held[0]?.call.name ?? "");
  return askPerson(waiting, reviewFor(own, first, held, "policy"));
}

function proposalsOf(
  gate: BoundGate,
  task: Task,
  turn: AIMessage,
  about: Pick<Proposal, "runtime"> & { readonly state: TurnState },
): readonly Proposal[] {
  const { threadId = "" } = task;
  const calls = turn.tool_calls ?? [];
  return calls
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
async function firstAction(gate: BoundGate, proposal: Proposal): Promise<Action | undefined> {
  const judgement = await judge(gate, proposal);
  if (judgement.type !== "judged") return undefined;
  const { verdict } = judgement;
  if (verdict.type === "allow") free(gate, keyOf(proposal), proposal.toolCall);
  return verdict.type === "review" ? actionFor(gate, proposal, verdict) : undefined;
}

/** Without an engine the outcomes go on in the turn's own message: another process may run the tools. */
function settled(
  gate: BoundGate,
  task: Task,
  turn: AIMessage,
  review: Review,
): UsualUpdate | undefined {
  if (gate.isLegacy) return finishAsBefore(turn, review);
  const isInProcess = task.saver !== undefined && processRecordOf(task.saver) === gate.holdpoint;
  return isInProcess ? { messages: [withSealedOutcomes(turn, review, gate.secret)] } : undefined;
}
