import type { ReviewDraft } from "@holdpoint/core";
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

/** Creates the checkpoint store over a storage. */
export function createCheckpoints(storage: Storage): Checkpoints {
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
      await storage.write(async (writing) => {
        const { threadId } = checkpoint;
        await Promise.all([
          writing.insertParts(allThreads, apart.shapes ?? []),
          writing.putCheckpoint(checkpoint, apart.parts ?? []),
          ...parked.map((task) => putTask(writing, checkpoint, task)),
          refuseMissing(writing, threadId, [apart, ...parked]),
        ]);
        await openReviews(writing, parked);
      });
      failpoint("checkpoint.after_commit");
    },
    has: (key) =>
      storage.look(
        async (reading) =>
          (await reading.findCheckpoint(key.threadId, key.namespace, key.id)) !== undefined,
      ),
    putWrites: (key, task) =>
      storage.write(async (writing) => {
        await Promise.all([
          putTask(writing, key, task),
          refuseMissing(writing, key.threadId, [task]),
        ]);
        await openReviews(writing, [task]);
      }),
    deleteThread: (threadId) => storage.write((writing) => writing.deleteCheckpoints(threadId)),
  };
}

async function putTask(writing: Writing, key: CheckpointKey, task: TaskWrites): Promise<void> {
  await Promise.all([
    writing.insertParts(key.threadId, task.parts ?? []),
    writing.putWrites(key, task.writes),
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
