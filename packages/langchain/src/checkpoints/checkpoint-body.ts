import type { Checkpoint, SerializerProtocol } from "@langchain/langgraph-checkpoint";
import type { StoredPart, StoredWrite } from "@holdpoint/engine";
import { z } from "zod";
import { partType, type Writing } from "./references.ts";
import { fold, unfold } from "./shape.ts";
import { refusalOf, Unstorable } from "./unstorable.ts";
import { type Tree } from "./value-codec.ts";

/**
 * A stored checkpoint holds its channels as trees that refer to what is stored apart. Its keys are the same in
 * most checkpoints of a graph, so they are stored once for all threads, as its shape.
 * v2: { version, shape: hash, values, channels: [tree] }; the shape is [the keys of `values`, the channels' names]
 * v1, of before: { version, checkpoint, channels: { name: { list, parts } } }; each part was written by
 * LangGraph's serializer, a list channel had a part for each element.
 */
const bodySchema = z.lazy(() =>
  z.discriminatedUnion("version", [
    z.object({
      version: z.literal(2),
      shape: z.string(),
      values: z.array(z.json()),
      channels: z.array(z.json()),
    }),
    z.object({
      version: z.literal(1),
      checkpoint: z.record(z.string(), z.unknown()),
      channels: z.record(z.string(), z.object({ list: z.boolean(), parts: z.array(z.string()) })),
    }),
  ]),
);

/** What a checkpoint refers to, once it is loaded. */
export type Loaded = {
  readonly parts: ReadonlyMap<string, StoredPart>;
  readonly shape: Tree;
  readonly read: (tree: Tree) => unknown;
};

/** A body as it was read. */
export type Body = z.infer<typeof bodySchema>;

/** The body of a checkpoint; what it refers to gathers in `writing`. Of its channels those count that `has` names. */
export function writeBody(
  checkpoint: Checkpoint,
  writing: Writing,
  has: (channel: string) => boolean,
): string {
  const { channel_values: all, ...rest } = checkpoint;
  const names = Object.keys(all).filter(has);
  const channels = names.map((name) => naming(name, () => writing.tree(all[name])));
  // LangGraph's own fields are JSON.
  const { shape, values } = fold(JSON.parse(JSON.stringify(rest)) as Tree);
  return JSON.stringify({ version: 2, shape: writing.shape([shape, names]), values, channels });
}

/** The text of a pending write's value. */
export function writeValue(channel: string, value: unknown, writing: Writing): string {
  return JSON.stringify(naming(channel, () => writing.tree(value)));
}

/** Whatever cannot be stored is refused with the name of its channel. */
function naming<Result>(channel: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof Unstorable ? refusalOf(channel, error) : error;
  }
}

/** Reads a body. */
export function readBody(body: string): Body {
  return bodySchema.parse(JSON.parse(body));
}

/** Puts a checkpoint together again; a missing part is an error, never an empty value. */
export async function joinCheckpoint(
  body: Body,
  { parts, shape, read }: Loaded,
  serde: SerializerProtocol,
): Promise<Checkpoint> {
  if (body.version === 2) {
    const { rest, names } = unfoldBody(body, shape);
    const values = names.map((name, index) => [name, read(body.channels[index] as Tree)] as const);
    return { ...rest, channel_values: Object.fromEntries(values) } as Checkpoint;
  }
  const values: Record<string, unknown> = {};
  for (const [name, channel] of Object.entries(body.channels)) {
    const items = await Promise.all(
      channel.parts.map((hash) => loadStock(parts.get(hash), hash, serde)),
    );
    values[name] = channel.list ? items : items[0];
  }
  return { ...body.checkpoint, channel_values: values } as Checkpoint; // written by what was here before
}

function unfoldBody(
  body: Extract<Body, { version: 2 }>,
  shape: Tree,
): { readonly rest: object; readonly names: readonly string[] } {
  const [keys, names] = shape as readonly [Tree, readonly string[]]; // written by `writeBody`
  return { rest: unfold({ shape: keys, values: body.values as readonly Tree[] }) as object, names };
}

/** A checkpoint without its values, and the channels that have one. */
export function withoutValues(
  body: Body,
  shape: StoredPart | undefined,
): { readonly checkpoint: object; readonly holds: readonly string[] } {
  if (body.version === 1) return { checkpoint: body.checkpoint, holds: Object.keys(body.channels) };
  if (shape === undefined) throw new Error(`The shape of a checkpoint is missing: ${body.shape}.`);
  const { rest, names } = unfoldBody(body, treeOf(shape));
  return { checkpoint: rest, holds: names };
}

/** The value of a pending write. */
export async function readWrite(
  write: StoredWrite,
  read: (tree: Tree) => unknown,
  serde: SerializerProtocol,
): Promise<unknown> {
  if (write.type === partType) return read(treeOf(write));
  return serde.loadsTyped(write.type, write.value);
}

/** The tree of a write or part that this package wrote. */
export function treeOf({ value }: { readonly value: Uint8Array }): Tree {
  return JSON.parse(
    Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString(),
  ) as Tree;
}

async function loadStock(
  part: StoredPart | undefined,
  hash: string,
  serde: SerializerProtocol,
): Promise<unknown> {
  if (part === undefined)
    throw new Error(`A part of the checkpoint is missing from the database: ${hash}.`);
  return serde.loadsTyped(part.type, part.value);
}
