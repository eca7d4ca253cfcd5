import { setTimeout as sleep } from "node:timers/promises";
import { refusalOf } from "@holdpoint/core";
import type { Engine, Run } from "@holdpoint/engine";
import { firstLine } from "../web/first-line.ts";
import type { EventLog } from "./event-log.ts";
import type { LoadedAgent } from "./load-agents.ts";
import { createRunStop, type RunStop } from "./run-stop.ts";
import { cancelElsewhere, lifecycle, workOn } from "./work-run.ts";

/** How many runs this process works on at once, and how often it looks for due ones it was not told of. */
const atOnce = 8;
const pollEvery = 1_000;
/** How long a stopping host waits for its runs, in milliseconds. */
const patience = 2_000;

/** Runs the hosted agents' due runs. */
export type AgentHost = {
  /** Stops a run for good, whether it works or waits in line; one that has ended stays as it is. */
  readonly cancel: (run: Run) => Promise<void>;
  /** Stops working; runs under way are given back and continued by whoever starts next. */
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
    { readonly run: Run; readonly stop: RunStop; readonly done: Promise<void> }
  >();
  let stopped = false;
  let claiming: Promise<void> | undefined;

  const claimAll = async (): Promise<void> => {
    while (!stopped && working.size < atOnce) {
      const run = await engine.runs.claim(loaded);
      if (run === undefined) return;
      const stop = createRunStop();
      if (stopped) stop.because("closing");
      const done = workOn({ engine, agents, log, run, stop })
        .catch((error: unknown) => giveUp(run, error))
        .finally(() => {
          working.delete(run.id);
          wake();
        });
      working.set(run.id, { run, stop, done });
    }
  };
  /**
   * The database refused even the run's end. While it is unwell the run is kept, and given back as soon as
   * it can be; in any other case it is taken up again when its lease has run out.
   */
  const giveUp = async (run: Run, error: unknown): Promise<void> => {
    if (!stopped)
      console.error(`Run ${run.id} could not be recorded and is tried again: ${firstLine(error)}.`);
    for (let last = error; !stopped && refusalOf(last)?.code === "database_unwell";) {
      await sleep(pollEvery);
      try {
        return await engine.runs.release(run);
      } catch (again) {
        last = again;
      }
    }
    engine.runs.abandon(run);
  };
  const wake = (): void => {
    if (stopped) return;
    // A failed look is made up for by the next poll.
    claiming = (claiming ?? Promise.resolve()).then(claimAll).catch(() => undefined);
  };
  /** A run that another server ended, or has taken over, is not worked on any longer. */
  const stopLost = async (): Promise<void> => {
    for (const [id, { run, stop }] of working) {
      const found = await engine.runs.find(id).catch(() => run);
      if (found?.status !== "running" || found.fence !== run.fence) stop.because("lost");
    }
  };
  const stopListening = engine.onDue(wake);
  const timer = setInterval(() => {
    wake();
    void stopLost();
  }, pollEvery);
  wake();
  return {
    cancel: async (run) => {
      if (run.status === "queued") {
        const thread = await engine.runs.thread(run.threadId);
        const ended = [lifecycle("interrupted", thread?.agent ?? "")];
        // A run that was claimed in the meantime has another fence; it is stopped below.
        if (await log.end(run, "cancelled", ended)) return wake();
      }
      const mine = working.get(run.id);
      if (mine !== undefined) return mine.stop.because("cancelled");
      const running = await engine.runs.find(run.id);
      if (running?.status === "running") await cancelElsewhere({ engine, log, run: running });
    },
    stop: async () => {
      stopped = true;
      stopListening();
      clearInterval(timer);
      await claiming;
      for (const { stop } of working.values()) stop.because("closing");
      await Promise.race([Promise.all([...working.values()].map((one) => one.done)), delay()]);
    },
  };
}

function delay(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, patience).unref());
}
