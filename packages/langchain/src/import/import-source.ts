import type { RunnableConfig } from "@langchain/core/runnables";
import {
  type BaseCheckpointSaver,
  type Checkpoint,
  type CheckpointMetadata,
  type CheckpointTuple,
  JsonPlusSerializer,
} from "@langchain/langgraph-checkpoint";
import type { CheckpointKey } from "@holdpoint/engine";
import {
  openStock,
  type StockCheckpoint,
  type StockCheckpoints,
  type StockValue,
} from "@holdpoint/engine/stock";

/** Where threads come from, a checkpoint at a time. */
export type ImportSource = {
  readonly threads: () => Promise<readonly string[]>;
  /** Every checkpoint of a thread, in any order. */
  readonly tuples: (threadId: string) => AsyncIterable<CheckpointTuple>;
  readonly tuple: (key: CheckpointKey) => Promise<CheckpointTuple | undefined>;
  readonly close: () => Promise<void>;
};

/** Reads a checkpointer through what every checkpointer has. */
export function sourceOfSaver(saver: BaseCheckpointSaver): ImportSource {
  return {
    threads: async () => {
      const ids = new Set<string>();
      for await (const { config } of saver.list({ configurable: {} }))
        ids.add(keyOf(config).threadId);
      return [...ids];
    },
    tuples: (threadId) => saver.list({ configurable: { thread_id: threadId } }),
    tuple: (key) => saver.getTuple(configOf(key, key.id)),
    close: async () => undefined,
  };
}

/** Reads the tables of LangGraph's own savers. */
export async function sourceOfStock(
  address: string,
  schema: string | undefined,
): Promise<ImportSource> {
  const stock = await openStock(address, schema);
  return {
    threads: stock.threads,
    tuples: (threadId) => tuplesOf(stock, threadId),
    tuple: async (key) => tupleOf(await stock.read(key)),
    close: stock.close,
  };
}

async function* tuplesOf(
  stock: StockCheckpoints,
  threadId: string,
): AsyncGenerator<CheckpointTuple> {
  for (const key of await stock.keys(threadId)) {
    const tuple = await tupleOf(await stock.read(key));
    if (tuple !== undefined) yield tuple;
  }
}

const serializer = new JsonPlusSerializer();

async function tupleOf(stored: StockCheckpoint | undefined): Promise<CheckpointTuple | undefined> {
  if (stored === undefined) return undefined;
  const { parentId } = stored;
  const checkpoint = (await valueOf(stored.checkpoint)) as Checkpoint; // written by LangGraph
  const values: Record<string, unknown> = { ...checkpoint.channel_values };
  for (const channel of stored.channels) values[channel.channel] = await valueOf(channel);
  const pendingWrites: [string, string, unknown][] = [];
  for (const write of stored.writes)
    pendingWrites.push([write.taskId, write.channel, await valueOf(write)]);
  return {
    config: configOf(stored, stored.id),
    checkpoint: { ...checkpoint, channel_values: values },
    metadata: (await valueOf(stored.metadata)) as CheckpointMetadata, // written by LangGraph
    pendingWrites,
    ...(parentId === undefined ? {} : { parentConfig: configOf(stored, parentId) }),
  };
}

function valueOf({ type, bytes }: StockValue): Promise<unknown> {
  return serializer.loadsTyped(type, bytes);
}

/** Which checkpoint a config names. */
export function keyOf(config: RunnableConfig): CheckpointKey {
  const { thread_id, checkpoint_ns, checkpoint_id } = config.configurable ?? {};
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  return { threadId: text(thread_id), namespace: text(checkpoint_ns), id: text(checkpoint_id) };
}

function configOf(key: Omit<CheckpointKey, "id">, id: string): RunnableConfig {
  return {
    configurable: { thread_id: key.threadId, checkpoint_ns: key.namespace, checkpoint_id: id },
  };
}
