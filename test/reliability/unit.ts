import {
  type Action,
  type ActionId,
  digestCall,
  type JsonObject,
  type NamedDecision,
  type ReviewDraft,
  type Reviewer,
} from "@holdpoint/core";
import type { StoredCheckpoint, StoredPart } from "@holdpoint/engine";
import { pick, seeded } from "./seeded.ts";

/** One thread of work: a run that holds some calls, their decisions, and the run that carries them out. */
export type Unit = {
  readonly number: number;
  readonly threadId: string;
  readonly input: JsonObject;
  readonly draft: ReviewDraft;
  /** What each of several reviewers says, most often not the same. */
  readonly answers: readonly {
    readonly reviewer: Reviewer;
    readonly decisions: readonly NamedDecision[];
  }[];
  /** The thread as it waits, and as it is when the calls have been carried out. */
  readonly checkpoints: {
    readonly waiting: SavedCheckpoint;
    readonly done: SavedCheckpoint;
  };
};

/** A checkpoint with the one part it refers to. */
export type SavedCheckpoint = { readonly checkpoint: StoredCheckpoint; readonly part: StoredPart };

/** The agent that every thread of the harness belongs to. */
export const agent = "worker";

const outcome = "rejected";

/** A unit is the same in every process that is given the same seed and number. */
export function unitOf(seed: number, number: number): Unit {
  const random = seeded(seed, "unit", number);
  const threadId = `thread_${number}`;
  const actions = Array.from({ length: random() < 0.5 ? 1 : 2 }, (_, index) =>
    actionOf(number, index),
  );
  const reviewers = ["anna", "ben", "chen"].slice(0, random() < 0.3 ? 1 : 3);
  return {
    number,
    threadId,
    input: { messages: [`unit ${number}`] },
    draft: {
      id: `rev_${number}`,
      threadId,
      agent,
      turnId: `turn_${number}`,
      interruptId: `interrupt_${number}`,
      raised: { taskId: "task", round: 0, votes: 0 },
      cause: "policy",
      actions,
      // Far away: what is written because of it matters here, not that it passes.
      ...(number % 2 === 0 ? { deadline: { at: "2099-12-31T00:00:00.000Z", outcome } } : {}),
    },
    answers: reviewers.map((id) => ({
      reviewer: { id, name: id },
      decisions: actions.map((action) => ({
        actionId: action.id,
        decision: pick<NamedDecision["decision"]>(random, [
          { type: "approve" },
          { type: "approve" },
          { type: "reject", message: `${id} says no` },
          { type: "respond", message: `${id} knows` },
        ]),
      })),
    })),
    checkpoints: {
      waiting: checkpointOf(threadId, "1"),
      done: checkpointOf(threadId, "2", "1"),
    },
  };
}

/** The message of a receipt. */
export function receiptOf(actionId: ActionId): JsonObject {
  return { content: `ran ${actionId}` };
}

/** The number of the unit that a thread belongs to. */
export function numberOf(threadId: string): number {
  return Number(threadId.replace("thread_", ""));
}

/** The number of the unit that an action belongs to. */
export function numberOfAction(actionId: ActionId): number {
  return Number(actionId.split("_")[1]);
}

function actionOf(number: number, index: number): Action {
  const call = { name: "send_email", args: { to: `${number}-${index}@example.org` } };
  const argsSchema: JsonObject = { type: "object", properties: { to: { type: "string" } } };
  return {
    id: `act_${number}_${index}`,
    toolCallId: `call_${index}`,
    call,
    argsSchema,
    digest: digestCall({ ...call, argsSchema }),
    allowedDecisions: ["approve", "reject", "respond"],
    rule: "send_email",
    reason: "A mail cannot be taken back.",
    reasonCode: "always",
    state: { status: "open" },
  };
}

function checkpointOf(threadId: string, id: string, parentId?: string): SavedCheckpoint {
  const hash = `${threadId}/${id}`;
  return {
    checkpoint: {
      threadId,
      namespace: "",
      id,
      ...(parentId === undefined ? {} : { parentId }),
      body: JSON.stringify({ hash }),
      metadata: "{}",
    },
    part: { hash, type: "json", value: Buffer.from(`what ${threadId} holds at ${id}`) },
  };
}
