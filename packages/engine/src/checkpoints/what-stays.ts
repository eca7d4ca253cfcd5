import type { CheckpointKey, WrittenChannel } from "../storage/storage.ts";

/** What pruning has to know of a checkpoint; whoever knows the format reads it from the body. */
export type CheckpointFacts = {
  /** When it was saved, as ISO-8601; unknown counts as young. */
  readonly at?: string;
  /** Channels that had a value and are not stored with it. */
  readonly lacks: readonly string[];
  readonly holds: readonly string[];
  /** Channels whose values are rebuilt from the checkpoints before it. */
  readonly rebuilt: readonly string[];
};

/** A checkpoint's place among the others, and its facts. */
export type PlacedFacts = CheckpointKey & CheckpointFacts & { readonly parentId?: string };

/** How much history stays besides what can still be resumed. */
export type KeepHistory = {
  /** So many of the newest checkpoints of each namespace. */
  readonly last?: number;
  /** What was saved then or later. */
  readonly since?: string;
};

/**
 * The checkpoints of a thread that stay: the newest of each namespace, the end of each branch, what waits for
 * an answer, as much history as is wanted, and whatever the values of these are rebuilt from.
 */
export function whatStays(
  found: readonly PlacedFacts[],
  keep: KeepHistory,
  waiting: ReadonlySet<string>,
): ReadonlySet<string> {
  const stays = new Set<string>();
  const parents = new Set(found.map((one) => placeOf({ ...one, id: one.parentId ?? "" })));
  for (const one of newestOfEach(found, keep.last ?? 1)) stays.add(placeOf(one));
  for (const one of found) {
    const place = placeOf(one);
    const isYoung = keep.since !== undefined && (one.at === undefined || one.at >= keep.since);
    if (isYoung || waiting.has(place) || !parents.has(place)) stays.add(place);
  }
  return withSources(found, stays);
}

/** Names a checkpoint within its thread. */
export function placeOf({ namespace, id }: Pick<CheckpointKey, "namespace" | "id">): string {
  return JSON.stringify([namespace, id]);
}

/** Places of the checkpoints with a task that waits, by the channels that their tasks have written to. */
export function waitingPlaces(
  written: readonly WrittenChannel[],
  isWaiting: (channels: readonly string[]) => boolean,
): ReadonlySet<string> {
  const tasks = new Map<string, { readonly place: string; readonly channels: string[] }>();
  for (const { namespace, id, taskId, channel } of written) {
    const place = placeOf({ namespace, id });
    const task = tasks.get(`${place}${taskId}`) ?? { place, channels: [] };
    task.channels.push(channel);
    tasks.set(`${place}${taskId}`, task);
  }
  const waiting = [...tasks.values()].filter(({ channels }) => isWaiting(channels));
  return new Set(waiting.map(({ place }) => place));
}

function newestOfEach(found: readonly PlacedFacts[], last: number): readonly PlacedFacts[] {
  const namespaces = Map.groupBy(found, ({ namespace }) => namespace);
  return [...namespaces.values()].flatMap((ones) =>
    ones.toSorted((a, b) => (a.id < b.id ? 1 : -1)).slice(0, Math.max(1, last)),
  );
}

/** A value that is rebuilt needs every checkpoint back to the one that holds it, or to the first. */
function withSources(
  found: readonly PlacedFacts[],
  stays: ReadonlySet<string>,
): ReadonlySet<string> {
  const byPlace = new Map(found.map((one) => [placeOf(one), one]));
  const rebuilt = new Set(found.flatMap((one) => one.rebuilt));
  const all = new Set(stays);
  for (const place of stays) {
    let one = byPlace.get(place);
    const wanted = new Set(one?.lacks.filter((channel) => rebuilt.has(channel)));
    while (wanted.size > 0 && one?.parentId !== undefined) {
      one = byPlace.get(placeOf({ ...one, id: one.parentId }));
      if (one === undefined) break;
      all.add(placeOf(one));
      for (const channel of one.holds) wanted.delete(channel);
    }
  }
  return all;
}
