import { createHash } from "node:crypto";
import type { ToolCall } from "@langchain/core/messages/tool";
import { type CallKey, isJsonObject } from "@holdpoint/core";
import { nameOfCall } from "../history/call-key.ts";
import type { Gate } from "./options.ts";
import type { Task } from "../pause/task.ts";

/** How many calls may be on their way to their tools at once before the oldest are forgotten. */
const mostFreed = 10_000;

/** Remembers that the rules let exactly this call run. */
export function free(gate: Gate, key: CallKey, toolCall: ToolCall): void {
  const mark = markOf(toolCall);
  if (mark !== undefined) gate.freed.set(nameOfCall(key), mark);
  // A turn that never went on leaves its calls here; the oldest are judged again if it does after all.
  const [oldest] = gate.freed.keys();
  if (gate.freed.size > mostFreed && oldest !== undefined) gate.freed.delete(oldest);
}

/** True when the rules let exactly this call run; another call under the same key was not judged yet. */
export function isFreed(gate: Gate, key: CallKey, toolCall: ToolCall): boolean {
  const mark = gate.freed.size === 0 ? undefined : gate.freed.get(nameOfCall(key));
  return mark !== undefined && mark === markOf(toolCall);
}

/** By the run of a task, the calls of tools that may always run, whatever their arguments, by id with the tool's name. */
const alwaysFree = new WeakMap<Task["scratchpad"], Map<string | undefined, string>>();

/** Remembers that the rules let every call of this tool run, and that nobody held this one. */
export function freeInTask({ scratchpad }: Task, { id, name }: ToolCall): void {
  const names = alwaysFree.get(scratchpad) ?? new Map<string | undefined, string>();
  alwaysFree.set(scratchpad, names.set(id, name));
}

/** True when this very run of the task came to the call that way, and it is still a call of the same tool. */
export function isFreedInTask({ scratchpad }: Task, { id, name }: ToolCall): boolean {
  return alwaysFree.get(scratchpad)?.get(id) === name;
}

/** Forgets a call once it has its result. */
export function forget(gate: Gate, key: CallKey): void {
  if (gate.freed.size > 0) gate.freed.delete(nameOfCall(key));
}

/** A longer call is kept as its digest, so that what is left here stays small. */
const longestKept = 1024;

/**
 * What tells this call from another under the same key. `undefined` for arguments that JSON cannot carry;
 * such a call is judged again, and so is one whose keys stand in another order. It never leaves this
 * process, so it need not be canonical; and every call that no person is asked about pays for it twice.
 */
function markOf({ name, args }: ToolCall): string | undefined {
  if (!isJsonObject(args)) return undefined;
  const text = JSON.stringify([name, args]);
  return text.length > longestKept ? createHash("sha256").update(text).digest("base64") : text;
}
