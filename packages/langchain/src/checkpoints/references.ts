// What is stored apart, once for each thread, under the hash of its text: messages, long texts, and lists of
// messages. A list is a chain: each link holds the hashes that were added, and the link before it. So saving
// a conversation that grew by two messages writes two messages and one link, and every checkpoint, pending
// write and argument of a task that holds the conversation refers to one hash.
import { createHash } from "node:crypto";
import type { BaseMessage } from "@langchain/core/messages";
import type { StoredPart } from "@holdpoint/engine";
import { copyOf, isMessage, isSameMessage, messageFrom, messageTree } from "./messages.ts";
import { knownOf, rememberMessage } from "./remembered.ts";
import { type KnownList, rememberList, rememberTree, type ThreadMemory } from "./thread-memory.ts";
import { fromTree, isList, type Reader, toTree, type Tree, type Writer } from "./value-codec.ts";

/** Texts of this many characters and more are stored apart, and so are values whose JSON is as long. */
const longText = 1024;
/** Characters of six bits: enough that no two texts of a thread have the same hash, also when somebody tries. */
const hashLength = 28;
/** Shorter lists are written where they stand. */
const longList = 8;

/** The type of parts and writes that are written this way. */
export const partType = "hp";

/** Writes values of one thread; what they refer to gathers in `parts` and `refers`. */
export type Writing = {
  /** The tree of a value; it is a reference when the value is long. */
  readonly tree: (value: unknown) => Tree;
  /** The hash of a shape. */
  readonly shape: (shape: Tree) => string;
  /** The shapes that must be stored with it, for all threads. */
  readonly shapes: ReadonlyMap<string, StoredPart>;
  /** What must be stored with it; what the memory knows to be stored is left out. */
  readonly parts: ReadonlyMap<string, StoredPart>;
  /** All that is referred to and is not among the parts. */
  readonly refers: ReadonlySet<string>;
  /** The parts are on disk. */
  readonly stored: () => void;
};

/** Begins to write. */
export function createWriting(memory: ThreadMemory): Writing {
  const parts = new Map<string, StoredPart>();
  const shapes = new Map<string, StoredPart>();
  const refers = new Set<string>();
  const messages = new Map<string, BaseMessage>();
  const lists = new Map<string, KnownList>();

  const written = new Map<string, string>();
  const refer = (hash: string): string => {
    if (memory.stored.has(hash)) refers.add(hash);
    return hash;
  };
  const keep = (text: string, before?: string): string => {
    const hash = hashOf(text, before);
    written.set(hash, text);
    if (!memory.stored.has(hash) && !parts.has(hash))
      parts.set(hash, {
        hash,
        type: partType,
        value: Buffer.from(text),
        ...(before === undefined ? {} : { before }),
      });
    return hash;
  };
  const keepTree = (text: string, whole: Tree): string => {
    const hash = keep(text);
    rememberTree(memory, hash, { text, tree: whole });
    return hash;
  };
  const hashes = new Map<BaseMessage, string>();
  /** A message is looked at once: nothing changes it while this writes. */
  const hashOfMessage = (message: BaseMessage): string => {
    const seen = hashes.get(message);
    if (seen !== undefined) return seen;
    const hash = newHashOf(message);
    hashes.set(message, hash);
    return hash;
  };
  const newHashOf = (message: BaseMessage): string => {
    const last = knownOf(message);
    const isAsItWas = last !== undefined && isSameMessage(message, last.was);
    if (isAsItWas && memory.stored.has(last.hash)) return last.hash;
    const tree = messageTree(message, within, reader);
    const hash = keep(JSON.stringify(tree));
    const was = isAsItWas ? last.was : messageFrom(tree, reader);
    rememberMessage(message, { hash, was });
    messages.set(hash, was);
    return hash;
  };
  const reader = readerOf((hash) => parsed(written.get(hash)), memory, lists);
  const within: Writer = {
    write: (value): Tree | undefined => {
      if (typeof value === "string")
        return value.length < longText
          ? undefined
          : { lc: 3, part: refer(keepTree(JSON.stringify(value), value)) };
      if (isMessage(value)) return { lc: 3, part: refer(hashOfMessage(value)) };
      if (!Array.isArray(value) || value.length < longList || !value.every(isMessage))
        return undefined;
      return { lc: 3, list: hashOfList(value.map(hashOfMessage)) };
    },
  };
  /** A list refers to what is new in it, and its links to what was there before. */
  const hashOfList = (items: readonly string[]): string => {
    const known = [...lists.values(), ...memory.lists.values()].toReversed();
    const { links, length } = longestStart(items, known);
    const before = links.at(-1);
    if (before !== undefined) refer(before.hash);
    if (before !== undefined && length === items.length) return before.hash;
    const added = items.slice(length);
    for (const item of added) refer(item);
    const hash = keep(JSON.stringify(added), before?.hash ?? "");
    lists.set(hash, { items, links: [...links, { hash, length: items.length }] });
    return refer(hash);
  };
  /** A long list is a list of parts, anything else that is long is one. */
  const tree = (value: unknown): Tree => {
    const whole = toTree(value, within);
    if (typeof whole !== "object" || whole === null) return whole;
    const text = JSON.stringify(whole);
    if (text.length < longText) return whole;
    return isList(whole) && whole.length >= longList
      ? { lc: 3, list: hashOfList(whole.map((one) => keepTree(JSON.stringify(one), one))) }
      : { lc: 3, part: refer(keepTree(text, whole)) };
  };
  return {
    tree,
    shape: (value) => {
      const text = JSON.stringify(value);
      const hash = hashOf(text, undefined);
      if (!memory.shapes.has(hash))
        shapes.set(hash, { hash, type: partType, value: Buffer.from(text) });
      return hash;
    },
    shapes,
    parts,
    refers,
    stored: () => {
      for (const [hash, { value }] of shapes)
        memory.shapes.set(hash, JSON.parse(Buffer.from(value).toString()) as Tree); // written above
      for (const hash of parts.keys()) memory.stored.add(hash);
      for (const [hash, message] of messages) memory.messages.set(hash, message);
      for (const [hash, list] of lists) rememberList(memory, hash, list);
    },
  };
}

