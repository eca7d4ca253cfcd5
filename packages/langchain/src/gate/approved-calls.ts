import type { Action, Holdpoint, Permit } from "@holdpoint/core";
import type { Task } from "../pause/task.ts";

/** An approved action as this run of the task has just seen it. */
export type Approved = { readonly action: Action; readonly permit: Permit };

type Noted = Approved & { readonly holdpoint: Holdpoint };

const approvedIn = new WeakMap<Task["scratchpad"], Map<string | undefined, Noted>>();

/**
 * Remembers what the gate has seen of a call that is about to go on to its tool, so that the tool need not look
 * it up again. An approval is final; whether the permit still stands is asked when it is started.
 */
export function noteApproved(
  { scratchpad }: Task,
  toolCallId: string | undefined,
  noted: Noted,
): void {
  const all = approvedIn.get(scratchpad) ?? new Map<string | undefined, Noted>();
  approvedIn.set(scratchpad, all.set(toolCallId, noted));
}

/** What was remembered of the call in this record; it is given once, so a second run of the tool looks for itself. */
export function takeApproved(
  { scratchpad }: Task,
  toolCallId: string | undefined,
  holdpoint: Holdpoint,
): Approved | undefined {
  const all = approvedIn.get(scratchpad);
  const noted = all?.get(toolCallId);
  if (noted === undefined || noted.holdpoint !== holdpoint) return undefined;
  all?.delete(toolCallId);
  return noted;
}
