import type { ReviewDraft } from "@holdpoint/core";
import { createBatches } from "../batches.ts";
import { failpoint } from "../failpoint.ts";
import { openReview } from "../reviews/open-review.ts";
import type {
  CheckpointKey,
  CheckpointQuery,
  Storage,
  StoredCheckpoint,
  StoredPart,
  StoredWrite,
  Writing,
} from "../storage/storage.ts";

/** Under this name, which no thread has, stands what belongs to all of them. */
const allThreads = "";

/** A checkpoint with its pending writes. */
export type LoadedCheckpoint = {
  readonly checkpoint: StoredCheckpoint;
  readonly writes: readonly StoredWrite[];
};

/** What is stored apart, once for each thread, and what is referred to and was stored before. */
export type Apart = {
  readonly parts?: readonly StoredPart[];
  /** Stored once for all threads. */
  readonly shapes?: readonly StoredPart[];
  readonly refers?: readonly string[];
};

/** Pending writes of one task, with the reviews that its interrupts open. */
export type TaskWrites = Apart & {
  readonly writes: readonly StoredWrite[];
  readonly reviews: readonly ReviewDraft[];
};

/** Parts that are referred to are not there any more: the thread was deleted meanwhile. Nothing was saved. */
export class PartsMissing extends Error {
  constructor(threadId: string) {
    super(`What thread ${threadId} had stored is gone; its checkpoint must be sent whole.`);
    this.name = "PartsMissing";
  }
}

/** Storage of LangGraph checkpoints: what is long is stored once for each thread, and referred to by hash. */
export type Checkpoints = {
  readonly load: (
    threadId: string,
    namespace: string,
    id: string | undefined,
  ) => Promise<LoadedCheckpoint | undefined>;
  readonly list: (query: CheckpointQuery) => Promise<readonly StoredCheckpoint[]>;
  readonly writesOf: (key: CheckpointKey) => Promise<readonly StoredWrite[]>;
  readonly parts: (
    threadId: string,
    hashes: readonly string[],
  ) => Promise<ReadonlyMap<string, StoredPart>>;
  readonly shape: (hash: string) => Promise<StoredPart | undefined>;
  /** The links of a list, first link first. */
  readonly chain: (threadId: string, hash: string) => Promise<readonly StoredPart[]>;
  /** Commits a checkpoint together with parked writes and the reviews they open. Throws `PartsMissing`. */
  readonly put: (
    checkpoint: StoredCheckpoint,
    apart: Apart,
    parked: readonly TaskWrites[],
  ) => Promise<void>;
  readonly has: (key: CheckpointKey) => Promise<boolean>;
  /** Commits pending writes and the reviews they open. Throws `PartsMissing`. */
  readonly putWrites: (key: CheckpointKey, task: TaskWrites) => Promise<void>;
  readonly deleteThread: (threadId: string) => Promise<void>;
};

/** What is saved at once: a checkpoint with parked writes, or writes of a checkpoint that is there. */
type Save = {
  readonly key: CheckpointKey;
  readonly checkpoint?: StoredCheckpoint;
  readonly apart: Apart;
  readonly tasks: readonly TaskWrites[];
};

/** So many saves share a transaction at most: it stays short. */
const savesAtMost = 64;

/** Creates the checkpoint store over a storage. Saves of one moment share a transaction. */
export function createCheckpoints(storage: Storage): Checkpoints {
  const save = createBatches<Save, void>(savesAtMost, async (saves) => {
    await storage.write(async (writing) => {
      await Promise.all(saves.map((one) => write(writing, one)));
      for (const { tasks } of saves) await openReviews(writing, tasks);
    });
    return saves.map(() => undefined);
  });
  return {
    load: (threadId, namespace, id) =>
      storage.read(async (reading) => {
        const checkpoint = await reading.findCheckpoint(threadId, namespace, id);
        if (checkpoint === undefined) return undefined;
        const writes = await reading.writesOf({ threadId, namespace, id: checkpoint.id });
        return { checkpoint, writes };
      }),
    list: (query) => storage.look((reading) => reading.listCheckpoints(query)),
    writesOf: (key) => storage.look((reading) => reading.writesOf(key)),
    parts: (threadId, hashes) => storage.look((reading) => reading.findParts(threadId, hashes)),
    shape: async (hash) =>
      (await storage.look((reading) => reading.findParts(allThreads, [hash]))).get(hash),
    chain: (threadId, hash) => storage.look((reading) => reading.findChain(threadId, hash)),
    put: async (checkpoint, apart, parked) => {
      await save({ key: checkpoint, checkpoint, apart, tasks: parked });
      failpoint("checkpoint.after_commit");
    },
    has: (key) =>
      storage.look(
        async (reading) =>
          (await reading.findCheckpoint(key.threadId, key.namespace, key.id)) !== undefined,
      ),
    putWrites: (key, task) => save({ key, apart: {}, tasks: [task] }),
    deleteThread: (threadId) => storage.write((writing) => writing.deleteCheckpoints(threadId)),
  };
}

/** None of these statements reads what another writes, so they go together. */
async function write(writing: Writing, { key, checkpoint, apart, tasks }: Save): Promise<void> {
  const { threadId } = key;
  const all = [apart, ...tasks];
  await Promise.all([
    writing.insertParts(
      allThreads,
      all.flatMap(({ shapes = [] }) => shapes),
    ),
    writing.insertParts(
      threadId,
      all.flatMap(({ parts = [] }) => parts),
    ),
    checkpoint === undefined ? undefined : writing.putCheckpoint(checkpoint, []),
    ...tasks.map((task) => writing.putWrites(key, task.writes)),
    refuseMissing(writing, threadId, all),
  ]);
}

async function openReviews(writing: Writing, tasks: readonly TaskWrites[]): Promise<void> {
  for (const draft of tasks.flatMap((task) => task.reviews)) await openReview(writing, draft);
}

/** A checkpoint that refers to nothing could never be read again. */
async function refuseMissing(
  writing: Writing,
  threadId: string,
  aparts: readonly Apart[],
): Promise<void> {
  const refers = [...new Set(aparts.flatMap((apart) => apart.refers ?? []))];
  if (refers.length === 0) return;
  const sent = new Set(aparts.flatMap((apart) => apart.parts ?? []).map((part) => part.hash));
  const missing = await writing.missingParts(threadId, refers);
  if (missing.some((hash) => !sent.has(hash))) throw new PartsMissing(threadId);
}
