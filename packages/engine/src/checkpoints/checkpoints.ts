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
} from "../storage/storage.ts";

/** A checkpoint with everything it refers to. */
export type LoadedCheckpoint = {
  readonly checkpoint: StoredCheckpoint;
  readonly parts: ReadonlyMap<string, StoredPart>;
  readonly writes: readonly StoredWrite[];
};

/** Pending writes of one task, with the reviews that its interrupts open. */
export type TaskWrites = {
  readonly writes: readonly StoredWrite[];
  readonly reviews: readonly ReviewDraft[];
};

/** Storage of LangGraph checkpoints: every value is stored once for each thread, and referred to by hash. */
export type Checkpoints = {
  readonly load: (
    threadId: string,
    namespace: string,
    id: string | undefined,
    hashesIn: (body: string) => readonly string[],
  ) => Promise<LoadedCheckpoint | undefined>;
  readonly list: (query: CheckpointQuery) => Promise<readonly StoredCheckpoint[]>;
  /** Commits a checkpoint together with parked writes and the reviews they open. */
  readonly put: (
    checkpoint: StoredCheckpoint,
    parts: readonly StoredPart[],
    parked: readonly TaskWrites[],
  ) => Promise<void>;
  readonly has: (key: CheckpointKey) => Promise<boolean>;
  readonly putWrites: (key: CheckpointKey, task: TaskWrites) => Promise<void>;
  readonly deleteThread: (threadId: string) => Promise<void>;
};

/** Creates the checkpoint store over a storage. */
export function createCheckpoints(storage: Storage): Checkpoints {
  return {
    load: (threadId, namespace, id, hashesIn) =>
      storage.read(async (reading) => {
        const checkpoint = await reading.findCheckpoint(threadId, namespace, id);
        if (checkpoint === undefined) return undefined;
        const parts = await reading.findParts(threadId, hashesIn(checkpoint.body));
        const writes = await reading.writesOf({ threadId, namespace, id: checkpoint.id });
        return { checkpoint, parts, writes };
      }),
    list: (query) => storage.read((reading) => reading.listCheckpoints(query)),
    put: async (checkpoint, parts, parked) => {
      await storage.write(async (writing) => {
        await writing.putCheckpoint(checkpoint, parts);
        for (const task of parked) {
          await writing.putWrites(checkpoint, task.writes);
          for (const draft of task.reviews) await openReview(writing, draft);
        }
      });
      failpoint("checkpoint.after_commit");
    },
    has: (key) =>
      storage.read(
        async (reading) =>
          (await reading.findCheckpoint(key.threadId, key.namespace, key.id)) !== undefined,
      ),
    putWrites: (key, task) =>
      storage.write(async (writing) => {
        await writing.putWrites(key, task.writes);
        for (const draft of task.reviews) await openReview(writing, draft);
      }),
    deleteThread: (threadId) => storage.write((writing) => writing.deleteCheckpoints(threadId)),
  };
}
