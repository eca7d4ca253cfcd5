import {
  allThreads,
  type Storage,
  type StoredCheckpoint,
  type StoredPart,
  type Writing,
} from "../storage/storage.ts";
import {
  type CheckpointFacts,
  type KeepHistory,
  placeOf,
  type PlacedFacts,
  waitingPlaces,
  whatStays,
} from "./what-stays.ts";

// Mark and sweep, of one thread and in one transaction:
//
//   choose   which checkpoints stay; the others go, with their pending writes
//   mark     all that the checkpoints and pending writes that are there refer to, and what that refers to
//   sweep    the parts that are not marked
//
// A saver that believes one of them to be stored is told so when it refers to it, and sends it again; one that
// saves at the same moment is before or after: one of them starts again.

/** As many checkpoints, and as many parts, are in memory at once. */
const checkpointsAtOnce = 100;
const partsAtOnce = 200;

/** How whoever writes checkpoints reads what is stored. */
export type CheckpointFormat = {
  /** The hash of the shape, stored once for all threads, that a body is read with, if it has one. */
  readonly shapeOf: (checkpoint: StoredCheckpoint) => string | undefined;
  readonly factsOf: (
    checkpoint: StoredCheckpoint,
    shape: StoredPart | undefined,
  ) => CheckpointFacts;
  /** The hashes of the parts that a body or a pending write refers to, or a part, whose links go without saying. */
  readonly referencesOfBody: (body: string) => readonly string[];
  readonly referencesOfValue: (
    value: Pick<StoredPart, "type" | "value" | "before">,
  ) => readonly string[];
  /** True when a task that has written to these channels waits for an answer. */
  readonly isWaiting: (channels: readonly string[]) => boolean;
};

/** What was removed. */
export type Pruned = { readonly checkpoints: number; readonly parts: number };

/** Removes from a thread's history what nobody can resume and nobody wants to keep. */
export async function pruneThread(
  storage: Storage,
  threadId: string,
  keep: KeepHistory,
  format: CheckpointFormat,
): Promise<Pruned> {
  return storage.write(async (writing) => {
    // What belongs to all threads is nobody's history.
    if (threadId === allThreads || (await writing.isThreadBusy(threadId)))
      return { checkpoints: 0, parts: 0 };
    const shapes = new Map<string, StoredPart | undefined>();
    const found: PlacedFacts[] = [];
    for await (const one of checkpointsOf(writing, threadId)) {
      const { namespace, id, parentId } = one;
      const parent = parentId === undefined ? {} : { parentId };
      const hash = format.shapeOf(one);
      if (hash !== undefined && !shapes.has(hash))
        shapes.set(hash, (await writing.findParts(allThreads, [hash])).get(hash));
      const facts = format.factsOf(one, hash === undefined ? undefined : shapes.get(hash));
      found.push({ threadId, namespace, id, ...parent, ...facts });
    }
    const written = await writing.channelsWritten(threadId);
    const stays = whatStays(found, keep, waitingPlaces(written, format.isWaiting));
    const gone = found.filter((one) => !stays.has(placeOf(one)));
    if (gone.length > 0) await writing.removeCheckpoints(threadId, gone);
    const marked = await mark(writing, threadId, format);
    return { checkpoints: gone.length, parts: await writing.removePartsBut(threadId, marked) };
  });
}

async function* checkpointsOf(
  writing: Writing,
  threadId: string,
): AsyncGenerator<StoredCheckpoint> {
  let page: readonly StoredCheckpoint[] = [];
  do {
    page = await writing.checkpointsAfter(threadId, page.at(-1), checkpointsAtOnce);
    yield* page;
  } while (page.length === checkpointsAtOnce);
}

async function mark(
  writing: Writing,
  threadId: string,
  format: CheckpointFormat,
): Promise<readonly string[]> {
  const marked = new Set<string>();
  let found: string[] = [];
  const note = (hashes: readonly string[]): void => {
    for (const hash of hashes) {
      if (marked.has(hash)) continue;
      marked.add(hash);
      found.push(hash);
    }
  };
  for await (const { body } of checkpointsOf(writing, threadId))
    note(format.referencesOfBody(body));
  // Pending writes may be there before their checkpoint is.
  const places = new Map(
    (await writing.channelsWritten(threadId)).map(({ namespace, id }) => [
      placeOf({ namespace, id }),
      { threadId, namespace, id },
    ]),
  );
  for (const key of places.values())
    for (const write of await writing.writesOf(key)) note(format.referencesOfValue(write));
  while (found.length > 0) {
    const next = found.splice(0, partsAtOnce);
    const parts = await writing.findParts(threadId, next);
    for (const part of parts.values()) {
      note(format.referencesOfValue(part));
      if (part.before !== undefined && part.before !== "") note([part.before]);
    }
  }
  return [...marked];
}
