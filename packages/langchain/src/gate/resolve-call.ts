import type { ToolMessage } from "@langchain/core/messages";
import { type Action, type Call, outcomeOf, type Permit, sameJson } from "@holdpoint/core";
import { newId } from "@holdpoint/engine";
import { free, isFreed } from "./freed-calls.ts";
import { actionFor, judge, keyOf, type Proposal, reviewFor } from "./held-call.ts";
import type { Gate } from "./options.ts";
import { askPerson, awaitDecision, type Waiting } from "./pause.ts";
import {
  deniedMessage,
  errorMessage,
  fromReceiptMessage,
  noteEdit,
  outcomeMessage,
  refusedMessage,
} from "./tool-messages.ts";

/** What becomes of one tool call: it runs freely, runs as approved, or is answered without running. */
export type Resolution =
  | { readonly type: "free" }
  | { readonly type: "approved"; readonly call: Call; readonly edited: boolean }
  | { readonly type: "answered"; readonly message: ToolMessage };

/**
 * Takes one tool call through the gate: no record yet → the rules decide, once; a record → it alone
 * counts, whatever the rules would say now. Raises an interrupt while a person has to decide.
 */
export async function resolveCall(
  gate: Gate,
  waiting: Waiting,
  proposal: Proposal,
): Promise<Resolution> {
  const record = await gate.holdpoint.findAction(keyOf(proposal));
  if (record === undefined) return firstVerdict(gate, waiting, proposal);
  // A review of a whole turn was raised, and has ended, in a node of its own.
  const isRaisedHere = record.review.raised.taskId === waiting.taskId;
  const review = isRaisedHere ? await awaitDecision(waiting, record.review) : record.review;
  const action = review.actions.find((one) => one.id === record.action.id) ?? record.action;
  const outcome = outcomeOf(action);
  if (outcome === undefined) {
    const why =
      action.state.status === "open" ? "no person has decided it yet." : "its review was closed.";
    return answered(refusedMessage(proposal.toolCall, why));
  }
  if (outcome.type !== "approved")
    return answered(outcomeMessage(action.id, proposal.toolCall, outcome, review.cause));
  // Against what the message says, which an edit before a lost run has not reached.
  const edited = !sameJson(outcome.call.args, proposal.toolCall.args);
  return approved(gate, waiting, proposal, { action, call: outcome.call, edited });
}

async function firstVerdict(gate: Gate, waiting: Waiting, proposal: Proposal): Promise<Resolution> {
  const key = keyOf(proposal);
  if (isFreed(gate, key, proposal.toolCall)) return { type: "free" };
  const judgement = await judge(gate, proposal);
  if (judgement.type === "malformed") {
    return answered(
      errorMessage(
        proposal.toolCall,
        `Error: the arguments for \`${proposal.toolCall.name}\` do not fit its schema (${judgement.problem}). Fix them and try again.`,
      ),
    );
  }
  const { verdict } = judgement;
  switch (verdict.type) {
    case "allow":
      free(gate, key, proposal.toolCall);
      return { type: "free" };
    case "deny":
      return answered(deniedMessage(proposal.toolCall, verdict.reason));
    case "review": {
      const action = await actionFor(gate, proposal, verdict);
      return askPerson(waiting, reviewFor(gate, proposal, [action], "policy"));
    }
    default:
      return verdict satisfies never;
  }
}

async function approved(
  gate: Gate,
  waiting: Waiting,
  proposal: Proposal,
  decided: { readonly action: Action; readonly call: Call; readonly edited: boolean },
): Promise<Resolution> {
  const { action, call } = decided;
  const permit = await gate.holdpoint.awaitPermit(action.id);
  const status = permit?.state.status;
  switch (status) {
    case undefined:
    case "revoked":
      return answered(refusedMessage(proposal.toolCall, "its permission was withdrawn."));
    case "succeeded":
    case "failed":
      return answered(replay(proposal, decided, permit));
    case "unknown":
      return askPerson(
        waiting,
        reviewFor(gate, proposal, [askAgain(action, call)], "unknown_receipt"),
      );
    case "unused":
    case "suspended":
      return (
        (await editDenied(gate, proposal, decided)) ?? {
          type: "approved",
          call,
          edited: decided.edited,
        }
      );
    case "started":
      return answered(refusedMessage(proposal.toolCall, "another run of it has not ended."));
    default:
      return status satisfies never;
  }
}

/** An edit is a new call: policy is asked again in the agent's own process, right before it would run. */
async function editDenied(
  gate: Gate,
  proposal: Proposal,
  { call, edited }: { readonly call: Call; readonly edited: boolean },
): Promise<Resolution | undefined> {
  if (!edited) return undefined;
  const judgement = await judge(gate, { ...proposal, toolCall: { ...proposal.toolCall, ...call } });
  if (judgement.type === "malformed")
    return answered(refusedMessage(proposal.toolCall, judgement.problem));
  if (judgement.verdict.type !== "deny") return undefined;
  return answered(deniedMessage(proposal.toolCall, judgement.verdict.reason));
}

/** A lost run: approve runs it again, respond says what happened, reject leaves it. */
function askAgain(action: Action, call: Call): Action {
  return {
    ...action,
    id: newId("act"),
    call,
    allowedDecisions: ["approve", "reject", "respond"],
    rule: "unknown_receipt",
    reasonCode: "unknown_receipt",
    reason: `${call.name} was started and the process stopped before it reported; it may have run.`,
    state: { status: "open" },
  };
}

/** The stored ToolMessage of a run that ended before a crash; nothing runs. */
function replay(
  proposal: Proposal,
  {
    action,
    call,
    edited,
  }: { readonly action: Action; readonly call: Call; readonly edited: boolean },
  permit: Permit | undefined,
): ToolMessage {
  const stored = permit !== undefined && "message" in permit.state ? permit.state.message : {};
  const message = fromReceiptMessage(action.id, proposal.toolCall, stored);
  return edited ? noteEdit(message, call) : message;
}

function answered(message: ToolMessage): Resolution {
  return { type: "answered", message };
}
