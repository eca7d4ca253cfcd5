import type { RunnableConfig } from "@langchain/core/runnables";
import {
  BaseCheckpointSaver,
  type ChannelVersions,
  type Checkpoint,
  type CheckpointListOptions,
  type CheckpointMetadata,
  type CheckpointTuple,
  maxChannelVersion,
  type PendingWrite,
  RESUME,
  TASKS,
} from "@langchain/langgraph-checkpoint";
import type { Holdpoint } from "@holdpoint/core";
import type { CheckpointKey, Engine, LoadedCheckpoint, StoredCheckpoint } from "@holdpoint/engine";
import { type Ahead, createAhead, type Handed, type Kept } from "./ahead.ts";
import { joinCheckpoint, readBody, readWrite } from "./checkpoint-body.ts";
import { loadReferences } from "./load-references.ts";
import { createParking, type ParkedWrites, type Task } from "./parked-writes.ts";
import { isPartsMissing } from "./parts-missing.ts";
import { createMemories, rememberVersions } from "./thread-memory.ts";
import { writtenCheckpoint, writtenTask, type Written } from "./written.ts";

/** A run that is ahead of the disk until it ends. */
export type RunAhead = Pick<Ahead, "saved" | "drain" | "beforeActing"> & {
  /** Saves what is left. */
  readonly end: () => Promise<void>;
};

/** A LangGraph checkpointer over the engine: a pause and the review it opens commit together. */
export function checkpointer(engine: Engine): HoldpointSaver {
  return new HoldpointSaver(engine);
}

/** True when this checkpointer opens reviews for this engine by itself. */
export function opensReviewsFor(saver: unknown, holdpoint: Holdpoint): boolean {
  return saver instanceof HoldpointSaver && saver.engine === holdpoint;
}

/** The key of a checkpoint's metadata that says which host's run saved it. */
export const runMetadataKey = "holdpoint_run";

/**
 * Stores checkpoints in the engine. LangGraph may hand over an interrupt's writes before the checkpoint
 * they belong to; they are parked in memory until it arrives, and commit together with it and the
 * reviews. A crash in between leaves neither. Writes that arrive while their checkpoint commits are
 * written right after it. State is read when it is handed over: what becomes of it later is not stored.
 */
export class HoldpointSaver extends BaseCheckpointSaver {
  readonly engine: Engine;
  readonly #parking = createParking();
  readonly #memories = createMemories();
  readonly #underWay = new Map<string, Set<Promise<unknown>>>();
  readonly #ahead = new Map<string, Ahead>();
  readonly #patience: number | undefined;

  /** A run that is ahead waits `patience` milliseconds for more before it saves. */
  constructor(engine: Engine, patience?: number) {
    super();
    this.engine = engine;
    this.#patience = patience;
  }

