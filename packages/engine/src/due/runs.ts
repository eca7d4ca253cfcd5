import { HoldpointError, type JsonObject, type Refusal, type RunId } from "@holdpoint/core";
import type { AlarmListener } from "../alarm.ts";
import { appendAudit } from "../audit/chain.ts";
import { failpoint } from "../failpoint.ts";
import { newId } from "../ids.ts";
import type { Leases } from "./leases.ts";
import type { Run, RunEvent, RunStatus, Storage, Thread, Writing } from "../storage/storage.ts";

/** A request to start a run on a thread, which is created by its first one. */
export type StartRun = {
  readonly threadId: string;
  readonly agent: string;
  readonly input: JsonObject;
  /** The same key on the same thread returns the first run again, unless it failed or was cancelled. */
  readonly dedupeKey: string;
  /** The thread's latest run as it was when the input was checked; once it has changed, the thread is busy. */
  readonly checkedAt?: Run;
};

export type StartResult =
  | {
      readonly type: "started";
      readonly run: Run;
      readonly thread: Thread;
      readonly repeated: boolean;
    }
  | { readonly type: "refused"; readonly refusal: Refusal };

/** An event before it has its number; `body` gets the number it was given. */
export type EventDraft = {
  readonly method: string;
  readonly keep: boolean;
  /** Stored only while the review of this interrupt stands so; read in the same transaction. */
  readonly only?: { readonly interruptId: string; readonly is: "open" | "settled" };
  readonly body: (seq: number) => JsonObject;
};

