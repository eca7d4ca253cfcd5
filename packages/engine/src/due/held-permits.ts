import type { ActionId, Permit } from "@holdpoint/core";

/**
 * The permits that this engine runs the tools of: those whose start it was told of. Only their leases are
 * renewed. A start whose COMMIT was lost is in the database and not here: whoever starts again takes it up,
 * because nobody ran the tool; when nobody does, its lease runs out as that of a dead process does.
 */
export type HeldPermits = {
  /** What is being started now; nobody here may take its lease to be over. */
  readonly begin: (actionId: ActionId) => void;
  readonly finish: (actionId: ActionId) => void;
  /** Takes a start that was committed; `false` when another caller of this engine has taken that start. */
  readonly take: (permit: Permit) => boolean;
  /** True when this very start was taken by a caller of this engine, whatever became of it since. */
  readonly isTaken: (permit: Permit) => boolean;
  /** True while the tool of this action is run, or about to be run, by this engine. */
  readonly has: (actionId: ActionId) => boolean;
  /** The tool runs no longer, and the permit may still say so: its lease runs out, and it is taken by nobody again. */
  readonly release: (actionId: ActionId, fence: number) => void;
  /** The permit is known not to be started under this fence any more. */
  readonly forget: (actionId: ActionId, fence: number) => void;
  readonly running: () => readonly ActionId[];
};

/** Creates the list; it is empty. */
export function createHeldPermits(): HeldPermits {
  const taken = new Map<ActionId, number>();
  const running = new Set<ActionId>();
  const starting = new Map<ActionId, number>();
  const release = (actionId: ActionId, fence: number): void => {
    if (taken.get(actionId) === fence) running.delete(actionId);
  };
  return {
    begin: (actionId) => void starting.set(actionId, (starting.get(actionId) ?? 0) + 1),
    finish: (actionId) => {
      const left = (starting.get(actionId) ?? 1) - 1;
      if (left > 0) starting.set(actionId, left);
      else starting.delete(actionId);
    },
    take: ({ actionId, fence }) => {
      if ((taken.get(actionId) ?? 0) >= fence) return false;
      taken.set(actionId, fence);
      running.add(actionId);
      return true;
    },
    isTaken: ({ actionId, fence }) => (taken.get(actionId) ?? 0) >= fence,
    has: (actionId) => running.has(actionId) || starting.has(actionId),
    release,
    forget: (actionId, fence) => {
      release(actionId, fence);
      if (taken.get(actionId) === fence) taken.delete(actionId);
    },
    running: () => [...running],
  };
}
