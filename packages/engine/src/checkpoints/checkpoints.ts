import type { ReviewDraft } from "@holdpoint/core";
import { createBatches } from "../batches.ts";
import { failpoint } from "../failpoint.ts";
import { openReview } from "../reviews/open-review.ts";
import {
  allThreads,
  type CheckpointKey,
  type CheckpointQuery,
  type CheckpointSave,
  type LoadedCheckpoint,
  type Storage,
  type StoredCheckpoint,
  type StoredPart,
  type StoredWrite,
} from "../storage/storage.ts";
import { type CheckpointFormat, type Pruned, pruneThread } from "./prune.ts";
import type { KeepHistory } from "./what-stays.ts";

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

/** A checkpoint, pending writes of tasks, or both. */
export type SavedTogether = {
  readonly key: CheckpointKey;
  readonly checkpoint?: StoredCheckpoint;
  readonly apart: Apart;
  readonly tasks: readonly TaskWrites[];
};

/** Parts that are referred to are not there any more: the thread was deleted or pruned meanwhile. Nothing was saved. */
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
  /** Commits these together, with the reviews that they open, or none of them. Throws `PartsMissing`. */
  readonly save: (saves: readonly SavedTogether[]) => Promise<void>;
  readonly has: (key: CheckpointKey) => Promise<boolean>;
  readonly deleteThread: (threadId: string) => Promise<void>;
  /** The threads that have checkpoints. */
  readonly threads: () => Promise<readonly string[]>;
  /** Removes from a thread's history what nobody can resume and nobody wants to keep. */
  readonly prune: (
    threadId: string,
    keep: KeepHistory,
    format: CheckpointFormat,
  ) => Promise<Pruned>;
};

/** So many saves share a transaction at most: it stays short. */
const savesAtMost = 64;

/** Creates the checkpoint store over a storage. Saves of one moment share a transaction. */
export function createCheckpoints(storage: Storage): Checkpoints {
  const save = createBatches<readonly SavedTogether[], void>(savesAtMost, async (all) => {
    const saves = all.flat();
    await storage.write(async (writing) => {
      const [missing] = await writing.saveCheckpoints(saves.map(asOne));
      // A checkpoint that refers to nothing could never be read again.
      if (missing !== undefined) throw new PartsMissing(missing.threadId);
      for (const draft of saves.flatMap(({ tasks }) => tasks.flatMap(({ reviews }) => reviews)))
        await openReview(writing, draft);
    });
    return all.map(() => undefined);
  });
  return {
    load: (threadId, namespace, id) =>
      storage.look((reading) => reading.findCheckpoint(threadId, namespace, id)),
    list: (query) => storage.look((reading) => reading.listCheckpoints(query)),
    writesOf: (key) => storage.look((reading) => reading.writesOf(key)),
    parts: (threadId, hashes) => storage.look((reading) => reading.findParts(threadId, hashes)),
    shape: async (hash) =>
      (await storage.look((reading) => reading.findParts(allThreads, [hash]))).get(hash),
    chain: (threadId, hash) => storage.look((reading) => reading.findChain(threadId, hash)),
    save: async (saves) => {
      await save(saves);
      if (saves.some(({ checkpoint }) => checkpoint !== undefined))
        failpoint("checkpoint.after_commit");
    },
    has: ({ threadId, namespace, id }) =>
      storage.look(async (reading) => {
        const found = await reading.listCheckpoints({ threadId, namespace, id, limit: 1 });
        return found.length > 0;
      }),
    deleteThread: (threadId) => storage.write((writing) => writing.deleteCheckpoints(threadId)),
    threads: () => storage.read((reading) => reading.checkpointedThreads()),
    prune: (threadId, keep, format) => pruneThread(storage, threadId, keep, format),
  };
}

function asOne({ key, checkpoint, apart, tasks }: SavedTogether): CheckpointSave {
  const all = [apart, ...tasks];
  return {
    key,
    ...(checkpoint === undefined ? {} : { checkpoint }),
    parts: all.flatMap(({ parts = [] }) => parts),
    shapes: all.flatMap(({ shapes = [] }) => shapes),
    refers: [...new Set(all.flatMap(({ refers = [] }) => refers))],
    writes: tasks.flatMap(({ writes }) => writes),
  };
}
