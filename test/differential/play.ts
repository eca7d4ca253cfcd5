import type { RunnableConfig } from "@langchain/core/runnables";
import {
  type BaseCheckpointSaver,
  type Checkpoint,
  Command,
  emptyCheckpoint,
  type StateSnapshot,
} from "@langchain/langgraph";
import { pick } from "../reliability/seeded.ts";
import { editInPlace } from "./edit-in-place.ts";
import type { PlayedGraph } from "./graph.ts";
import type { Ground } from "./grounds.ts";
import type { Operation } from "./program.ts";
import { below, draws, type Random } from "./values.ts";
import { createWriter } from "./written-down.ts";

/** What can be played: a graph, what is said to it, and the names of its nodes. */
export type Played = {
  readonly graph: PlayedGraph;
  readonly durability: string;
  readonly nodes: readonly string[];
  /** False where nothing may run beside another node. */
  readonly canGo: boolean;
  readonly input: (random: Random) => Record<string, unknown>;
  /** An answer to what an interrupt asks. */
  readonly resume: (random: Random, asked: unknown) => unknown;
};

/** What was seen after an operation, as text: its outcome, the state, the whole history and what is stored. */
export type Sight = Readonly<Record<"outcome" | "state" | "history" | "stored", string>>;

/** Plays operations one after the other. */
export async function play(
  played: Played,
  operations: readonly Operation[],
  { ground, threadPrefix }: { readonly ground: Ground; readonly threadPrefix: string },
): Promise<readonly Sight[]> {
  const text = createWriter(threadPrefix);
  const sights: Sight[] = [];
  let last: unknown;
  for (const operation of operations) {
    const random = draws(operation.draw, 0);
    if (operation.editsResult) editInPlace(random, last);
    const saver = ground.saver(operation.saver);
    played.graph.checkpointer = saver;
    const config = { configurable: { thread_id: `${threadPrefix}${operation.thread}` } };
    const outcome = await attempt(() => perform(operation, { played, config, random, saver }));
    const state = await attempt(() => played.graph.getState(config, { subgraphs: true }));
    const isLast = sights.length === operations.length - 1;
    const history =
      isLast || operation.readsHistory
        ? await attempt(() => historyOf(played.graph, config))
        : undefined;
    const stored = isLast ? await storedIn(saver, threadPrefix) : undefined;
    sights.push({
      outcome: text(outcome),
      state: text(state),
      history: text(history),
      stored: text(stored),
    });
    last = isSnapshot(state) && random() < 0.5 ? state.values : outcome;
  }
  return sights;
}

type Stage = {
  readonly played: Played;
  readonly config: { readonly configurable: Record<string, unknown> };
  readonly random: Random;
  readonly saver: BaseCheckpointSaver;
};

async function perform(operation: Operation, stage: Stage): Promise<unknown> {
  const { played, config, random, saver } = stage;
  const { graph, durability, nodes } = played;
  const run = (input: unknown, at: object = config) =>
    graph.invoke(input, { ...at, durability, recursionLimit: 30, ...breakpoints(random, nodes) });
  switch (operation.do) {
    case "say":
      return run(played.input(random));
    case "resume":
      return run(new Command({ resume: await answers(stage) }));
    case "continue":
      return run(null);
    case "command":
      return run(
        new Command({
          update: played.input(random),
          ...(played.canGo ? { goto: pick(random, nodes) } : {}),
        }),
      );
    case "update": {
      const { config: at } = await somewhere(stage);
      const as = random() < 0.6 ? [pick(random, nodes)] : [];
      await graph.updateState(random() < 0.5 ? at : config, played.input(random), ...as);
      return "updated";
    }
    case "travel": {
      const { config: at } = await somewhere(stage);
      return run(random() < 0.6 ? null : played.input(random), at);
    }
    case "delete":
      await saver.deleteThread(String(config.configurable["thread_id"]));
      return "deleted";
    default:
      return operation.do satisfies never;
  }
}

