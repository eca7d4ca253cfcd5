import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { INTERRUPT } from "@langchain/langgraph-checkpoint";
import { HoldpointError, type JsonObject } from "@holdpoint/core";
import type { Engine } from "@holdpoint/engine";
import { HoldpointSaver, type RunAhead, runMetadataKey } from "../checkpoints/checkpointer.ts";
import { asSaved } from "./as-saved.ts";
import { graphOf, type HostedAgent } from "./hosted-agent.ts";
import { nextInput } from "./next-input.ts";
import { observeToolCalls } from "./observe-tool-calls.ts";
import { type OpenInterrupt, readThreadState } from "./thread-state.ts";
import { toWire } from "./wire.ts";

/** One run of an agent on a thread. */
export type AgentRun = {
  readonly agent: HostedAgent;
  readonly engine: Engine;
  readonly threadId: string;
  /** Names the run in the checkpoints it saves, so that a recovered run is never given its input twice. */
  readonly runId?: string;
  /** The input of a new run; a run that only continues has none. */
  readonly input: JsonObject | undefined;
  readonly signal?: AbortSignal;
};

/** An event of LangGraph's streaming protocol v2, before it has its number. */
export type AgentEvent = { readonly method: string; readonly params: JsonObject };

/** How a run ended. */
export type AgentRunEnd =
  | { readonly status: "completed" }
  | { readonly status: "interrupted"; readonly open: readonly OpenInterrupt[] }
  | { readonly status: "failed"; readonly error: unknown };

/** Events that clients of the protocol never ask for, or that are rebuilt below. */
const internal = new Set(["updates", "tasks"]);

/**
 * Runs an agent and yields its events. The only place that runs a graph. The run is ahead of the
 * disk: its steps are saved together while it goes on. Everything the thread has said is on disk before a step's
 * values, a pause or the end is shown and before a tool starts; recorded outcomes are resumed by id, and a
 * run that a dead process left is continued from where the thread stands.
 */
export async function* runAgent(run: AgentRun): AsyncGenerator<AgentEvent, AgentRunEnd> {
  let ahead: RunAhead | undefined;
  try {
    ahead = saverOf(run.agent).runAhead(run.threadId);
    const { saved, drain, beforeActing } = ahead;
    const graph = graphOf(run.agent);
    const config = {
      configurable: { thread_id: run.threadId },
      callbacks: [new BeforeTools(beforeActing)],
    };
    const next = await nextInput(graph, run.engine, run);
    if (next.type !== "nothing") {
      const input =
        next.type === "input" ? next.input : next.type === "resume" ? next.command : null;
      const stream = await graph.streamEvents(input, {
        ...config,
        version: "v3",
        durability: "sync",
        ...(run.runId === undefined ? {} : { metadata: { [runMetadataKey]: run.runId } }),
        ...(run.signal === undefined ? {} : { signal: run.signal }),
      });
      observeToolCalls(stream);
      yield* asSaved(shown(stream), (event) => (showsState(event) ? saved() : undefined), drain);
    }
    await ahead.end();
    const { open } = await readThreadState(run.agent, run.engine, run.threadId);
    return open.length === 0 ? { status: "completed" } : { status: "interrupted", open };
  } catch (error) {
    return { status: "failed", error };
  } finally {
    await ahead?.end().catch(() => undefined); // the run's own error says more
  }
}

/** The events that clients see, as they are when they happen: what they tell of may change later. */
async function* shown(
  stream: AsyncIterable<{
    readonly method: string;
    readonly params: { readonly namespace: readonly string[] };
  }>,
): AsyncGenerator<AgentEvent> {
  for await (const event of stream) {
    if (internal.has(event.method) || isRootLifecycle(event)) continue;
    const params = toWire(event.params) as JsonObject; // an event's params are an object
    if (event.method === "values" && hasInterrupt(params)) continue;
    yield { method: event.method, params };
  }
}

function showsState({ method }: AgentEvent): boolean {
  return method === "values" || method === "checkpoints";
}

/** Nothing is done outside before the thread that asked for it is on disk. */
class BeforeTools extends BaseCallbackHandler {
  readonly name = "holdpoint_before_tools";
  override readonly awaitHandlers = true;
  override readonly raiseError = true;
  readonly #wait: () => Promise<void>;

  constructor(wait: () => Promise<void>) {
    super();
    this.#wait = wait;
  }

  override handleToolStart(): Promise<void> {
    return this.#wait();
  }
}

function saverOf(agent: HostedAgent): HoldpointSaver {
  const saver = graphOf(agent).checkpointer;
  if (saver instanceof HoldpointSaver) return saver;
  throw new HoldpointError(
    "config_invalid",
    "The agent has another checkpointer; build it with holdAgent, or pass checkpointer(engine) to createAgent.",
  );
}

/** The root's own lifecycle is told by the host, which knows whether the run was interrupted. */
function isRootLifecycle(event: {
  readonly method: string;
  readonly params: { readonly namespace: readonly string[] };
}): boolean {
  return event.method === "lifecycle" && event.params.namespace.length === 0;
}

function hasInterrupt(params: JsonObject): boolean {
  const { data } = params;
  return typeof data === "object" && data !== null && INTERRUPT in data;
}
