import type { BaseMessage } from "@langchain/core/messages";
import type { Tree } from "./value-codec.ts";

/** What is known of one thread's stored messages: it is all in the database as well, and never changes there. */
export type ThreadMemory = {
  /** Messages by their hash. They are given to nobody: whoever asks for one gets a copy. */
  readonly messages: Map<string, BaseMessage>;
  /** What else is stored apart and was seen last, by hash. */
  readonly trees: Map<string, Tree>;
  /** Lists by their hash, the one used last at the end. */
  readonly lists: Map<string, KnownList>;
  /** Hashes of all that is stored apart and known to be there. */
  readonly stored: Set<string>;
  /** The keys of checkpoints, by hash; of all threads together. */
  readonly shapes: Map<string, Tree>;
  /** The versions of channels that have been seen in a checkpoint, in the order in which they were. */
  readonly versions: Set<string>;
};

/** A list of messages by their hashes, and where its links begin: a list is stored as what was added to another. */
export type KnownList = {
  readonly items: readonly string[];
  readonly links: readonly { readonly hash: string; readonly length: number }[];
};

/** How many lists of a thread are kept at most, how many threads, and how many messages and trees of all of them. */
const listsAtMost = 8;
const threadsAtMost = 2000;
const piecesAtMost = 50_000;
/** Counting the pieces takes a while, so it is done every so many uses. */
const usesBetweenCounts = 200;
/** How many trees are kept of a thread, and how long their texts may be, in characters. */
const treesAtMost = 64;
const treeAtMost = 16_384;
/** How many versions of channels are kept of a thread: those of its last hundred checkpoints or so. */
const versionsAtMost = 1000;

/** The memory of one checkpointer. */
export type Memories = {
  readonly of: (threadId: string) => ThreadMemory;
  readonly forget: (threadId: string) => void;
};

/** Opens a memory that forgets the threads that were used longest ago. */
export function createMemories(): Memories {
  const threads = new Map<string, ThreadMemory>();
  const shapes = new Map<string, Tree>();
  let uses = 0;
  /** The threads that were used longest ago go first, and the last one stays. */
  const shrink = (): void => {
    const sizes = [...threads].map(([id, { messages, trees }]) => ({
      id,
      pieces: messages.size + trees.size,
    }));
    let kept = sizes.reduce((sum, { pieces }) => sum + pieces, 0);
    for (const { id, pieces } of sizes.slice(0, -1)) {
      if (kept <= piecesAtMost && threads.size <= threadsAtMost) break;
      kept -= pieces;
      threads.delete(id);
    }
  };
  return {
    of: (threadId) => {
      const memory = threads.get(threadId) ?? emptyMemory(shapes);
      threads.delete(threadId);
      threads.set(threadId, memory);
      uses += 1;
      if (uses % usesBetweenCounts === 0) shrink();
      return memory;
    },
    forget: (threadId) => void threads.delete(threadId),
  };
}

function emptyMemory(shapes: Map<string, Tree>): ThreadMemory {
  return {
    messages: new Map(),
    trees: new Map(),
    lists: new Map(),
    stored: new Set(),
    versions: new Set(),
    shapes,
  };
}

/** Remembers that these channels had a value at these versions. */
export function rememberVersions(
  memory: ThreadMemory,
  namespace: string,
  channels: Iterable<string>,
  versions: Readonly<Record<string, number | string>>,
): void {
  for (const channel of channels) memory.versions.add(versionKey(namespace, channel, versions));
  dropOldest(memory.versions, versionsAtMost);
}

/** Names a channel at the version that it has here. */
export function versionKey(
  namespace: string,
  channel: string,
  versions: Readonly<Record<string, number | string>>,
): string {
  return JSON.stringify([namespace, channel, versions[channel]]);
}

/** Remembers a part that is no message; of those that are used no more the oldest go. */
export function rememberTree(
  memory: ThreadMemory,
  hash: string,
  { text, tree }: { readonly text: { readonly length: number }; readonly tree: Tree },
): void {
  if (text.length <= treeAtMost) keepLatest(memory.trees, { hash, value: tree }, treesAtMost);
}

/** Remembers a list; of those that are used no more the oldest go. */
export function rememberList(memory: ThreadMemory, hash: string, list: KnownList): void {
  keepLatest(memory.lists, { hash, value: list }, listsAtMost);
}

function keepLatest<Value>(
  map: Map<string, Value>,
  { hash, value }: { readonly hash: string; readonly value: Value },
  atMost: number,
): void {
  map.delete(hash);
  map.set(hash, value);
  dropOldest(map, atMost);
}

function dropOldest(
  kept: { readonly size: number } & Pick<Set<string>, "keys" | "delete">,
  atMost: number,
): void {
  for (const oldest of kept.keys()) {
    if (kept.size <= atMost) break;
    kept.delete(oldest);
  }
}