function breakpoints(random: Random, nodes: readonly string[]): object {
  if (random() < 0.85) return {};
  return random() < 0.5
    ? { interruptBefore: [pick(random, nodes)] }
    : { interruptAfter: [pick(random, nodes)] };
}

/** Answers by id, to all that waits or to some of it, or one answer to whatever waits. */
async function answers({ played, config, random }: Stage): Promise<unknown> {
  const state = await played.graph.getState(config, { subgraphs: true });
  const waiting = state.tasks.flatMap(({ interrupts }) => interrupts);
  if (random() < 0.3 || waiting.length === 0) return played.resume(random, waiting[0]?.value);
  const some = random() < 0.3 ? waiting.slice(0, 1) : waiting;
  return Object.fromEntries(some.map(({ id, value }) => [id, played.resume(random, value)]));
}

/** One of the checkpoints of the thread. */
async function somewhere({ played, config, random }: Stage): Promise<{ config: RunnableConfig }> {
  const history = await historyOf(played.graph, config);
  return history[below(random, history.length)] ?? { config };
}

async function historyOf(graph: PlayedGraph, config: RunnableConfig): Promise<StateSnapshot[]> {
  const history: StateSnapshot[] = [];
  for await (const snapshot of graph.getStateHistory(config)) history.push(plain(snapshot));
  return history;
}

/** MemorySaver's list leaves parents out; they are compared where it gives them, in what is stored. */
function plain({ parentConfig: _, ...snapshot }: StateSnapshot): StateSnapshot {
  return snapshot;
}

/** Every checkpoint of the threads in every namespace, one by one. */
async function storedIn(saver: BaseCheckpointSaver, threadPrefix: string): Promise<unknown> {
  const found: RunnableConfig[] = [];
  for (const thread of ["one", "two"])
    for await (const { config } of saver.list({
      configurable: { thread_id: `${threadPrefix}${thread}` },
    }))
      found.push(config);
  const id = ({ configurable }: RunnableConfig) => String(configurable?.["checkpoint_id"]);
  const newestFirst = found.toSorted((one, other) => (id(one) < id(other) ? 1 : -1));
  const tuples = newestFirst.map(async (at) => {
    const tuple = await saver.getTuple(at);
    const pendingWrites = tuple?.pendingWrites?.map(withoutTask).toSorted(answersFirst);
    return { ...tuple, config: at, checkpoint: versioned(tuple?.checkpoint), pendingWrites };
  });
  return Promise.all(tuples);
}

type PendingAnswer = readonly [task: string, channel: string, value: unknown];

const answered = "__resume__";

/** Answers are stored under no path, so their order is that of the ids of their tasks, which are made anew. */
function withoutTask([task, channel, value]: PendingAnswer): PendingAnswer {
  return [channel === answered ? "" : task, channel, value];
}

function answersFirst([, one, value]: PendingAnswer, [, other, otherValue]: PendingAnswer): number {
  if (one !== answered || other !== answered)
    return Number(other === answered) - Number(one === answered);
  const [text, otherText] = [value, otherValue].map((answer) => JSON.stringify(answer));
  return String(text) < String(otherText) ? -1 : 1;
}

/** A channel that was never written has no version; MemorySaver stores its first value all the same. */
function versioned(checkpoint: Checkpoint | undefined): object {
  const {
    v,
    id,
    channel_values: values,
    channel_versions: versions,
  } = checkpoint ?? emptyCheckpoint();
  const names = Object.keys(values).filter((name) => Object.hasOwn(versions, name));
  const channels = Object.fromEntries(names.toSorted().map((name) => [name, values[name]]));
  return { v, id, channels, versions, seen: checkpoint?.versions_seen };
}

async function attempt(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    return { failed: error };
  }
}

function isSnapshot(state: unknown): state is StateSnapshot {
  return typeof state === "object" && state !== null && "values" in state;
}