  /** Resolves when everything handed over so far for this thread is on disk; fails when some of it cannot be. */
  async drain(threadId: string): Promise<void> {
    await Promise.all([
      ...(this.#underWay.get(threadId) ?? []),
      this.#ahead.get(threadId)?.drain(),
    ]);
  }

  /**
   * Lets whoever runs this thread be ahead of the disk until it calls `end`: what is handed over counts as saved
   * at once, and is committed together with what comes soon after, in order. Whoever shows a pause, a result or
   * a reply, or does something because of it, drains first. When a save fails, so does all that comes after it.
   */
  runAhead(threadId: string): RunAhead {
    const ahead = createAhead((all) => this.#commit(threadId, all), this.#patience);
    this.#ahead.set(threadId, ahead);
    return {
      ...ahead,
      end: async () => {
        if (this.#ahead.get(threadId) === ahead) this.#ahead.delete(threadId);
        await ahead.drain();
      },
    };
  }

  async getTuple(config: RunnableConfig): Promise<CheckpointTuple | undefined> {
    const { threadId, namespace, id } = readConfig(config);
    if (threadId === undefined) return undefined;
    const ahead = this.#ahead.get(threadId);
    const read = () => this.engine.checkpoints.load(threadId, namespace, id);
    if (id !== undefined) await ahead?.drain();
    const loaded = await (ahead === undefined || id !== undefined
      ? read()
      : ahead.load(namespace, read));
    if (loaded !== undefined) return this.#toTuple(loaded);
    if (id === undefined && namespace === "") this.#memories.forget(threadId); // it may begin anew
    return undefined;
  }

  override async *list(
    config: RunnableConfig,
    options?: CheckpointListOptions,
  ): AsyncGenerator<CheckpointTuple> {
    const { threadId, id } = readConfig(config);
    const namespace: unknown = config.configurable?.["checkpoint_ns"];
    for (const ahead of this.#ahead.values()) await ahead.drain();
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
      left -= 1;
      const writes = await this.engine.checkpoints.writesOf(checkpoint);
      yield await this.#toTuple({ checkpoint, writes });
    }
  }

  async put(
    config: RunnableConfig,
    checkpoint: Checkpoint,
    metadata: CheckpointMetadata,
    newVersions?: ChannelVersions,
  ): Promise<RunnableConfig> {
    const { threadId, namespace, id: parentId } = readConfig(config);
    if (threadId === undefined) throw missingThread();
    const key = { threadId, namespace, id: checkpoint.id };
    const parent = parentId === undefined ? {} : { parentId };
    const said = { ...metadata, ...runOf(config) };
    await this.#track(
      key,
      this.#storeCheckpoint({ ...key, ...parent }, { checkpoint, newVersions }, said),
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
    const write = () =>
      writtenTask(this.#memories.of(threadId), { writes, threadId, taskId, taskPath });
    const task: Task = { now: write(), again: write };
    const work =
      task.now.reviews.length > 0
        ? this.#storeWithCheckpoint(key, task)
        : this.#store(handedTask(key, task));
    await this.#track(key, work);
  }

  async deleteThread(threadId: string): Promise<void> {
    await this.#ahead.get(threadId)?.drain();
    this.#memories.forget(threadId);
    await this.engine.checkpoints.deleteThread(threadId);
  }

  async #storeCheckpoint(
    stored: Omit<StoredCheckpoint, "body" | "metadata">,
    saved: { readonly checkpoint: Checkpoint; readonly newVersions: ChannelVersions | undefined },
    said: CheckpointMetadata,
  ): Promise<void> {
    this.#parking.begin(stored);
    const metadata = JSON.stringify(said);
    const { threadId, namespace, id, parentId } = stored;
    const key = { threadId, namespace, id };
    const write = () =>
      writtenCheckpoint(this.#memories.of(threadId), {
        ...saved,
        namespace,
        isFirst: parentId === undefined,
      });
    const first = write();
    const parked = this.#parking.take(stored);
    const keep = (
      { body, stored: learn, ...apart }: ReturnType<typeof write>,
      writtenOf: (task: Task) => Written,
    ): Kept => {
      const tasks = parked.map(({ task }) => writtenOf(task));
      return {
        save: { key, checkpoint: { ...stored, body, metadata }, apart, tasks },
        learn: () => {
          for (const one of [learn, ...tasks.map((task) => task.stored)]) one();
        },
      };
    };
    const now = keep(first, (task) => task.now);
    try {
      await this.#store({ key, now, again: () => keep(write(), (task) => task.again()) });
    } catch (error) {
      for (const one of parked) one.failed(error);
      throw error;
    }
    for (const one of parked) one.stored();
    for (const late of this.#parking.take(stored)) await this.#storeParked(late);
  }

  async #store(handed: Handed): Promise<void> {
    const ahead = this.#ahead.get(handed.key.threadId);
    if (ahead !== undefined) return ahead.add(handed);
    await this.#commit(handed.key.threadId, [handed]);
    handed.now.learn();
  }

  /** Once more, with everything, when what was believed to be stored is gone. */
  async #commit(threadId: string, all: readonly Handed[]): Promise<void> {
    try {
      await this.engine.checkpoints.save(all.map(({ now }) => now.save));
    } catch (error) {
      this.#memories.forget(threadId);
      if (!isPartsMissing(error)) throw error;
      await this.engine.checkpoints.save(all.map((one) => one.again().save));
    }
  }

  /** Parks first and looks afterwards: whichever of the two sees the other, nothing waits for a save that is over. */
  async #storeWithCheckpoint(key: CheckpointKey, task: Task): Promise<void> {
    if (this.#ahead.get(key.threadId)?.knows(key) === true)
      return this.#store(handedTask(key, task));
    const parked = this.#parking.park(key, task);
    try {
      if (await this.engine.checkpoints.has(key)) {
        if (this.#parking.takeBack(parked)) await this.#storeParked(parked);
      } else if (this.#parking.failureOf(key) !== undefined) {
        await new Promise((resolve) => setImmediate(resolve)); // a save that LangGraph has already scheduled begins before this returns
        const failure = this.#parking.failureOf(key);
        if (failure !== undefined && this.#parking.takeBack(parked)) parked.failed(failure.error);
      }
    } catch (error) {
      if (this.#parking.takeBack(parked)) parked.failed(error);
    }
    await parked.done;
  }

  async #storeParked(parked: ParkedWrites): Promise<void> {
    try {
      await this.#store(handedTask(parked.key, parked.task));
      parked.stored();
    } catch (error) {
      parked.failed(error);
    }
  }

  async #track(key: CheckpointKey, work: Promise<void>): Promise<void> {
    const { threadId } = key;
    const underWay = this.#underWay.get(threadId) ?? new Set();
    this.#underWay.set(threadId, underWay.add(work));
    try {
      await work;
    } catch (error) {
      this.#parking.fail(key, error);
      throw error;
    } finally {
      underWay.delete(work);
      if (underWay.size === 0) this.#underWay.delete(threadId);
    }
  }

  async #toTuple({ checkpoint, writes }: LoadedCheckpoint): Promise<CheckpointTuple> {
    const { threadId, namespace } = checkpoint;
    const body = readBody(checkpoint.body);
    const memory = this.#memories.of(threadId);
    const found = await loadReferences(this.engine.checkpoints, {
      threadId,
      memory,
      body,
      writes,
    });
    const joined = await joinCheckpoint(body, found, this.serde);
    const channels = Object.keys(joined.channel_values);
    rememberVersions(memory, namespace, channels, joined.channel_versions);
    if (joined.v < 4) await this.#migrateSends(joined, checkpoint);
    const pendingWrites = await Promise.all(
      writes.map(async (write): Promise<[string, string, unknown]> => [
        write.taskId,
        write.channel,
        await readWrite(write, found.read, this.serde),
      ]),
    );
    return {
      config: configOf(checkpoint, checkpoint.id),
      checkpoint: joined,
      metadata: JSON.parse(checkpoint.metadata) as CheckpointMetadata, // written by `put`
      pendingWrites,
      ...(checkpoint.parentId === undefined
        ? {}
        : { parentConfig: configOf(checkpoint, checkpoint.parentId) }),
    };
  }

  /** Before version 4 of its checkpoints LangGraph kept the tasks to come in the writes of the one before. */
  async #migrateSends(checkpoint: Checkpoint, { threadId, namespace, parentId }: StoredCheckpoint) {
    if (parentId === undefined) return;
    const parent = await this.getTuple(configOf({ threadId, namespace }, parentId));
    checkpoint.channel_values[TASKS] = sendsIn(parent);
    const versions = Object.values(checkpoint.channel_versions);
    checkpoint.channel_versions[TASKS] =
      versions.length > 0 ? maxChannelVersion(...versions) : this.getNextVersion(undefined);
  }
}

