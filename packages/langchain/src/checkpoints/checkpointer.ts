import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  type PendingWrite,
  WRITES_IDX_MAP,
} from "@langchain/langgraph-checkpoint";
import type { Holdpoint, ReviewDraft } from "@holdpoint/core";
import type {
  CheckpointKey,
  Engine,
  StoredCheckpoint,
  StoredWrite,
  TaskWrites,
} from "@holdpoint/engine";
import { hashesIn, joinCheckpoint, splitCheckpoint } from "./checkpoint-body.ts";
import { reviewOf } from "../gate/interrupt-payload.ts";

const interruptChannel = "__interrupt__";

/** A LangGraph checkpointer over the engine: a pause and the review it opens commit together. */
export function checkpointer(engine: Engine): HoldpointSaver {
  return new HoldpointSaver(engine);
}

/** True when this checkpointer opens reviews for this engine by itself. */
export function opensReviewsFor(saver: unknown, holdpoint: Holdpoint): boolean {
  return saver instanceof HoldpointSaver && saver.engine === holdpoint;
}

/**
 * Stores checkpoints in the engine. LangGraph hands over an interrupt's writes before the checkpoint
 * they belong to; they are parked in memory until it arrives, and commit together with it and the
 * reviews. A crash in between leaves neither.
 */
export class HoldpointSaver extends BaseCheckpointSaver {
  readonly engine: Engine;
  readonly #parked = new Map<
    string,
    { task: TaskWrites; stored: () => void; failed: (error: unknown) => void }[]
  >();
  readonly #underWay = new Set<Promise<unknown>>();

  constructor(engine: Engine) {
    super();
    this.engine = engine;
  }

  /** Resolves when everything handed over so far is on disk. */
  async drain(): Promise<void> {
    await Promise.all(this.#underWay);
  }

  async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { threadId, namespace, id } = readConfig(config);
    if (threadId === undefined) return undefined;
    const loaded = await this.engine.checkpoints.load(threadId, namespace, id, hashesIn);
    return loaded === undefined ? undefined : this.#toTuple(loaded);
  }

  override async *list(
    config: RunnableConfig,
    options?: CheckpointListOptions,
  ): AsyncGenerator<CheckpointTuple> {
    const { threadId, id } = readConfig(config);
    const namespace: unknown = config.configurable?.["checkpoint_ns"];
    const before = options?.before === undefined ? undefined : readConfig(options.before).id;
    const stored = await this.engine.checkpoints.list({
      ...(threadId === undefined ? {} : { threadId }),
      ...(typeof namespace === "string" ? { namespace } : {}),
      ...(id === undefined ? {} : { id }),
      ...(before === undefined ? {} : { before }),
      ...(options?.limit === undefined || options.filter !== undefined
        ? {}
        : { limit: options.limit }),
    });
    let left = options?.limit ?? Number.POSITIVE_INFINITY;
    for (const checkpoint of stored) {
      if (left <= 0) return;
      if (!matches(checkpoint.metadata, options?.filter)) continue;
      const loaded = await this.engine.checkpoints.load(
        checkpoint.threadId,
        checkpoint.namespace,
        checkpoint.id,
        hashesIn,
      );
      if (loaded === undefined) continue;
      left -= 1;
      yield await this.#toTuple(loaded);
    }
  }

