import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import type { ClientTool } from "@langchain/core/tools";
import { type BaseCheckpointSaver, Command, MemorySaver } from "@langchain/langgraph";
import {
  type AgentMiddleware,
  createAgent,
  humanInTheLoopMiddleware as stockMiddleware,
  tool,
} from "langchain";
import { type Refusal, refusalOf } from "@holdpoint/core";
import { type Engine, openEngine } from "@holdpoint/engine";
import { onTestFinished } from "vitest";
import { z } from "zod";
import {
  checkpointer,
  holdAgent,
  type HoldAgentParams,
  humanInTheLoopMiddleware,
  type HumanInTheLoopOptions,
} from "../index.ts";
import { ScriptedModel, type Script } from "../testing/scripted-model.ts";

/** Where a held agent keeps its threads and, unless it is the bare drop-in, its record. */
export type Place = {
  readonly checkpointer: BaseCheckpointSaver;
  readonly holdpoint?: Engine;
  /** The same threads and record as a new process finds them. */
  readonly restart: () => Promise<Place>;
};

/** One of the three ways in which the drop-in is used; `open` gives a new, empty one that ends with the test. */
export type Variant = { readonly variant: string; readonly open: () => Promise<Place> };

/** Every way in which the drop-in is used. */
export const variants: readonly Variant[] = [
  { variant: "MemorySaver", open: async () => onMemory(new MemorySaver()) },
  {
    variant: "MemorySaver with an engine",
    open: async () => onMemory(new MemorySaver(), await engineOn(":memory:")),
  },
  {
    variant: "our checkpointer",
    open: async () => {
      const folder = mkdtempSync(join(tmpdir(), "behaviour-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      return onFile(`file:${join(folder, "db.sqlite")}`);
    },
  },
];

/** A new process finds what a MemorySaver stored in another one; what is kept beside it, it does not. */
function onMemory(saver: MemorySaver, holdpoint?: Engine): Place {
  const restart = async () => {
    const { storage, writes } = saver;
    return onMemory(Object.assign(new MemorySaver(), { storage, writes }), holdpoint);
  };
  return { checkpointer: saver, restart, ...(holdpoint === undefined ? {} : { holdpoint }) };
}

async function onFile(database: string): Promise<Place> {
  const holdpoint = await engineOn(database);
  const restart = () => onFile(database);
  return { checkpointer: checkpointer(holdpoint), holdpoint, restart };
}

const modes = ["batched", "per_call"] as const;

/** Every variant in every interrupt mode, for `test.each(cases)("H1: … ($variant, $mode)")`. */
export const cases = variants.flatMap((variant) => modes.map((mode) => ({ ...variant, mode })));

async function engineOn(database: string): Promise<Engine> {
  const engine = await openEngine({ database });
  onTestFinished(() => engine.close());
  return engine;
}

/** What surrounds the middleware under test. */
export type Surroundings = {
  readonly script: Script;
  /** Of the same thread when one agent takes over from another. */
  readonly thread?: string;
  /** What ran so far; given when one agent takes over from another. */
  readonly ran?: string[];
  /** The stock agent's checkpointer, when one agent takes over from another. */
  readonly saver?: BaseCheckpointSaver;
  /** Instead of a, b and c. */
  readonly tools?: readonly ClientTool[];
  /** Middlewares listed before the gate. */
  readonly before?: readonly AgentMiddleware[];
  /** Middlewares listed after the gate. */
  readonly after?: readonly AgentMiddleware[];
  /** Other parameters of `createAgent`; `checkpointer: undefined` leaves it away. */
  readonly agent?: Readonly<Record<string, unknown>>;
};

/** The stock options; LangChain's own type of them comes out as `never` under our compiler settings. */
export type StockOptions = {
  readonly interruptOn?: Readonly<Record<string, boolean | Readonly<Record<string, unknown>>>>;
  readonly descriptionPrefix?: string;
};

/** An agent under LangChain's own middleware, on a MemorySaver. */
export function stockAgent(options: StockOptions, surroundings: Surroundings): TestAgent {
  const middleware = stockMiddleware(options as never); // see StockOptions
  return testAgent(surroundings, middleware, surroundings.saver ?? new MemorySaver());
}

/** The same agent under our middleware, as somebody writes it who replaced the import. */
export function heldAgent(
  place: Place,
  options: HumanInTheLoopOptions | Omit<HumanInTheLoopOptions, "holdpoint">,
  surroundings: Surroundings,
): TestAgent {
  const { holdpoint } = place;
  const all = { ...(holdpoint === undefined ? {} : { holdpoint }), ...options };
  // The engine is optional; that the type says so comes with the gate that works without one.
  const middleware = humanInTheLoopMiddleware(all as HumanInTheLoopOptions);
  return testAgent(surroundings, middleware, place.checkpointer);
}

/** The same agent built by `holdAgent`, which has the gate outermost and its own checkpointer. */
export function sealedAgent(
  place: Place,
  options: Omit<HoldAgentParams, "model" | "tools" | "holdpoint">,
  surroundings: Surroundings,
): TestAgent {
  const { holdpoint } = place;
  if (holdpoint === undefined) throw new Error("holdAgent needs a place with an engine");
  const { script, thread = "t1", ran = [], tools = threeTools(ran), after = [] } = surroundings;
  const model = new ScriptedModel(script);
  const agent = holdAgent({ ...options, model, tools, holdpoint, middleware: after });
  return { model, ran, ...driven(agent, thread) };
}

/** An agent with what a test asks about it. */
export type TestAgent = ReturnType<typeof driven> & {
  readonly model: ScriptedModel;
  /** What the tools did, as `a {"x":1}`, in order. */
  readonly ran: string[];
};

function testAgent(
  surroundings: Surroundings,
  gate: AgentMiddleware,
  saver: BaseCheckpointSaver,
): TestAgent {
  const { script, thread = "t1", ran = [], before = [], after = [] } = surroundings;
  const model = new ScriptedModel(script);
  const params = {
    model,
    tools: [...(surroundings.tools ?? threeTools(ran))],
    middleware: [...before, gate, ...after],
    checkpointer: saver,
    ...surroundings.agent,
  };
  const agent = createAgent(params as unknown as Parameters<typeof createAgent>[0]); // LangChain infers these types from literals only
  return { model, ran, ...driven(agent, thread) };
}

/** What a pause shows: the interrupt's id and value. */
export type Pending = {
  readonly id: string;
  readonly value: Readonly<Record<string, unknown>> & {
    readonly actionRequests: readonly (Readonly<Record<string, unknown>> & {
      readonly name: string;
    })[];
  };
};

/** More of one invocation's config. */
export type Invocation = {
  readonly context?: Record<string, unknown>;
  readonly configurable?: Record<string, unknown>;
  readonly maxConcurrency?: number;
  readonly signal?: AbortSignal;
};

function driven(agent: ReturnType<typeof createAgent>, thread: string) {
  const config = { configurable: { thread_id: thread } };
  const state = () => agent.graph.getState(config);
  const messages = async (): Promise<BaseMessage[]> => (await state()).values["messages"] ?? [];
  const pending = async (): Promise<Pending[]> =>
    // LangGraph types an interrupt's value as unknown and its id as optional; both middlewares send objects.
    (await state()).tasks.flatMap((task) => task.interrupts) as Pending[];
  const resume = (value: unknown, more: Invocation = {}) =>
    agent.invoke(new Command({ resume: value }), { ...config, ...more });
  return {
    agent,
    config,
    state,
    messages,
    pending,
    /** Sends a message, as a user does. */
    ask: (text = "go", more: Invocation = {}) =>
      agent.invoke({ messages: [new HumanMessage(text)] }, { ...config, ...more }),
    /** Resumes with any value. */
    resume,
    /** Resumes by position, as LangChain's documentation shows. */
    answer: (...decisions: readonly unknown[]) => resume({ decisions }),
    /** Answers all that waits, each by its id; a decision for each tool. */
    decide: async (byTool: Readonly<Record<string, unknown>>) => {
      const answers = (await pending()).map(({ id, value }) => [
        id,
        { decisions: value.actionRequests.map(({ name }) => byTool[name]) },
      ]);
      return resume(Object.fromEntries(answers));
    },
    /** Resumes one interrupt by its id. */
    answerById: (id: string, ...decisions: readonly unknown[]) => resume({ [id]: { decisions } }),
    /** The interrupt that waits; throws when there is not exactly one. */
    onlyPending: async (): Promise<Pending> => {
      const [one, ...others] = await pending();
      if (one === undefined || others.length > 0) {
        throw new Error(
          `expected one interrupt, found ${one === undefined ? 0 : others.length + 1}`,
        );
      }
      return one;
    },
    /** The tool results in history, in order. */
    toolMessages: async () => (await messages()).filter((one) => ToolMessage.isInstance(one)),
    /** Ids of tool calls in history that have no result: providers answer such a history with 400. */
    dangling: async () => {
      const all = await messages();
      const calls = all.flatMap((one) => (AIMessage.isInstance(one) ? (one.tool_calls ?? []) : []));
      const answered = all.flatMap((one) =>
        ToolMessage.isInstance(one) ? [one.tool_call_id] : [],
      );
      return calls
        .map((call) => call.id)
        .filter((id) => id === undefined || !answered.includes(id));
    },
  };
}

const anyArgs = z.looseObject({});

/** The tools a, b and c; each notes that it ran and returns "ok". */
export function threeTools(ran: string[]): ClientTool[] {
  return ["a", "b", "c"].map((name) => notingTool(name, ran));
}

/** A tool that notes that it ran, with its arguments, and returns "ok". */
export function notingTool(name: string, ran: string[], schema: z.ZodObject = anyArgs): ClientTool {
  return tool(
    async (args) => {
      ran.push(`${name} ${JSON.stringify(args)}`);
      return "ok";
    },
    { name, description: `tool ${name}`, schema },
  );
}

/** A call that the scripted model asks for; without `id` it gets one of its own. */
export type ScriptedCall = {
  readonly name: string;
  readonly args?: Record<string, unknown>;
  readonly id?: string | undefined;
};

/** After each human message asks for the calls of one turn after the other, then says "done". */
export function turns(...all: readonly (readonly ScriptedCall[])[]): Script {
  return (messages) => {
    const asked = messages.findLastIndex((one) => one.getType() === "human");
    const said = messages.slice(asked + 1).filter((one) => one.getType() === "ai").length;
    const calls = all[said];
    return calls === undefined ? new AIMessage("done") : callMessage(calls, `${asked}_${said}`);
  };
}

/** An AI message with these calls. */
export function callMessage(calls: readonly ScriptedCall[], prefix = "0"): AIMessage {
  return new AIMessage({
    content: "",
    tool_calls: calls.map((call, index) => ({
      type: "tool_call",
      name: call.name,
      args: call.args ?? {},
      ...("id" in call
        ? call.id === undefined
          ? {}
          : { id: call.id }
        : { id: `call_${prefix}_${index}` }),
    })),
  });
}

/** Our refusal in what a promise was rejected with, however often LangChain has wrapped it. */
export async function refusalOfFailure(promise: Promise<unknown>): Promise<Refusal> {
  const failure = await failureOf(promise);
  for (let error: unknown = failure; error instanceof Error; error = error.cause) {
    const refusal = refusalOf(error);
    if (refusal !== undefined) return refusal;
  }
  throw new Error(`not one of ours: ${failure.message}`, { cause: failure });
}

/** What a promise was rejected with; throws when it was not. */
export async function failureOf(promise: Promise<unknown>): Promise<Error> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
    throw new Error(`rejected with ${String(error)}, which is no error`, { cause: error });
  }
  throw new Error("it was expected to fail, and did not");
}
