import type { CheckpointKey } from "@holdpoint/engine";
import type { Written } from "./written.ts";

/** Pending writes as they were when they were handed over, and a way to write them once more, whole. */
export type Task = { readonly now: Written; readonly again: () => Written };

/**
 * Writes that wait for the checkpoint they belong to. LangGraph may hand over an interrupt's writes
 * before it saves their checkpoint: in "async" durability the save is under way, in "exit" it begins
 * right after. A save that fails is not followed by another one of its run, so what waits fails with it.
 */
export type ParkedWrites = {
  readonly key: CheckpointKey;
  readonly task: Task;
  /** Settles once: with the commit, or with what made it impossible. */
  readonly done: Promise<void>;
  readonly stored: () => void;
  readonly failed: (error: unknown) => void;
};

/** The writes of one saver that wait, and the threads whose saves have failed. */
export type Parking = {
  readonly park: (key: CheckpointKey, task: Task) => ParkedWrites;
  /** Takes what waits for a checkpoint; whoever took it has to settle it. */
  readonly take: (key: CheckpointKey) => readonly ParkedWrites[];
  /** False when somebody else has taken it already. */
  readonly takeBack: (parked: ParkedWrites) => boolean;
  /** A checkpoint's save begins. */
  readonly begin: (key: CheckpointKey) => void;
  /** A save failed: everything that waits beside it fails, and so does what is parked before the next save. */
  readonly fail: (key: CheckpointKey, error: unknown) => void;
  /** What the last save failed with, until the next one begins. */
  readonly failureOf: (key: CheckpointKey) => { readonly error: unknown } | undefined;
};

/** Creates an empty parking place. */
export function createParking(): Parking {
  const waiting = new Set<ParkedWrites>();
  const failures = new Map<string, { readonly error: unknown }>();
  const takeWhere = (matches: (one: ParkedWrites) => boolean): readonly ParkedWrites[] => {
    const taken = [...waiting].filter(matches);
    for (const one of taken) waiting.delete(one);
    return taken;
  };
  return {
    park: (key, task) => {
      const { promise: done, resolve: stored, reject } = Promise.withResolvers<void>();
      const parked: ParkedWrites = { key, task, done, stored, failed: reject };
      done.catch(() => undefined); // its saver awaits it, but only after its first look at the database
      waiting.add(parked);
      return parked;
    },
    take: (key) => takeWhere((one) => scopeOf(one.key) === scopeOf(key) && one.key.id === key.id),
    takeBack: (parked) => waiting.delete(parked),
    begin: (key) => {
      failures.delete(scopeOf(key));
    },
    fail: (key, error) => {
      failures.set(scopeOf(key), { error });
      for (const one of takeWhere((other) => scopeOf(other.key) === scopeOf(key)))
        one.failed(error);
    },
    failureOf: (key) => failures.get(scopeOf(key)),
  };
}

/** A graph saves the checkpoints of one namespace of a thread one after the other. */
function scopeOf(key: CheckpointKey): string {
  return JSON.stringify([key.threadId, key.namespace]);
}
