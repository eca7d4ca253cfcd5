import { createHash } from "node:crypto";
import type { ToolCall } from "@langchain/core/messages/tool";
import { type CallKey, isJsonObject } from "@holdpoint/core";
import type { Gate } from "./options.ts";

/** How many calls may be on their way to their tools at once before the oldest are forgotten. */
const mostFreed = 10_000;

/** Remembers that the rules let exactly this call run. */
export function free(gate: Gate, key: CallKey, toolCall: ToolCall): void {
  const mark = markOf(toolCall);
  if (mark !== undefined) gate.freed.set(nameOf(key), mark);
  // A turn that never went on leaves its calls here; the oldest are judged again if it does after all.
  const [oldest] = gate.freed.keys();
  if (gate.freed.size > mostFreed && oldest !== undefined) gate.freed.delete(oldest);
}

/** True when the rules let exactly this call run; another call under the same key was not judged yet. */
export function isFreed(gate: Gate, key: CallKey, toolCall: ToolCall): boolean {
  const mark = gate.freed.get(nameOf(key));
  return mark !== undefined && mark === markOf(toolCall);
}

/** Forgets a call once it has its result. */
export function forget(gate: Gate, key: CallKey): void {
  gate.freed.delete(nameOf(key));
}

function nameOf({ threadId, turnId, toolCallId }: CallKey): string {
  return JSON.stringify([threadId, turnId, toolCallId]);
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
