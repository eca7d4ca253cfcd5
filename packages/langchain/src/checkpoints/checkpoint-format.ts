import { ERROR, INTERRUPT, RESUME, SCHEDULED } from "@langchain/langgraph-checkpoint";
import type { CheckpointFormat, StoredPart } from "@holdpoint/engine";
import { z } from "zod";
import { readBody, treeOf, withoutValues } from "./checkpoint-body.ts";
import { partType, referencesIn } from "./references.ts";
import { isList, type Tree } from "./value-codec.ts";

const checkpointSchema = z.lazy(() =>
  z.object({ ts: z.string(), channel_versions: z.record(z.string(), z.unknown()) }).partial(),
);
const metadataSchema = z.lazy(() =>
  z.object({ counters_since_delta_snapshot: z.record(z.string(), z.unknown()).optional() }),
);

/** What a task that has not ended leaves besides its question. */
const unfinishedChannels = new Set([INTERRUPT, RESUME, ERROR, SCHEDULED]);

/** True when a task asked, and has no result yet. */
export function isWaiting(channels: readonly string[]): boolean {
  return channels.includes(INTERRUPT) && channels.every((name) => unfinishedChannels.has(name));
}

/** Reads what the checkpointer stored, for whoever has to know what it refers to. */
export const checkpointFormat: CheckpointFormat = {
  isWaiting,
  shapeOf: ({ body }) => {
    const read = readBody(body);
    return read.version === 2 ? read.shape : undefined;
  },
  factsOf: ({ body, metadata }, shape) => {
    const { checkpoint, holds } = withoutValues(readBody(body), shape);
    const { ts, channel_versions: versions = {} } = checkpointSchema.parse(checkpoint);
    const { counters_since_delta_snapshot: counters = {} } = metadataSchema.parse(
      JSON.parse(metadata),
    );
    return {
      ...(ts === undefined ? {} : { at: ts }),
      holds,
      lacks: Object.keys(versions).filter((name) => !holds.includes(name)),
      rebuilt: Object.keys(counters),
    };
  },
  referencesOfBody: (text) => {
    const body = readBody(text);
    return body.version === 1
      ? Object.values(body.channels).flatMap(({ parts }) => parts)
      : referencesOf(body.channels as readonly Tree[]); // written by `writeBody`
  },
  // What LangGraph's serializer wrote refers to nothing; a link of a list holds the hashes of its items.
  referencesOfValue: (value) => {
    if (value.type !== partType) return [];
    const tree = treeOf(value);
    return isLink(value) && isList(tree) ? tree.map(String) : referencesOf(tree);
  },
};

function isLink({ before }: Pick<StoredPart, "before">): boolean {
  return before !== undefined;
}

function referencesOf(tree: Tree): readonly string[] {
  const found = { parts: new Set<string>(), lists: new Set<string>() };
  referencesIn(tree, found);
  return [...found.parts, ...found.lists];
}
