import type { CheckpointTuple } from "@langchain/langgraph-checkpoint";
import type { CheckpointKey, Engine } from "@holdpoint/engine";
import { isPartsMissing } from "../checkpoints/parts-missing.ts";
import { createMemories } from "../checkpoints/thread-memory.ts";
import { type ImportSource, keyOf } from "./import-source.ts";
import { pendingInterruptsOf, type WrittenTuple, writtenTuple } from "./written-tuple.ts";

// A thread is moved in two passes, each of which holds one checkpoint at a time:
//
//   look: can every checkpoint be stored here? what is here already? what does the newest one wait for?
//   move: oldest first; a checkpoint commits with its pending writes and the reviews of what still waits
//
// So nothing is moved of a thread that cannot be moved whole, and a checkpoint that is here is here with all
// that belongs to it: another import takes up where this one was stopped.

/** What was moved of one thread, and how many of its checkpoints were here before. */
export type ThreadImport = {
  readonly checkpoints: number;
  readonly writes: number;
  readonly reviews: number;
  readonly known: number;
};

/** Where threads go, and who runs them there, if a server does. */
export type ImportTarget = { readonly engine: Engine; readonly agent: string | undefined };

type Result =
  | { readonly type: "moved"; readonly moved: ThreadImport }
  | { readonly type: "left"; readonly because: string };

/** `new`: not here; `more`: here, and its tasks have written more since; `same`: nothing to do. */
type Seen = CheckpointKey & { readonly state: "new" | "more" | "same" };

type Look = {
  readonly seen: readonly Seen[];
  /** Ids of the interrupts that the thread still waits for. */
  readonly pending: ReadonlySet<string>;
};

/** Moves what is not here yet of one thread. */
export async function importThread(
  source: ImportSource,
  { engine, agent }: ImportTarget,
  threadId: string,
): Promise<Result> {
  const look = await lookAt(source, engine, threadId);
  if ("because" in look)
    return { type: "left", because: `Thread ${threadId} stays where it is: ${look.because}` };
  const known = look.seen.filter(({ state }) => state !== "new").length;
  const newest = (await engine.checkpoints.load(threadId, "", undefined))?.checkpoint.id;
  if (newest === undefined || look.seen.some(({ id }) => id === newest)) {
    if (agent !== undefined && look.seen.length > 0) await hostThread(engine, threadId, agent);
    return { type: "moved", moved: { ...(await move(source, engine, threadId, look)), known } };
  }
  // Here it has gone on by itself, and what is here counts.
  if (known === look.seen.length)
    return { type: "moved", moved: { checkpoints: 0, writes: 0, reviews: 0, known } };
  const because = `here it has gone on with checkpoint ${newest}, which the source does not have, and the source has what is not here.`;
  return { type: "left", because: `Thread ${threadId} stays where it is: ${because}` };
}

/** Before its reviews are there: a decision on one of them starts a run only where the thread has an agent. */
function hostThread(engine: Engine, id: string, agent: string): Promise<void> {
  return engine.storage.write(async (writing) => {
    if ((await writing.findThread(id)) !== undefined) return;
    await writing.insertThread({ id, agent, createdAt: writing.now, lastSeq: 0 });
  });
}

async function lookAt(
  source: ImportSource,
  engine: Engine,
  threadId: string,
): Promise<Look | { readonly because: string }> {
  const seen: Seen[] = [];
  const newest = new Map<string, { readonly id: string; readonly ids: readonly string[] }>();
  for await (const tuple of source.tuples(threadId)) {
    const key = { ...keyOf(tuple.config), threadId };
    const state = await stateOf(engine, key, tuple);
    const problem = state === "same" ? undefined : problemWith(tuple, key);
    if (problem !== undefined)
      return { because: `its checkpoint ${key.id} cannot be moved. ${problem}` };
    seen.push({ ...key, state });
    const last = newest.get(key.namespace);
    if (last === undefined || last.id < key.id)
      newest.set(key.namespace, { id: key.id, ids: pendingInterruptsOf(tuple) });
  }
  // What a subgraph waits for, the graph around it waits for as well.
  const root = newest.get("");
  const waiting = root === undefined ? [...newest.values()] : [root];
  return { seen, pending: new Set(waiting.flatMap(({ ids }) => ids)) };
}

async function stateOf(
  engine: Engine,
  key: CheckpointKey,
  tuple: CheckpointTuple,
): Promise<Seen["state"]> {
  if (!(await engine.checkpoints.has(key))) return "new";
  const placeOf = (taskId: string, channel: string): string => JSON.stringify([taskId, channel]);
  const writes = await engine.checkpoints.writesOf(key);
  const here = new Set(writes.map(({ taskId, channel }) => placeOf(taskId, channel)));
  const isSame = (tuple.pendingWrites ?? []).every(([taskId, channel]) =>
    here.has(placeOf(taskId, channel)),
  );
  return isSame ? "same" : "more";
}

/** It is written once for nothing, to know that it can be. */
function problemWith(tuple: CheckpointTuple, key: CheckpointKey): string | undefined {
  try {
    writtenTuple(createMemories().of(key.threadId), tuple, key);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function move(
  source: ImportSource,
  engine: Engine,
  threadId: string,
  { seen, pending }: Look,
): Promise<Omit<ThreadImport, "known">> {
  const memories = createMemories();
  const opened = new Set<string>();
  const count = { checkpoints: 0, writes: 0 };
  const oldestFirst = seen.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  for (const one of oldestFirst) {
    if (one.state === "same") continue;
    const tuple = await source.tuple(one);
    if (tuple === undefined) continue; // it was deleted meanwhile
    const key = { threadId, namespace: one.namespace, id: one.id };
    const store = async (): Promise<void> => {
      const memory = memories.of(threadId);
      const written = waitingOnly(writtenTuple(memory, tuple, key), pending);
      await storeTuple(engine, one.state, written);
      written.stored();
      memory.messages.clear(); // the next checkpoint brings its own
      if (one.state === "new") count.checkpoints += 1;
      for (const { writes, reviews } of written.tasks) {
        count.writes += writes.length;
        for (const { interruptId } of reviews) opened.add(interruptId);
      }
    };
    try {
      await store();
    } catch (error) {
      if (!isPartsMissing(error)) throw error;
      memories.forget(threadId);
      await store();
    }
  }
  for (const { id, interruptId } of await engine.openReviewsOf(threadId))
    if (!pending.has(interruptId))
      await engine.closeReview(id, "The thread went on where it was imported from.");
  return { ...count, reviews: opened.size };
}

/** An old pause is history: only what the thread still waits for is asked here. */
function waitingOnly(written: WrittenTuple, pending: ReadonlySet<string>): WrittenTuple {
  const tasks = written.tasks.map((task) => ({
    ...task,
    reviews: task.reviews.filter(({ interruptId }) => pending.has(interruptId)),
  }));
  return { ...written, tasks };
}

async function storeTuple(
  engine: Engine,
  state: Seen["state"],
  { checkpoint, apart, tasks }: WrittenTuple,
): Promise<void> {
  const key = checkpoint;
  await engine.checkpoints.save([
    state === "new" ? { key, checkpoint, apart, tasks } : { key, apart: {}, tasks },
  ]);
}