/** The known list that begins as these items do, up to the last link that lies within what is the same. */
function longestStart(
  items: readonly string[],
  lists: readonly KnownList[],
): { readonly links: KnownList["links"]; readonly length: number } {
  let best: { readonly links: KnownList["links"]; readonly length: number } = {
    links: [],
    length: 0,
  };
  for (const list of lists) {
    let same = 0;
    while (same < items.length && list.items[same] === items[same]) same += 1;
    const links = list.links.filter(({ length }) => length <= same);
    const length = links.at(-1)?.length ?? 0;
    if (length > best.length) best = { links, length };
    if (best.length === items.length) break;
  }
  return best;
}

/** Reads values of one thread; `partAt` gives what is stored apart. */
export function readerOf(
  partAt: (hash: string) => Tree | undefined,
  memory: ThreadMemory,
  lists: ReadonlyMap<string, KnownList>,
): Reader {
  const reader: Reader = {
    read: (tree) => {
      if (typeof tree["message"] === "string") return { value: messageFrom(tree, reader) };
      if (typeof tree["part"] === "string") return { value: valueAt(tree["part"]) };
      if (typeof tree["list"] !== "string") return undefined;
      const list = lists.get(tree["list"]) ?? memory.lists.get(tree["list"]);
      if (list === undefined) throw missing(tree["list"]);
      return { value: list.items.map(valueAt) };
    },
  };
  const valueAt = (hash: string): unknown => {
    const was = memory.messages.get(hash);
    if (was !== undefined) return handOut(hash, was);
    const tree = partAt(hash);
    if (tree === undefined) throw missing(hash);
    const value = fromTree(tree, reader);
    if (!isMessage(value)) return value;
    memory.messages.set(hash, value);
    return handOut(hash, value);
  };
  return reader;
}

function handOut(hash: string, was: BaseMessage): BaseMessage {
  const copy = copyOf(was);
  rememberMessage(copy, { hash, was });
  return copy;
}

function parsed(text: string | undefined): Tree | undefined {
  return text === undefined ? undefined : (JSON.parse(text) as Tree); // written just now
}

/** What a tree refers to. */
export function referencesIn(tree: Tree, found: { parts: Set<string>; lists: Set<string> }): void {
  if (typeof tree !== "object" || tree === null) return;
  const { lc, part, list } = tree as { lc?: Tree; part?: Tree; list?: Tree };
  if (lc === 3 && typeof part === "string") found.parts.add(part);
  else if (lc === 3 && typeof list === "string") found.lists.add(list);
  else for (const one of Object.values(tree)) referencesIn(one, found);
}

function hashOf(text: string, before: string | undefined): string {
  const hash = createHash("sha256").update(text);
  // A link is told from everything else, whatever its text.
  return (before === undefined ? hash : hash.update(`\0${before}`))
    .digest("base64url")
    .slice(0, hashLength);
}

function missing(hash: string): Error {
  return new Error(`A part of the checkpoint is missing from the database: ${hash}.`);
}
