import { HoldpointError, type JsonObject, refusalOf } from "@holdpoint/core";
import type { Engine, EventDraft, Run } from "@holdpoint/engine";
import {
  type AgentRunEnd,
  type OpenInterrupt,
  readThreadState,
  runAgent,
} from "@holdpoint/langchain";
import { firstLine } from "../web/first-line.ts";
import type { EventLog } from "./event-log.ts";
import { protocolEvent, rootEvent } from "./event-log.ts";
import type { LoadedAgent } from "./load-agents.ts";

/** How many runs this process works on at once, and how often it looks for due ones it was not told of. */
const atOnce = 8;
const pollEvery = 1_000;
/** A run that has outlived this many processes is not tried again by itself. */
const mostAttempts = 5;

/** Runs the hosted agents' due runs. */
export type AgentHost = {
  readonly cancel: (runId: string) => boolean;
  readonly stop: () => Promise<void>;
};

/**
 * Starts working. A run is claimed with a lease, so a run whose process died is found due again and
 * continued from where its thread stands. Agents that failed to load keep their runs for a later start.
 */
export function startAgentHost(
  engine: Engine,
  agents: ReadonlyMap<string, LoadedAgent>,
  log: EventLog,
): AgentHost {
  const loaded = [...agents.values()]
    .filter((agent) => agent.status === "loaded")
    .map((agent) => agent.name);
  const working = new Map<
    string,
    { readonly abort: AbortController; readonly done: Promise<void> }
  >();
  let stopped = false;
  let claiming: Promise<void> | undefined;

  const claimAll = async (): Promise<void> => {
    while (!stopped && working.size < atOnce) {
      const run = await engine.runs.claim(loaded);
      if (run === undefined) return;
      const abort = new AbortController();
      const done = work(engine, agents, log, run, abort.signal)
        .catch(reportLost)
        .finally(() => {
          working.delete(run.id);
          wake();
        });
      working.set(run.id, { abort, done });
    }
  };
  const wake = (): void => {
    if (stopped) return;
    // A failed look is made up for by the next poll.
    claiming = (claiming ?? Promise.resolve()).then(claimAll).catch(() => undefined);
  };
  const stopListening = engine.onDue(wake);
  const timer = setInterval(wake, pollEvery);
  wake();
  return {
    cancel: (runId) => {
      const run = working.get(runId);
      run?.abort.abort();
      return run !== undefined;
    },
    stop: async () => {
      stopped = true;
      stopListening();
      clearInterval(timer);
      await claiming;
      await Promise.race([Promise.all([...working.values()].map((one) => one.done)), delay(2_000)]);
    },
  };
}

/** The database refused the run's own record: its lease runs out, and the run is taken up again. */
function reportLost(error: unknown): void {
  console.error(`A run could not be recorded and will be tried again: ${firstLine(error)}.`);
}

async function work(
  engine: Engine,
  agents: ReadonlyMap<string, LoadedAgent>,
  log: EventLog,
  run: Run,
  signal: AbortSignal,
): Promise<void> {
  const thread = await engine.runs.thread(run.threadId);
  const hosted = agents.get(thread?.agent ?? "");
  if (hosted?.status !== "loaded") return;
  const graphName = hosted.name;
  await log.append(run, [rootEvent("lifecycle", { event: "running", graph_name: graphName })]);
  const ended = await follow(engine, log, run, hosted, signal);
  const { status, events, error } = closing(ended, graphName, signal.aborted);
  await log.end(run, status, events, error);
  const { open } = await readThreadState(hosted.agent, engine, run.threadId);
  await engine.runs.compact(
    run.threadId,
    run.id,
    open.map((interrupt) => interrupt.id),
  );
}

async function follow(
  engine: Engine,
  log: EventLog,
  run: Run,
  hosted: Extract<LoadedAgent, { status: "loaded" }>,
  signal: AbortSignal,
): Promise<AgentRunEnd> {
  if (run.attempts > mostAttempts) {
    const error = new HoldpointError(
      "run_failed",
      `The run was given up after ${mostAttempts} processes died with it; send a new message to go on.`,
    );
    return { status: "failed", error };
  }
  const stream = runAgent({
    agent: hosted.agent,
    engine,
    threadId: run.threadId,
    input: run.input,
    signal,
  });
  let stored = Promise.resolve();
  for (;;) {
    const next = await stream.next();
    if (next.done === true) {
      await stored;
      return next.value;
    }
    const { method, params } = next.value;
    // Stored in order and in shared commits, without holding the run up.
    stored = stored.then(() => log.append(run, [protocolEvent(method, params, !isDelta(params))]));
  }
}

type Closing = {
  readonly status: "completed" | "interrupted" | "failed" | "cancelled";
  readonly events: readonly EventDraft[];
  readonly error?: string;
};

function closing(end: AgentRunEnd, graphName: string, cancelled: boolean): Closing {
  if (cancelled) return { status: "cancelled", events: [lifecycle("interrupted", graphName)] };
  switch (end.status) {
    case "completed":
      return { status: "completed", events: [lifecycle("completed", graphName)] };
    case "interrupted":
      return {
        status: "interrupted",
        events: [...requested(end.open), lifecycle("interrupted", graphName)],
      };
    case "failed": {
      const error = failureText(end.error);
      return {
        status: "failed",
        events: [rootEvent("lifecycle", { event: "failed", graph_name: graphName, error })],
        error,
      };
    }
    default:
      return end satisfies never;
  }
}

function lifecycle(event: string, graphName: string): EventDraft {
  return rootEvent("lifecycle", { event, graph_name: graphName });
}

/** The events that show open interrupts to clients. */
export function requested(open: readonly OpenInterrupt[]): readonly EventDraft[] {
  return open.map(({ id, value }) =>
    rootEvent("input.requested", { interrupt_id: id, payload: value }),
  );
}

function isDelta(params: JsonObject): boolean {
  const { data } = params;
  return (
    typeof data === "object" &&
    data !== null &&
    "event" in data &&
    data.event === "content-block-delta"
  );
}

/** One sentence for people: what failed and what to do; never a stack trace. */
function failureText(error: unknown): string {
  const refusal = refusalOf(error);
  if (refusal !== undefined) return refusal.message;
  return `The agent could not finish its answer: ${firstLine(error)}. Nothing that was decided is lost; send a message to try again.`;
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
