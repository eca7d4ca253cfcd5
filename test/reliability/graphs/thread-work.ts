import type { BaseMessage } from "@langchain/core/messages";
import type { Engine } from "@holdpoint/engine";
import type { HeldAgent } from "@holdpoint/langchain";
import { graphOf } from "../../../packages/langchain/src/run/hosted-agent.ts";
import { pendingInterrupts } from "../../../packages/langchain/src/run/thread-state.ts";
import type { ThreadEntry } from "./thread-journal.ts";
import type { Mode, ThreadPlan } from "./thread-plan.ts";

/** Tells the harness something of a thread. */
export type Say = (unit: number, entry: ThreadEntry) => void;

/** What a worker works with. */
export type Work = {
  readonly seed: number;
  readonly engine: Engine;
  readonly agents: Readonly<Record<Mode, HeldAgent>>;
  readonly say: Say;
  /** The runs that are worked on. */
  readonly underWay: Set<Promise<void>>;
};

/** Where a thread stands, as anybody may ask between its runs. */
export type ThreadStand = {
  /** The message it is given next, when nothing is left to do before. */
  readonly nextMessage: string | undefined;
  /** The message that is given while a call waits. */
  readonly cutBy: string | undefined;
  /** A step was begun and is not over. */
  readonly isUnfinished: boolean;
  /** Ids of the interrupts that wait. */
  readonly pending: readonly string[];
  /** How many messages it holds. */
  readonly length: number;
  readonly isOver: boolean;
};

/** Reads where a thread stands. */
export async function stateOf({ agents, engine }: Work, plan: ThreadPlan): Promise<ThreadStand> {
  const active = await engine.runs.active(plan.threadId); // first: what begins a run comes after this
  const snapshot = await graphOf(agents[plan.mode]).getState(configOf(plan));
  const messages = (snapshot.values as { messages?: BaseMessage[] }).messages ?? []; // the agent's own state
  const given = new Set(messages.map(({ id }) => id));
  const following = plan.turns.findIndex(({ messageId }) => !given.has(messageId));
  const next = plan.turns[following]?.messageId;
  const isUnfinished = snapshot.tasks.length > 0; // `next` is empty when all have written and the step is not saved
  const isIdle = !isUnfinished && active.length === 0;
  return {
    nextMessage: isIdle ? next : undefined,
    cutBy: plan.turns[following - 1]?.isCut === true ? next : undefined,
    isUnfinished,
    pending: pendingInterrupts(snapshot).map(({ id }) => id),
    length: messages.length,
    isOver: isIdle && next === undefined,
  };
}

/** How LangGraph is told of the thread. */
export function configOf({ threadId }: ThreadPlan): { configurable: { thread_id: string } } {
  return { configurable: { thread_id: threadId } };
}

/** A person's message. */
export function inputOf(messageId: string): {
  messages: { type: "human"; id: string; content: string }[];
} {
  return { messages: [{ type: "human", id: messageId, content: "Go on." }] };
}
