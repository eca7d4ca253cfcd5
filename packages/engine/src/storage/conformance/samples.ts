import type { Action, Permit, Review } from "@holdpoint/core";
import { newId } from "../../ids.ts";
import type {
  CheckpointSave,
  Lease,
  Run,
  StoredCheckpoint,
  StoredPart,
  Thread,
  Writing,
} from "../storage.ts";

/** A time in the past and two in the future, for databases whose clock cannot be set. */
export const past = "2020-01-01T00:00:00.000Z";
export const soon = "2098-01-01T00:00:00.000Z";
export const late = "2099-01-01T00:00:00.000Z";

/** Text that a careless layer changes: other planes, combining marks, controls, what looks like an escape. */
export const hardText =
  "审批 ✓ 🖐🏽 é é \u0000 \u001a \u001a0 \\u0000 \u202e %s $1 ? ' \" \r\n\t end";

/** JSON that a careless layer changes. */
export const hardJson = {
  text: hardText,
  largest: Number.MAX_SAFE_INTEGER,
  smallest: Number.MIN_SAFE_INTEGER,
  fraction: 0.1,
  tiny: 5e-324,
  huge: 1.7976931348623157e308,
  nothing: null,
  empty: {},
  list: [[], [null], ""],
  constructor: "own",
  "": "no key",
  "\u0000": "a key",
};

/** An open action of a call that sends a mail. */
export function anAction(overrides: Partial<Action> = {}): Action {
  return {
    id: newId("act"),
    toolCallId: newId("call"),
    call: { name: "send_email", args: { to: "a@b.c" } },
    digest: "sha256:sample",
    allowedDecisions: ["approve", "reject"],
    rule: "interruptOn.send_email",
    reason: "send_email always asks a person first.",
    reasonCode: "always",
    state: { status: "open" },
    ...overrides,
  };
}

/** An open review of one action, on a thread of its own unless told otherwise. */
export function aReview(overrides: Partial<Review> = {}): Review {
  return {
    id: newId("rev"),
    version: 1,
    threadId: newId("thread"),
    agent: "mailer",
    turnId: newId("turn"),
    interruptId: newId("interrupt"),
    raised: { taskId: "task", round: 0, votes: 0 },
    cause: "policy",
    createdAt: past,
    actions: [anAction()],
    state: { status: "open" },
    ...overrides,
  };
}

/** The review's next version, closed for that reason. */
export function closed(review: Review, because: string, settledAt = past): Review {
  return {
    ...review,
    version: review.version + 1,
    state: { status: "closed", settledAt, because },
  };
}

/** The review's first action. */
export function firstAction(review: Review): Action {
  const [action] = review.actions;
  if (action === undefined) throw new Error("a sample has an action");
  return action;
}

/** A permit that nobody has used. */
export function aPermit(review: Review): Permit {
  const { id, digest } = firstAction(review);
  return { actionId: id, digest, fence: 0, state: { status: "unused" } };
}

/** The permit after its next start. */
export function started(permit: Permit): Permit {
  return { ...permit, fence: permit.fence + 1, state: { status: "started", startedAt: past } };
}

/** A lease of an owner that is nobody else's. */
export function aLease(until = late): Lease {
  return { owner: newId("owner"), until };
}

/** Stores a thread of an agent of its own. */
export async function insertThread(writing: Writing): Promise<Thread> {
  const thread = { id: newId("thread"), agent: newId("agent"), createdAt: past, lastSeq: 0 };
  await writing.insertThread(thread);
  return thread;
}

/** Stores a queued run of a thread. */
export async function insertRun(
  writing: Writing,
  thread: Pick<Thread, "id">,
  overrides: Partial<Run> = {},
): Promise<Run> {
  const run: Run = {
    id: newId("run"),
    threadId: thread.id,
    kind: "continue",
    status: "queued",
    attempts: 0,
    fence: 0,
    createdAt: past,
    ...overrides,
  };
  await writing.insertRuns([run]);
  return run;
}

/** Saves a checkpoint with its parts and pending writes. */
export function saving(
  checkpoint: StoredCheckpoint,
  more: Pick<CheckpointSave, "parts" | "writes"> = {},
): readonly CheckpointSave[] {
  return [{ key: checkpoint, checkpoint, ...more }];
}

/** Saves parts of a thread. */
export function savingParts(
  threadId: string,
  parts: readonly StoredPart[],
): readonly CheckpointSave[] {
  return [{ key: { threadId, namespace: "", id: "" }, parts }];
}

/** A checkpoint in the root namespace. */
export function aCheckpoint(
  threadId: string,
  id: string,
  overrides: Partial<StoredCheckpoint> = {},
): StoredCheckpoint {
  return { threadId, namespace: "", id, body: "{}", metadata: "{}", ...overrides };
}