function handedTask(key: CheckpointKey, { now, again }: Task): Handed {
  const kept = (written: Written): Kept => ({
    save: { key, apart: {}, tasks: [written] },
    learn: written.stored,
  });
  return {
    key,
    now: kept(now),
    again: () => kept(again()),
    isAnswer: now.writes.every(({ channel }) => channel === RESUME),
  };
}

function sendsIn(parent: CheckpointTuple | undefined): readonly unknown[] {
  const writes = parent?.pendingWrites ?? [];
  return writes.filter(([, channel]) => channel === TASKS).map(([, , value]) => value);
}

function readConfig(config: RunnableConfig): { threadId?: string; namespace: string; id?: string } {
  const {
    thread_id: threadId,
    checkpoint_ns: namespace,
    checkpoint_id: id,
  } = config.configurable ?? {};
  return {
    ...(typeof threadId === "string" && threadId !== "" ? { threadId } : {}),
    namespace: typeof namespace === "string" ? namespace : "",
    ...(typeof id === "string" && id !== "" ? { id } : {}),
  };
}

function configOf(
  checkpoint: Pick<StoredCheckpoint, "threadId" | "namespace">,
  id: string,
): RunnableConfig {
  return {
    configurable: {
      thread_id: checkpoint.threadId,
      checkpoint_ns: checkpoint.namespace,
      checkpoint_id: id,
    },
  };
}

function matches(metadata: string, filter: Record<string, unknown> | undefined): boolean {
  if (filter === undefined) return true;
  const stored = JSON.parse(metadata) as Record<string, unknown>; // written by `put`
  return Object.entries(filter).every(
    ([key, value]) => JSON.stringify(stored[key]) === JSON.stringify(value),
  );
}

function runOf(config: RunnableConfig): Record<string, string> {
  const run: unknown = config.metadata?.[runMetadataKey];
  return typeof run === "string" ? { [runMetadataKey]: run } : {};
}

function missingThread(): Error {
  return new Error(
    'The checkpointer needs configurable.thread_id; pass { configurable: { thread_id: "…" } }.',
  );
}
