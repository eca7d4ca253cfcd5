// A run that is ahead of the disk: what it hands over counts as saved at once, and is committed together with
// what is handed over soon after. Whoever shows or does something because of it waits first.
import type { CheckpointKey, LoadedCheckpoint, SavedTogether } from "@holdpoint/engine";

/** As it goes to the database, and what to call when it is as good as there. */
export type Kept = { readonly save: SavedTogether; readonly learn: () => void };

/** A checkpoint or pending writes as they were when they were handed over, and a way to write them once more, whole. */
export type Handed = {
  readonly key: CheckpointKey;
  readonly now: Kept;
  readonly again: () => Kept;
  /** Nothing but answers to interrupts, which whoever continues the thread gives again. */
  readonly isAnswer?: boolean;
};

/** One thread's run that is ahead. */
export type Ahead = {
  /** Throws what kept something that was handed over earlier from being saved. */
  readonly add: (handed: Handed) => void;
  /** Resolves when all that was handed over so far is on disk, which nobody hurries; answers may wait for more. */
  readonly saved: () => Promise<void>;
  /** Saves all that was handed over so far now. */
  readonly drain: () => Promise<void>;
  /** The same before something is done outside, if the step that asks for it waits; what other tasks have written may wait on. */
  readonly beforeActing: () => Promise<void>;
  /** Where the thread stands, read once: until something is handed over nobody else moves it. */
  readonly load: (
    namespace: string,
    read: () => Promise<LoadedCheckpoint | undefined>,
  ) => Promise<LoadedCheckpoint | undefined>;
  /** True for a checkpoint that was loaded so or handed over. */
  readonly knows: (key: CheckpointKey) => boolean;
};

/** As long, in milliseconds, what is handed over waits for company: less than anybody notices. */
const patienceByDefault = 20;

type Group = PromiseWithResolvers<void> & { readonly handed: Handed[] };

/** Begins to be ahead; `commit` saves all it is given, or nothing. */
export function createAhead(
  commit: (all: readonly Handed[]) => Promise<void>,
  patience = patienceByDefault,
): Ahead {
  let group: Group | undefined;
  let timer: NodeJS.Timeout | undefined;
  let last: Promise<void> = Promise.resolve();
  let failure: { readonly error: unknown } | undefined;
  const known = new Set<string>();
  let added = 0;
  const seen = new Map<string, { readonly loaded: LoadedCheckpoint | undefined }>();

  /** One group after the other: the next gathers while this one is on its way. */
  const close = (): void => {
    if (group === undefined) return;
    const { handed, promise, resolve, reject } = group;
    clearTimeout(timer);
    [group, timer] = [undefined, undefined];
    const before = last;
    last = promise;
    before
      .then(() => commit(handed))
      .then(resolve, (error: unknown) => {
        failure ??= { error };
        reject(error);
      });
  };
  const drain = (): Promise<void> => {
    close();
    return last;
  };
  return {
    add: (handed) => {
      if (failure !== undefined) throw failure.error;
      if (group === undefined) {
        group = { ...Promise.withResolvers<void>(), handed: [] };
        group.promise.catch(() => undefined); // told to whoever waits, and to whoever hands over more
      }
      if (handed.isAnswer !== true) timer ??= setTimeout(close, patience);
      group.handed.push(handed);
      added += 1;
      seen.clear();
      if (handed.now.save.checkpoint !== undefined) known.add(placeOf(handed.key));
      handed.now.learn();
    },
    saved: () => (timer === undefined ? last : (group?.promise ?? last)),
    drain,
    beforeActing: () => {
      if (group?.handed.some(({ now }) => now.save.checkpoint !== undefined) === true) close();
      return last;
    },
    load: async (namespace, read) => {
      const before = seen.get(namespace);
      if (before !== undefined) return before.loaded;
      await drain();
      const at = added;
      const loaded = await read();
      if (loaded !== undefined) known.add(placeOf(loaded.checkpoint));
      if (added === at) seen.set(namespace, { loaded });
      return loaded;
    },
    knows: (key) => known.has(placeOf(key)),
  };
}

function placeOf({ namespace, id }: CheckpointKey): string {
  return `${namespace} ${id}`;
}
