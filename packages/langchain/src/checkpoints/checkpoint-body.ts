import { createHash } from "node:crypto";
import type { Checkpoint, SerializerProtocol } from "@langchain/langgraph-checkpoint";
import type { StoredPart } from "@holdpoint/engine";
import { z } from "zod";

/**
 * A stored checkpoint refers to its channel values by hash. A list channel (messages) refers to each
 * element, so that a message is stored once however often the list is saved.
 * v1: { version, checkpoint, channels: { name: { list, parts } } }
 */
const bodySchema = z.lazy(() =>
  z.object({
    version: z.literal(1),
    checkpoint: z.record(z.string(), z.unknown()),
    channels: z.record(z.string(), z.object({ list: z.boolean(), parts: z.array(z.string()) })),
  }),
);

/** Splits a checkpoint into its body and the parts it refers to. */
export async function splitCheckpoint(
  checkpoint: Checkpoint,
  serde: SerializerProtocol,
): Promise<{ readonly body: string; readonly parts: readonly StoredPart[] }> {
  const { channel_values: values, ...rest } = checkpoint;
  const parts = new Map<string, StoredPart>();
  const channels: z.infer<typeof bodySchema>["channels"] = {};
  for (const [name, value] of Object.entries(values)) {
    const list = Array.isArray(value);
    const items: readonly unknown[] = list ? value : [value];
    const stored = await Promise.all(items.map((item) => toPart(item, serde)));
    for (const part of stored) parts.set(part.hash, part);
    channels[name] = { list, parts: stored.map((part) => part.hash) };
  }
  return {
    body: JSON.stringify({ version: 1, checkpoint: rest, channels }),
    parts: [...parts.values()],
  };
}

/** The hashes that a body refers to. */
export function hashesIn(body: string): readonly string[] {
  return Object.values(readBody(body).channels).flatMap((channel) => channel.parts);
}

/** Puts a checkpoint together again; a missing part is an error, never an empty value. */
export async function joinCheckpoint(
  body: string,
  parts: ReadonlyMap<string, StoredPart>,
  serde: SerializerProtocol,
): Promise<Checkpoint> {
  const { checkpoint, channels } = readBody(body);
  const values: Record<string, unknown> = {};
  for (const [name, channel] of Object.entries(channels)) {
    const items = await Promise.all(channel.parts.map((hash) => fromPart(hash, parts, serde)));
    values[name] = channel.list ? items : items[0];
  }
  return { ...checkpoint, channel_values: values } as Checkpoint; // written by `splitCheckpoint`
}

function readBody(body: string): z.infer<typeof bodySchema> {
  return bodySchema.parse(JSON.parse(body));
}

async function toPart(value: unknown, serde: SerializerProtocol): Promise<StoredPart> {
  const [type, bytes] = await serde.dumpsTyped(value);
  return {
    hash: createHash("sha256").update(type).update("\0").update(bytes).digest("base64url"),
    type,
    value: bytes,
  };
}

async function fromPart(
  hash: string,
  parts: ReadonlyMap<string, StoredPart>,
  serde: SerializerProtocol,
): Promise<unknown> {
  const part = parts.get(hash);
  if (part === undefined)
    throw new Error(`A part of the checkpoint is missing from the database: ${hash}.`);
  return serde.loadsTyped(part.type, part.value);
}
