import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { type BaseCheckpointSaver, Command, MemorySaver } from "@langchain/langgraph";
import {
  type AgentMiddleware,
  humanInTheLoopMiddleware,
  todoListMiddleware,
  tool,
} from "langchain";
import { openEngine } from "@holdpoint/engine";
import { onTestFinished } from "vitest";
import { z } from "zod";
import type { HoldDeepAgentParams } from "./hold-deep-agent.ts";

/** Where a deep agent keeps its threads and its record. */
export type Place = Pick<HoldDeepAgentParams, "holdpoint" | "checkpointer">;

/** The ways in which a deep agent is used, for `describe.each(places)("… ($place)")`. */
export const places: readonly { readonly place: string; readonly open: () => Promise<Place> }[] = [
  { place: "MemorySaver", open: async () => ({ checkpointer: new MemorySaver() }) },
  { place: "our checkpointer on SQLite", open: async () => ({ holdpoint: await openOnDisk() }) },
  {
    place: "MemorySaver with an engine",
    open: async () => ({ checkpointer: new MemorySaver(), holdpoint: await openOnDisk() }),
  },
];

/** A database file that does not exist yet, removed with the test. */
export function databaseOnDisk(): string {
  const folder = mkdtempSync(join(tmpdir(), "deep-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return `file:${join(folder, "db.sqlite")}`;
}

/** An engine on a new file, closed with the test. */
export async function openOnDisk(): Promise<Awaited<ReturnType<typeof openEngine>>> {
  const engine = await openEngine({ database: databaseOnDisk() });
  onTestFinished(() => engine.close());
  return engine;
}

/** A tool that notes what it ran with. */
export function payTool(ran: number[]) {
  return tool(
    async ({ amount }) => {
      ran.push(amount);
      return `paid ${amount}`;
    },
    { name: "pay", description: "pays", schema: z.object({ amount: z.number() }) },
  );
}

/** An interrupt that waits. */
export type Waiting = { readonly id: string; readonly value: Record<string, unknown> };

/** The part of an agent that a conversation needs, stock or held. */
type Agent = {
  invoke(input: never, config: never): Promise<unknown>;
};

/** A conversation with an agent on one thread. */
export function talkTo(agent: object, threadId = "t1") {
  const any = agent as Agent; // stock or held
  const config = { configurable: { thread_id: threadId } };
  const run = async (input: unknown): Promise<Turn> => {
    const state = await any.invoke(input as never, config as never);
    return turnOf(state as State);
  };
  return {
    ask: (text: string) => run({ messages: [new HumanMessage(text)] }),
    /** Answers whatever waits, or each interrupt by its id. */
    resume: (resume: unknown) => run(new Command({ resume })),
    approve: () => run(new Command({ resume: { decisions: [{ type: "approve" }] } })),
  };
}

type State = {
  readonly messages: readonly BaseMessage[];
  readonly __interrupt__?: readonly Waiting[];
  readonly files?: Readonly<Record<string, unknown>>;
};

/** Where a conversation stands after a turn. */
export type Turn = {
  readonly waiting: readonly Waiting[];
  /** The texts of all results of the agent's own calls. */
  readonly results: readonly string[];
  readonly files: readonly string[];
  readonly messages: readonly BaseMessage[];
};

function turnOf({ messages, __interrupt__: waiting = [], files = {} }: State): Turn {
  const results = messages.filter((message) => ToolMessage.isInstance(message));
  return {
    waiting: waiting.toSorted((a, b) => (callOf(a) < callOf(b) ? -1 : 1)),
    results: results.map((message) => message.text),
    files: Object.keys(files),
    messages,
  };
}

/** Interrupts come in the order in which they were raised, which is nobody's promise. */
function callOf({ value }: Waiting): string {
  return String(value["toolCallId"]);
}

/** The one interrupt that waits. */
export function only(turn: Turn): Waiting {
  const [first, ...others] = turn.waiting;
  if (first === undefined || others.length > 0)
    throw new Error(`${turn.waiting.length} interrupts wait, not one`);
  return first;
}

/** A saver for an agent that is not held. */
export function memory(): { readonly checkpointer: BaseCheckpointSaver } {
  return { checkpointer: new MemorySaver() };
}

/** LangChain's own gate; its options come out as `never` under our compiler settings. */
export function stockGate(interruptOn: Readonly<Record<string, boolean>>): AgentMiddleware {
  return humanInTheLoopMiddleware({ interruptOn } as never);
}

/** LangChain's to-do list; its type does not fit LangChain's own `AgentMiddleware` under our compiler settings. */
export function todoList(): AgentMiddleware {
  return todoListMiddleware() as unknown as AgentMiddleware;
}
