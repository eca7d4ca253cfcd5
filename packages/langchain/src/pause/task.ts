import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";

/**
 * The LangGraph task that a hook runs in. Everything that Holdpoint reads from LangGraph's own keys is
 * read here (langgraph 1.7: `pregel/algo.js`, `pregel/loop.js`, `interrupt.js`).
 */
export type Task = {
  readonly id: string;
  readonly threadId: string | undefined;
  /** The namespace of the graph that the task belongs to; "" for the outermost. */
  readonly namespace: string;
  /** The namespace of a graph that runs inside the task. */
  readonly innerNamespace: string;
  readonly saver: BaseCheckpointSaver | undefined;
  /** True when the run began by going on where the thread stood. */
  readonly isResumed: boolean;
  /** What the caller's resume says by interrupt id; empty when it names none. */
  readonly named: ReadonlyMap<string, unknown>;
  /** True when the task is one call of a turn; false where one task runs them all (`version: "v1"`). */
  readonly isOneCall: boolean;
  readonly scratchpad: Scratchpad;
};

/** The part of LangGraph's scratchpad that tells which resume values a task has. */
type Scratchpad = {
  readonly interruptCounter: number;
  readonly resume: unknown[];
  readonly nullResume?: unknown;
  readonly consumeNullResume?: () => unknown;
  readonly currentTaskInput?: unknown;
};

const noScratchpad: Scratchpad = { interruptCounter: -1, resume: [] };

/** Reads the task from the `configurable` of a hook's runtime. */
export function readTask(configurable: Readonly<Record<string, unknown>> | undefined): Task {
  const keys = configurable ?? {};
  const scratchpad = (keys["__pregel_scratchpad"] ?? noScratchpad) as Scratchpad; // LangGraph's own object
  const { thread_id: threadId, checkpoint_ns: place } = keys;
  return {
    id: textOf(keys["__pregel_task_id"]),
    threadId: typeof threadId === "string" ? threadId : undefined,
    namespace: outerOf(textOf(place)),
    innerNamespace: textOf(place),
    saver: keys["__pregel_checkpointer"] as BaseCheckpointSaver | undefined, // LangGraph's own
    isResumed: keys["__pregel_resuming"] === true,
    named: namedIn(keys["__pregel_resume_map"]),
    isOneCall: hasKey(scratchpad.currentTaskInput, "lg_tool_call"),
    scratchpad,
  };
}

/** A resume value that the task has not taken yet. */
export type GivenValue = {
  readonly value: unknown;
  /** False for a value that came without an interrupt's id, which LangGraph gives to every waiting task. */
  readonly isOwn: boolean;
};

/** The value that the task's next `interrupt()` would return, or `undefined` when that would pause. */
export function nextValue({ scratchpad }: Task): GivenValue | undefined {
  const { interruptCounter, resume, nullResume } = scratchpad;
  const index = interruptCounter + 1;
  if (index < resume.length) return { value: resume[index], isOwn: true };
  return nullResume === undefined ? undefined : { value: nullResume, isOwn: false };
}

/** The value that this run brings for an interrupt, of this task or of another one of its step. */
export function anyVoteOn(
  { named, scratchpad }: Task,
  interruptId: string,
): GivenValue | undefined {
  if (named.has(interruptId)) return { value: named.get(interruptId), isOwn: true };
  const { nullResume } = scratchpad;
  return nullResume === undefined ? undefined : { value: nullResume, isOwn: false };
}

/** True when the last value that the task has not taken yet is the one that this resume sent under the id. */
export function isLastUnder({ named, scratchpad }: Task, interruptId: string): boolean {
  const { interruptCounter, resume } = scratchpad;
  const isTaken = resume.length <= interruptCounter + 1;
  return !isTaken && named.has(interruptId) && resume.at(-1) === named.get(interruptId);
}

/** Takes the last value out of the task; LangGraph stores only what was taken, so nothing remembers it. */
export function dropLast({ scratchpad }: Task): void {
  scratchpad.resume.pop();
}

/** The value that came with this run for a task of which so many are stored already. */
export function givenSince({ scratchpad }: Task, stored: number): GivenValue | undefined {
  const { resume, nullResume } = scratchpad;
  if (resume.length > stored) return { value: resume.at(-1), isOwn: true };
  return nullResume === undefined ? undefined : { value: nullResume, isOwn: false };
}

/** Lets the task's next `interrupt()` return another value than the given one, as if the caller had sent it. */
export function giveInstead({ scratchpad }: Task, given: GivenValue, value: unknown): void {
  if (given.isOwn) scratchpad.resume.pop();
  else scratchpad.consumeNullResume?.();
  scratchpad.resume.push(value);
}

const noNames: ReadonlyMap<string, unknown> = new Map();

function namedIn(resumeMap: unknown): ReadonlyMap<string, unknown> {
  if (typeof resumeMap !== "object" || resumeMap === null) return noNames;
  return new Map<string, unknown>(Object.entries(resumeMap));
}

function outerOf(namespace: string): string {
  return namespace.slice(0, Math.max(0, namespace.lastIndexOf("|")));
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function hasKey(value: unknown, key: string): boolean {
  return typeof value === "object" && value !== null && key in value;
}