  async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
  ): Promise<RunnableConfig> {
    const { threadId, namespace, id: parentId } = readConfig(config);
    if (threadId === undefined) throw missingThread();
    const key = { threadId, namespace, id: checkpoint.id };
    await this.#track(
      (async () => {
        const { body, parts } = await splitCheckpoint(checkpoint, this.serde);
        const parked = this.#takeParked(key);
        try {
          await this.engine.checkpoints.put(
            {
              ...key,
              body,
              metadata: JSON.stringify(metadata),
              ...(parentId === undefined ? {} : { parentId }),
            },
            parts,
            parked.map((one) => one.task),
          );
          for (const one of parked) one.stored();
        } catch (error) {
          for (const one of parked) one.failed(error);
          throw error;
        }
      })(),
    );
    return {
      configurable: { thread_id: threadId, checkpoint_ns: namespace, checkpoint_id: checkpoint.id },
    };
  }

  async putWrites(
    config: RunnableConfig,
    writes: PendingWrite[],
    taskId: string,
    taskPath = "",
  ): Promise<void> {
    const { threadId, namespace, id } = readConfig(config);
    if (threadId === undefined || id === undefined) throw missingThread();
    const key = { threadId, namespace, id };
    await this.#track(this.#storeWrites(key, writes, taskId, taskPath));
  }

  async deleteThread(threadId: string): Promise<void> {
    await this.engine.checkpoints.deleteThread(threadId);
  }

  async #storeWrites(
    key: CheckpointKey,
    writes: PendingWrite[],
    taskId: string,
    taskPath: string,
  ): Promise<void> {
    const stored = await Promise.all(
      writes.map(async ([channel, value], index): Promise<StoredWrite> => {
        const [type, bytes] = await this.serde.dumpsTyped(value);
        return {
          taskId,
          index: WRITES_IDX_MAP[channel] ?? index,
          channel,
          taskPath,
          type,
          value: bytes,
        };
      }),
    );
    const task = { writes: stored, reviews: reviewsIn(writes, key.threadId) };
    if (task.reviews.length > 0 && !(await this.engine.checkpoints.has(key))) {
      await new Promise<void>((resolve, reject) => {
        const waiting = this.#parked.get(keyText(key)) ?? [];
        this.#parked.set(keyText(key), [...waiting, { task, stored: resolve, failed: reject }]);
      });
      return;
    }
    await this.engine.checkpoints.putWrites(key, task);
  }

  #takeParked(
    key: CheckpointKey,
  ): { task: TaskWrites; stored: () => void; failed: (error: unknown) => void }[] {
    const parked = this.#parked.get(keyText(key)) ?? [];
    this.#parked.delete(keyText(key));
    return parked;
  }

  async #track(work: Promise<void>): Promise<void> {
    this.#underWay.add(work);
    try {
      await work;
    } finally {
      this.#underWay.delete(work);
    }
  }

  async #toTuple(loaded: {
    readonly checkpoint: StoredCheckpoint;
    readonly parts: Parameters<typeof joinCheckpoint>[1];
    readonly writes: readonly StoredWrite[];
  }): Promise<CheckpointTuple> {
    const { checkpoint, parts, writes } = loaded;
    const pendingWrites = await Promise.all(
      writes.map(async (write): Promise<[string, string, unknown]> => [
        write.taskId,
        write.channel,
        await this.serde.loadsTyped(write.type, write.value),
      ]),
    );
    return {
      config: configOf(checkpoint, checkpoint.id),
      checkpoint: await joinCheckpoint(checkpoint.body, parts, this.serde),
      metadata: JSON.parse(checkpoint.metadata) as CheckpointMetadata, // written by `put`
      pendingWrites,
      ...(checkpoint.parentId === undefined
        ? {}
        : { parentConfig: configOf(checkpoint, checkpoint.parentId) }),
    };
  }
}

function readConfig(config: RunnableConfig): { threadId?: string; namespace: string; id?: string } {
  const {
    thread_id: threadId,
    checkpoint_ns: namespace,
    checkpoint_id: id,
  } = config.configurable ?? {};
  return {
    ...(typeof threadId === "string" ? { threadId } : {}),
    namespace: typeof namespace === "string" ? namespace : "",
    ...(typeof id === "string" && id !== "" ? { id } : {}),
  };
}

function configOf(checkpoint: StoredCheckpoint, id: string): RunnableConfig {
  return {
    configurable: {
      thread_id: checkpoint.threadId,
      checkpoint_ns: checkpoint.namespace,
      checkpoint_id: id,
    },
  };
}

function reviewsIn(writes: readonly PendingWrite[], threadId: string): readonly ReviewDraft[] {
  return writes
    .filter(([channel]) => channel === interruptChannel)
    .flatMap(([, value]) =>
      Array.isArray(value) ? (value as { id?: string; value?: unknown }[]) : [],
    ) // LangGraph's own
    .flatMap((interrupt) => reviewOf(interrupt, threadId) ?? []);
}

function matches(metadata: string, filter: Record<string, unknown> | undefined): boolean {
  if (filter === undefined) return true;
  const stored = JSON.parse(metadata) as Record<string, unknown>; // written by `put`
  return Object.entries(filter).every(
    ([key, value]) => JSON.stringify(stored[key]) === JSON.stringify(value),
  );
}

function keyText(key: CheckpointKey): string {
  return JSON.stringify([key.threadId, key.namespace, key.id]);
}

function missingThread(): Error {
  return new Error(
    'The checkpointer needs configurable.thread_id; pass { configurable: { thread_id: "…" } }.',
  );
}
