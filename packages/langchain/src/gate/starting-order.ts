import type { CallKey } from "@holdpoint/core";
import { nameOfCall } from "../history/call-key.ts";

/**
 * The calls of a turn run side by side, but they start in the order in which the model made them: a call
 * waits until each one before it, of those that are on their way now, has started, was answered, or waits
 * for a person.
 */
export type Place = {
  /** Resolves when the calls before this one have started. */
  readonly turn: () => Promise<void>;
  /** The call has started, or will not. */
  readonly leave: () => void;
};

type Standing = { readonly name: string; readonly left: PromiseWithResolvers<void> };

const lines = new Map<string, Set<Standing>>();

/** The place of a call that is the only one of its turn. */
export const alone: Place = { turn: () => Promise.resolve(), leave: () => undefined };

/** Joins the line of the call's turn. Whoever joins has to leave. */
export function joinLine(key: CallKey): Place {
  const name = lineOf(key);
  const line = lines.get(name) ?? new Set();
  const before = [...line];
  const own = { name: key.toolCallId, left: Promise.withResolvers<void>() };
  lines.set(name, line.add(own));
  return {
    turn: async () => {
      for (const { left } of before) await left.promise;
    },
    leave: () => {
      line.delete(own);
      if (line.size === 0) lines.delete(name);
      own.left.resolve();
    },
  };
}

/** Says that a call has reached its tool. */
export function leaveLine(key: CallKey): void {
  if (lines.size > 0)
    for (const { name, left } of lines.get(lineOf(key)) ?? [])
      if (name === key.toolCallId) left.resolve();
}

function lineOf({ threadId, turnId }: CallKey): string {
  return nameOfCall({ threadId, turnId, toolCallId: "" });
}
