import { HoldpointError, type JsonObject, refusalOf } from "@holdpoint/core";
import type { Engine, EventDraft, Run } from "@holdpoint/engine";
import { type AgentRunEnd, type OpenInterrupt, runAgent } from "@holdpoint/langchain";
import { firstLine } from "../web/first-line.ts";
import { type EventLog, protocolEvent, rootEvent } from "./event-log.ts";
import type { LoadedAgent } from "./load-agents.ts";
import type { RunStop } from "./run-stop.ts";

/** A run that has outlived this many processes is not tried again by itself. */
const mostAttempts = 5;

/** A claimed run, and what is needed to work on it. */
export type Work = {
  readonly engine: Engine;
  readonly agents: ReadonlyMap<string, LoadedAgent>;
  readonly log: EventLog;
  readonly run: Run;
  readonly stop: RunStop;
};

/** Works on a claimed run until it has ended or is given back. Throws when not even that is stored. */
export async function workOn(work: Work): Promise<void> {
  const { engine, log, run, stop } = work;
  const thread = await engine.runs.thread(run.threadId);
  const graphName = thread?.agent ?? "";
  const ended = await follow(work, graphName).catch((error: unknown): AgentRunEnd => ({
    status: "failed",
    error,
  }));
  switch (stop.reason()) {
    case "lost":
      return engine.runs.abandon(run); // whoever has the run ends it
    case "closing":
      return engine.runs.release(run);
    case "cancelled":
      await withdraw(work);
      await log.end(run, "cancelled", [lifecycle("interrupted", graphName)]);
      return;
    default: {
      if (ended.status === "failed" && refusalOf(ended.error)?.code === "database_unwell")
        throw ended.error; // no failure of the agent: it goes on once the database can
      const { status, events, error } = closing(ended, graphName);
      if (run.attempts > mostAttempts) await log.giveUp(run, events, error ?? "it never ended");
      else await log.end(run, status, events, error);
    }
  }
}

/** Ends a run that another server works on; that one finds it lost and stops. */
export async function cancelElsewhere(work: Pick<Work, "engine" | "log" | "run">): Promise<void> {
  const { engine, log, run } = work;
  const thread = await engine.runs.thread(run.threadId);
  await withdraw(work);
  await log.end(run, "cancelled", [lifecycle("interrupted", thread?.agent ?? "")]);
}

/**
 * A person stopped the run: what it asked is withdrawn and what was decided meanwhile does not go on by
 * itself, or a later approval would start the stopped turn again, its free calls included.
 */
async function withdraw({ engine, log, run }: Pick<Work, "engine" | "log" | "run">): Promise<void> {
  for (const review of await engine.reviews.openOf(run.threadId)) {
    await engine.reviews.closeReview(review.id, "The run was stopped.");
  }
  for (const waiting of await engine.runs.active(run.threadId)) {
    if (waiting.id !== run.id) await log.end(waiting, "cancelled", []);
  }
}

async function follow(work: Work, graphName: string): Promise<AgentRunEnd> {
  const { engine, log, run, stop } = work;
  const hosted = work.agents.get(graphName);
  if (hosted?.status !== "loaded")
    throw new HoldpointError("agent_not_found", `This server does not host agent "${graphName}".`);
  if (!(await log.append(run, [lifecycle("running", graphName)]))) stop.because("lost");
  if (run.attempts > mostAttempts) {
    throw new HoldpointError(
      "run_failed",
      `The run was given up after ${mostAttempts} processes died with it; send a new message to go on.`,
    );
  }
  const { threadId, id: runId, input } = run;
  const { agent } = hosted;
  const stream = runAgent({ agent, engine, threadId, runId, input, signal: stop.signal });
  const stored = storeInOrder(work);
  try {
    for (;;) {
      const next = await stream.next();
      if (next.done === true) return next.value;
      const { method, params } = next.value;
      stored.add(protocolEvent(method, params, !isDelta(params)));
    }
  } finally {
    await stored.done();
  }
}

/**
 * Stores events in order and in shared commits, without holding the run up. A failure stops the run and
 * is thrown by `done`, never left to a promise that nobody listens to.
 */
function storeInOrder({ log, run, stop }: Work): {
  readonly add: (event: EventDraft) => void;
  readonly done: () => Promise<void>;
} {
  let failed: { readonly error: unknown } | undefined;
  let stored = Promise.resolve();
  const store = async (event: EventDraft): Promise<void> => {
    if (failed !== undefined || stop.reason() === "lost") return;
    try {
      if (!(await log.append(run, [event]))) stop.because("lost");
    } catch (error) {
      failed = { error };
      stop.because("not_stored");
    }
  };
  return {
    add: (event) => {
      stored = stored.then(() => store(event));
    },
    done: async () => {
      await stored;
      if (failed !== undefined) throw failed.error;
    },
  };
}

type Closing = {
  readonly status: "completed" | "interrupted" | "failed";
  readonly events: readonly EventDraft[];
  readonly error?: string;
};

function closing(end: AgentRunEnd, graphName: string): Closing {
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

/** An event of the run as a whole; the client knows the agent by its graph name. */
export function lifecycle(event: string, graphName: string): EventDraft {
  return rootEvent("lifecycle", { event, graph_name: graphName });
}

/** The events that show interrupts to clients; each is stored only if its review is still open then. */
export function requested(open: readonly OpenInterrupt[]): readonly EventDraft[] {
  return open.map(({ id, value }) => ({
    ...rootEvent("input.requested", { interrupt_id: id, payload: value }),
    only: { interruptId: id, is: "open" },
  }));
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
