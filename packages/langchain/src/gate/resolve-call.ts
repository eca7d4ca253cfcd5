import type { ToolMessage } from "@langchain/core/messages";
import {
  type Action,
  type ActionRecord,
  type Call,
  outcomeOf,
  type Permit,
  type Review,
  sameJson,
  type Verdict,
} from "@holdpoint/core";
import { newId } from "@holdpoint/engine/ids";
import { type BoundGate, findCall } from "./bound-gate.ts";
import { turnOf } from "../history/call-key.ts";
import { checkCanWait, sentTogether } from "./can-wait.ts";
import { noteApproved } from "./approved-calls.ts";
import { free, freeInTask, isFreed } from "./freed-calls.ts";
import { heldCallFor, judge, reviewFor } from "./held-call.ts";
import { keyOf, type Proposal } from "./proposal.ts";
import { askPerson, awaitDecision, type Waiting } from "../pause/pause.ts";
import { settleUnknown } from "../tool/settle-unknown.ts";
import { voteElsewhere } from "../turn/settle-turn.ts";
import { isAlwaysFree } from "./verdict-on.ts";
import {
  deniedMessage,
  fromReceiptMessage,
  misfitMessage,
  noteEdit,
  outcomeMessage,
  refusedMessage,
} from "../tool/tool-messages.ts";

/** What becomes of one tool call: it runs freely, runs as approved, or is answered without running. */
export type Resolution =
  | { readonly type: "free" }
  | { readonly type: "approved"; readonly call: Call; readonly edited: boolean }
  | { readonly type: "answered"; readonly message: ToolMessage };

/**
 * Takes one tool call through the gate: no record yet → the rules decide, once; a record → it alone
 * counts, whatever the rules would say now. Raises an interrupt while a person has to decide. `ofTurn` is
 * the review that was settled for the whole turn.
 */
export async function resolveCall(
  gate: BoundGate,
  waiting: Waiting,
  proposal: Proposal,
  ofTurn: Review | undefined,
): Promise<Resolution> {
  // The rules were asked with the whole turn: then there is no record of it.
  if (isFreed(gate, keyOf(proposal), proposal.toolCall)) return { type: "free" };
  const record = await findCall(gate, waiting.task, proposal);
  if (record === undefined) return firstVerdict(gate, waiting, proposal);
  const { review } = record;
  return recordedOutcome(gate, waiting, proposal, await settled(waiting, review, ofTurn), record);
}

/** The review as it stands once this task has done its part; one that was raised elsewhere may still be open. */
function settled(waiting: Waiting, review: Review, ofTurn: Review | undefined): Promise<Review> {
  if (review.id === ofTurn?.id) return Promise.resolve(ofTurn);
  const isRaisedHere = review.raised.taskId === waiting.task.id;
  return isRaisedHere ? awaitDecision(waiting, review) : voteElsewhere(waiting, review);
}

async function recordedOutcome(
  gate: BoundGate,
  waiting: Waiting,
  proposal: Proposal,
  review: Review,
  record: ActionRecord,
): Promise<Resolution> {
  const action = review.actions.find((one) => one.id === record.action.id) ?? record.action;
  const outcome = outcomeOf(action);
  if (outcome === undefined) {
    const why =
      action.state.status === "open" ? "no person has decided it yet." : "its review was closed.";
    return answered(refusedMessage(proposal.toolCall, why));
  }
  if (outcome.type !== "approved") {
    const { toolCall } = proposal;
    return answered(outcomeMessage(action.id, toolCall, outcome, review.cause, gate.isLegacy));
  }
  // Against what the message says, which an edit before a lost run has not reached.
  const edited = !sameJson(outcome.call.args, proposal.toolCall.args);
  return approved(gate, waiting, proposal, { action, call: outcome.call, edited });
}

async function firstVerdict(
  gate: BoundGate,
  waiting: Waiting,
  proposal: Proposal,
): Promise<Resolution> {
  const { toolCall } = proposal;
  if (isAlwaysFree(gate, toolCall.name)) {
    freeInTask(waiting.task, toolCall);
    return { type: "free" };
  }
  const judgement = await judge(gate, proposal);
  if (judgement.type !== "judged") return answered(misfitMessage(toolCall, judgement));
  const { verdict } = judgement;
  switch (verdict.type) {
    case "allow":
      free(gate, keyOf(proposal), toolCall);
      return { type: "free" };
    case "deny":
      return answered(deniedMessage(toolCall, verdict.reason));
    case "review":
      return hold(gate, waiting, proposal, verdict);
    default:
      return verdict satisfies never;
  }
}