/** Threads, their runs as due work, and the events they leave. */
export type Runs = {
  readonly start: (request: StartRun) => Promise<StartResult>;
  readonly thread: (id: string) => Promise<Thread | undefined>;
  readonly find: (id: string) => Promise<Run | undefined>;
  /** The run that this key started, unless it failed or was cancelled. */
  readonly startedWith: (threadId: string, dedupeKey: string) => Promise<Run | undefined>;
  readonly latest: (threadId: string) => Promise<Run | undefined>;
  readonly active: (threadId: string) => Promise<readonly Run[]>;
  /** Takes the next due run of these agents for this process, or `undefined` when there is none. */
  readonly claim: (agents: readonly string[]) => Promise<Run | undefined>;
  /** Puts a claimed run back in line, as if this claim had not been. */
  readonly release: (run: Run) => Promise<void>;
  /** Renews the run's lease no longer: it runs out, and somebody takes the run up again. Needs no database. */
  readonly abandon: (run: Run) => void;
  /** Ends a run with its last events and drops what no replay needs; `false` when it was no longer the caller's. */
  readonly end: (
    run: Run,
    status: RunStatus,
    events: readonly EventDraft[],
    error?: string,
  ) => Promise<RunAppend>;
  /** Ends a run that must not be tried again as failed, audited as stuck, and raises the alarm. */
  readonly giveUp: (run: Run, events: readonly EventDraft[], error: string) => Promise<RunAppend>;
  /** Stores what a run says; `lost` when another worker has the run or it has ended. */
  readonly append: (run: Run, events: readonly EventDraft[]) => Promise<RunAppend>;
  /** Stores what is said about a thread on behalf of no run, beside its latest one. */
  readonly appendNotice: (
    threadId: string,
    events: readonly EventDraft[],
  ) => Promise<readonly RunEvent[]>;
  readonly events: (threadId: string, afterSeq: number) => Promise<readonly RunEvent[]>;
  /** The number of the newest event of each of these threads, whichever process stored it. */
  readonly lastSeqs: (threadIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
};

/** What became of a worker's events: stored, or refused because the run is not its own any more. */
export type RunAppend =
  { readonly type: "stored"; readonly events: readonly RunEvent[] } | { readonly type: "lost" };

/** What runs tell the rest of the process, and other processes, after a commit. */
export type RunSignals = {
  readonly due: (threadId: string) => void;
  readonly said: (threadId: string) => void;
  readonly alarm: AlarmListener;
};

/** Creates the run service over a storage. */
export function createRuns(storage: Storage, leases: Leases, signals: RunSignals): Runs {
  const { held } = leases;
  return {
    start: async (request) => {
      const result = await storage.write((writing) => startRun(writing, request));
      if (result.type === "started" && !result.repeated) signals.due(request.threadId);
      return result;
    },
    thread: (id) => storage.read((reading) => reading.findThread(id)),
    find: (id) => storage.read(async (reading) => (isRunId(id) ? reading.findRun(id) : undefined)),
    startedWith: (threadId, dedupeKey) =>
      storage.read((reading) => reading.findRunByKey(threadId, dedupeKey)),
    latest: (threadId) => storage.read((reading) => reading.latestRunOf(threadId)),
    active: (threadId) => storage.read((reading) => reading.activeRunsOf(threadId)),
    claim: async (agents) => {
      const due = await storage.read((reading) => reading.dueRun(agents, [...held]));
      if (due === undefined) return undefined;
      const claimed = await claimDue(storage, leases, agents);
      failpoint("run.after_claim");
      return claimed;
    },
    release: async (run) => {
      const released = await storage.write((writing) => writing.releaseRun(run));
      held.delete(run.id);
      if (released) signals.due(run.threadId);
    },
    abandon: (run) => void held.delete(run.id),
    end: async (run, status, events, error) => {
      const ended = await storage.write(async (writing): Promise<RunAppend> => {
        if (!(await writing.endRun(run, status, error))) return { type: "lost" };
        const stored = await appendAll(writing, run, events);
        await writing.compactEvents(run);
        return { type: "stored", events: stored };
      });
      held.delete(run.id);
      failpoint("run.after_end");
      if (ended.type === "stored") signals.said(run.threadId);
      return ended;
    },
    giveUp: async (run, events, error) => {
      const { id: runId, threadId, attempts } = run;
      const ended = await storage.write(async (writing): Promise<RunAppend> => {
        if (!(await writing.endRun(run, "failed", error))) return { type: "lost" };
        const stored = await appendAll(writing, run, events);
        await writing.compactEvents(run);
        await appendAudit(writing, runId, { type: "run.stuck", body: { threadId, attempts } });
        return { type: "stored", events: stored };
      });
      held.delete(runId);
      if (ended.type === "stored") {
        signals.said(threadId);
        signals.alarm({ type: "run.stuck", runId, threadId, attempts, error });
      }
      return ended;
    },
    append: async (run, events) => {
      const appended = await storage.write(async (writing): Promise<RunAppend> => {
        const found = await writing.findRun(run.id);
        return found?.status === "running" && found.fence === run.fence
          ? { type: "stored", events: await appendAll(writing, run, events) }
          : { type: "lost" };
      });
      if (appended.type === "stored") signals.said(run.threadId);
      return appended;
    },
    appendNotice: async (threadId, events) => {
      const stored = await storage.write(async (writing) => {
        const latest = await writing.latestRunOf(threadId);
        return latest === undefined ? [] : appendAll(writing, latest, events);
      });
      if (stored.length > 0) signals.said(threadId);
      return stored;
    },
    events: (threadId, afterSeq) => storage.read((reading) => reading.eventsOf(threadId, afterSeq)),
    lastSeqs: (threadIds) => storage.read((reading) => reading.lastSeqsOf(threadIds)),
  };
}

/** A process that stood still for longer than a lease first renews what it is working on. */
async function claimDue(
  storage: Storage,
  { held, permits, from }: Leases,
  agents: readonly string[],
): Promise<Run | undefined> {
  const taken: RunId[] = [];
  try {
    return await storage.write(async (writing) => {
      for (const id of taken.splice(0)) held.delete(id); // this work is done again: nothing was taken
      const lease = from(writing.now);
      await writing.renewLeases(lease, { runs: [...held], permits: permits.running() });
      const due = await writing.dueRun(agents, [...held]);
      const run = due === undefined ? undefined : await writing.claimRun(due, lease);
      if (run === undefined) return undefined;
      taken.push(run.id);
      held.add(run.id); // before the commit, so that no renewal misses it
      return run;
    });
  } catch (error) {
    for (const id of taken) held.delete(id);
    throw error;
  }
}

function isRunId(id: string): id is RunId {
  return id.startsWith("run_");
}

async function startRun(writing: Writing, request: StartRun): Promise<StartResult> {
  const { threadId, agent } = request;
  const existing = await writing.findThread(threadId);
  if (existing !== undefined && existing.agent !== agent) {
    return refused({
      code: "invalid_request",
      message: `Thread ${threadId} belongs to agent "${existing.agent}", not "${agent}"; start a new thread for another agent.`,
    });
  }
  const known = await writing.findRunByKey(threadId, request.dedupeKey);
  if (known !== undefined && existing !== undefined)
    return { type: "started", run: known, thread: existing, repeated: true };
  const open = await writing.openReviewsOf(threadId);
  if (open.length > 0)
    return refused(
      waiting(
        threadId,
        open.map((review) => review.id),
      ),
    );
  const active = await writing.activeRunsOf(threadId);
  if (active.length > 0 || (await hasMoved(writing, request))) {
    return refused({
      code: "thread_busy",
      message: `Thread ${threadId} is still working on the last message; wait until it is done or stop it.`,
      details: { threadId },
    });
  }
  const thread = existing ?? (await createThread(writing, request));
  const run: Run = {
    id: newId("run"),
    threadId,
    kind: "start",
    input: request.input,
    dedupeKey: request.dedupeKey,
    status: "queued",
    attempts: 0,
    fence: 0,
    createdAt: writing.now,
  };
  await writing.insertRuns([run]);
  return { type: "started", run, thread, repeated: false };
}

async function hasMoved(writing: Writing, { threadId, checkedAt }: StartRun): Promise<boolean> {
  if (checkedAt === undefined) return false;
  const latest = await writing.latestRunOf(threadId);
  return latest?.id !== checkedAt.id || latest.status !== checkedAt.status;
}

async function createThread(writing: Writing, request: StartRun): Promise<Thread> {
  const thread: Thread = {
    id: request.threadId,
    agent: request.agent,
    createdAt: writing.now,
    lastSeq: 0,
  };
  await writing.insertThread(thread);
  return thread;
}

async function appendAll(
  writing: Writing,
  run: Pick<Run, "id" | "threadId">,
  events: readonly EventDraft[],
): Promise<readonly RunEvent[]> {
  const stored: RunEvent[] = [];
  for (const { method, keep, only, body } of events) {
    if (only !== undefined && !(await stands(writing, run.threadId, only))) continue;
    stored.push(
      await writing.appendEvent(
        { threadId: run.threadId, runId: run.id, method, keep, body: {} },
        body,
      ),
    );
  }
  return stored;
}

async function stands(
  writing: Writing,
  threadId: string,
  { interruptId, is }: NonNullable<EventDraft["only"]>,
): Promise<boolean> {
  const review = await writing.findReviewOfInterrupt(threadId, interruptId);
  return (review?.state.status === "open") === (is === "open");
}

function waiting(threadId: string, reviewIds: readonly string[]): Refusal {
  return {
    code: "thread_waiting",
    message: `This thread is waiting for a decision on review ${reviewIds.join(", ")}. Decide it first, on its card or with stream.respond(response, { interruptId }); the message was not sent.`,
    details: { threadId, reviewIds },
  };
}

function refused(refusal: Refusal): StartResult {
  return { type: "refused", refusal };
}

/** The thread, or `thread_not_found`. */
export function requireThread(thread: Thread | undefined, id: string): Thread {
  if (thread !== undefined) return thread;
  throw new HoldpointError(
    "thread_not_found",
    `There is no thread ${id}; start it with its first message.`,
  );
}
