import type { CheckpointKey } from "../storage/storage.ts";

/** A value as LangGraph's serializer wrote it. */
export type StockValue = { readonly type: string; readonly bytes: Uint8Array };

/** A checkpoint of one of LangGraph's own savers, as it lies there. */
export type StockCheckpoint = CheckpointKey & {
  readonly parentId?: string;
  readonly checkpoint: StockValue;
  readonly metadata: StockValue;
  /** The values of channels that are kept beside the checkpoint. */
  readonly channels: readonly (StockValue & { readonly channel: string })[];
  /** Its pending writes, in their order. */
  readonly writes: readonly (StockValue & {
    readonly taskId: string;
    readonly channel: string;
  })[];
};

/** The tables of LangGraph's SQLite or Postgres saver, read only. */
export type StockCheckpoints = {
  readonly threads: () => Promise<readonly string[]>;
  /** The keys of a thread's checkpoints in all its namespaces. */
  readonly keys: (threadId: string) => Promise<readonly CheckpointKey[]>;
  readonly read: (key: CheckpointKey) => Promise<StockCheckpoint | undefined>;
  readonly close: () => Promise<void>;
};