async function hold(
  gate: BoundGate,
  waiting: Waiting,
  proposal: Proposal,
  verdict: Extract<Verdict, { type: "review" }>,
): Promise<never> {
  checkCanWait(waiting.task, proposal.toolCall.name);
  if (gate.mode === "per_call" && !waiting.task.isOneCall && hasSiblings(proposal))
    throw sentTogether(proposal.toolCall.name);
  const held = await heldCallFor(gate, proposal, verdict);
  return askPerson(waiting, await reviewFor(gate, proposal, [held], "policy"));
}

function hasSiblings({ messages, toolCall }: Proposal): boolean {
  return (turnOf(messages, toolCall.id)?.tool_calls ?? []).length > 1;
}

type Decided = { readonly action: Action; readonly call: Call; readonly edited: boolean };

async function approved(
  gate: BoundGate,
  waiting: Waiting,
  proposal: Proposal,
  decided: Decided,
): Promise<Resolution> {
  const { action } = decided;
  const permit = await gate.holdpoint.awaitPermit(action.id);
  if (permit === undefined)
    return answered(refusedMessage(proposal.toolCall, "its permission was withdrawn."));
  const { status } = permit.state;
  switch (status) {
    case "revoked":
      return answered(refusedMessage(proposal.toolCall, "its permission was withdrawn."));
    case "succeeded":
    case "failed":
      return answered(replay(proposal, gate.editNotice, decided, permit));
    case "unknown":
      return unknown(gate, waiting, proposal, decided, permit);
    case "unused":
    case "suspended": {
      const denied = await editDenied(gate, proposal, decided);
      if (denied !== undefined) return denied;
      const { holdpoint } = gate;
      noteApproved(waiting.task, proposal.toolCall.id, { action, permit, holdpoint });
      return runs(decided);
    }
    case "started":
      return answered(refusedMessage(proposal.toolCall, "another run of it has not ended."));
    default:
      return status satisfies never;
  }
}

/** Nobody knows whether it ran: its tool may say, else a person is asked. */
async function unknown(
  gate: BoundGate,
  waiting: Waiting,
  proposal: Proposal,
  decided: Decided,
  permit: Permit,
): Promise<Resolution> {
  const { action, call } = decided;
  if (permit.state.status === "unknown") {
    const lost = { key: keyOf(proposal), action, call, permit: { ...permit, state: permit.state } };
    const settled = await settleUnknown(gate, waiting.task, proposal.tool, lost);
    if (settled.type === "known")
      return answered(replay(proposal, gate.editNotice, decided, settled.permit));
    if (settled.type === "again")
      return (await editDenied(gate, proposal, decided)) ?? runs(decided);
  }
  // No deadline: silence must not settle what nobody knows.
  const held = [{ action: askAgain(action, call, permit) }];
  return askPerson(waiting, await reviewFor(gate, proposal, held, "unknown_receipt"));
}

function runs({ call, edited }: Decided): Resolution {
  return { type: "approved", call, edited };
}

/** An edit is a new call: policy is asked again in the agent's own process, right before it would run. */
async function editDenied(
  gate: BoundGate,
  proposal: Proposal,
  { call, edited }: { readonly call: Call; readonly edited: boolean },
): Promise<Resolution | undefined> {
  if (!edited) return undefined;
  const judgement = await judge(gate, { ...proposal, toolCall: { ...proposal.toolCall, ...call } });
  if (judgement.type === "malformed")
    return answered(refusedMessage(proposal.toolCall, judgement.problem));
  if (judgement.type === "repeated") return undefined; // a person has just allowed it
  if (judgement.verdict.type !== "deny") return undefined;
  return answered(deniedMessage(proposal.toolCall, judgement.verdict.reason));
}

/** A lost run: approve runs it again, respond says what happened, reject leaves it. */
function askAgain(action: Action, call: Call, permit: Permit): Action {
  const isRestored = permit.state.status === "unknown" && permit.state.because === "restored";
  return {
    ...action,
    id: newId("act"),
    call,
    allowedDecisions: ["approve", "reject", "respond"],
    rule: "unknown_receipt",
    reasonCode: "unknown_receipt",
    reason: isRestored
      ? `${call.name} was approved before the database was restored from a backup; it may have run since.`
      : `${call.name} was started and the process stopped before it reported; it may have run.`,
    state: { status: "open" },
  };
}

/** The stored ToolMessage of a run that ended before a crash; nothing runs. */
function replay(
  proposal: Proposal,
  notice: boolean,
  { action, call, edited }: Decided,
  permit: Permit,
): ToolMessage {
  const stored = "message" in permit.state ? permit.state.message : {};
  const message = fromReceiptMessage(action.id, proposal.toolCall, stored);
  return edited ? noteEdit(message, call, notice) : message;
}

function answered(message: ToolMessage): Resolution {
  return { type: "answered", message };
}
