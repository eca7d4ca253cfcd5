import type { Checkpoints, StoredPart, StoredWrite } from "@holdpoint/engine";
import { type Body, type Loaded, treeOf } from "./checkpoint-body.ts";
import { isMessageTree } from "./messages.ts";
import { partType, readerOf, referencesIn } from "./references.ts";
import { type KnownList, rememberList, rememberTree, type ThreadMemory } from "./thread-memory.ts";
import { fromTree, isList, type Tree } from "./value-codec.ts";

/** What is read: a checkpoint's body and its pending writes. */
type Wanted = {
  readonly threadId: string;
  readonly memory: ThreadMemory;
  readonly body: Body;
  readonly writes: readonly StoredWrite[];
};

/** Loads what a checkpoint and its writes refer to, as far as the memory does not hold it. */
export async function loadReferences(
  checkpoints: Pick<Checkpoints, "parts" | "chain" | "shape">,
  { threadId, memory, body, writes }: Wanted,
): Promise<Loaded> {
  const parts = new Map<string, StoredPart>();
  const loadedTrees = new Map<string, Tree>();
  const lists = new Map<string, KnownList>();
  let trees: readonly Tree[] = [
    ...(body.version === 2 ? (body.channels as Tree[]) : []),
    ...writes.filter(({ type }) => type === partType).map(treeOf),
  ];
  const whole =
    body.version === 1 ? Object.values(body.channels).flatMap((channel) => channel.parts) : [];
  // What was loaded may refer to more: a message to its long texts, a list to its messages.
  for (let more: readonly string[] = whole; trees.length > 0 || more.length > 0; more = []) {
    const found = { parts: new Set<string>(more), lists: new Set<string>() };
    for (const tree of trees) referencesIn(tree, found);
    for (const hash of found.lists) {
      const list = await listAt(checkpoints, threadId, memory, hash);
      lists.set(hash, list);
      for (const item of list.items) found.parts.add(item);
    }
    const next: Tree[] = [];
    const wanted: string[] = [];
    for (const hash of found.parts) {
      if (memory.messages.has(hash) || parts.has(hash) || loadedTrees.has(hash)) continue;
      const known = whole.length > 0 ? undefined : memory.trees.get(hash);
      if (known === undefined) wanted.push(hash);
      else {
        loadedTrees.set(hash, known);
        next.push(known);
      }
    }
    const loaded: ReadonlyMap<string, StoredPart> =
      wanted.length === 0 ? new Map() : await checkpoints.parts(threadId, wanted);
    for (const [hash, part] of loaded) {
      parts.set(hash, part);
      memory.stored.add(hash);
      if (part.type !== partType) continue; // what LangGraph's serializer wrote refers to nothing
      const tree = treeOf(part);
      loadedTrees.set(hash, tree);
      if (!isMessageTree(tree)) rememberTree(memory, hash, { text: part.value, tree });
      next.push(tree);
    }
    trees = next;
  }
  const shape = body.version === 2 ? await shapeAt(checkpoints, memory, body.shape) : null;
  const reader = readerOf((hash) => loadedTrees.get(hash), memory, lists);
  return { parts, shape, read: (tree) => fromTree(tree, reader) };
}

async function shapeAt(
  checkpoints: Pick<Checkpoints, "shape">,
  memory: ThreadMemory,
  hash: string,
): Promise<Tree> {
  const known = memory.shapes.get(hash);
  if (known !== undefined) return known;
  const part = await checkpoints.shape(hash);
  if (part === undefined) throw new Error(`The shape of the checkpoint is missing: ${hash}.`);
  const shape = treeOf(part);
  memory.shapes.set(hash, shape);
  return shape;
}

/** A list, from the memory or link by link. */
async function listAt(
  checkpoints: Pick<Checkpoints, "chain">,
  threadId: string,
  memory: ThreadMemory,
  hash: string,
): Promise<KnownList> {
  const known = memory.lists.get(hash);
  if (known !== undefined) {
    rememberList(memory, hash, known);
    return known;
  }
  const chain = await checkpoints.chain(threadId, hash);
  if (chain[0]?.before !== "") throw new Error(`A list of the checkpoint is missing: ${hash}.`);
  const items: string[] = [];
  const links: { hash: string; length: number }[] = [];
  for (const link of chain) {
    const added = treeOf(link);
    if (!isList(added)) throw new Error(`A list of the checkpoint cannot be read: ${link.hash}.`);
    items.push(...added.map(String));
    links.push({ hash: link.hash, length: items.length });
    memory.stored.add(link.hash);
  }
  const list = { items, links };
  rememberList(memory, hash, list);
  return list;
}
