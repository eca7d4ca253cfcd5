import { HoldpointError, type JsonObject, type Refusal, type RunId } from "@holdpoint/core";
import { newId } from "../ids.ts";
import type { Leases } from "./leases.ts";
import type { Run, RunEvent, RunStatus, Storage, Thread, Writing } from "../storage/storage.ts";

/** A request to start a run on a thread, which is created by its first one. */
export type StartRun = {
  readonly threadId: string;
  readonly agent: string;
  readonly input: JsonObject;
  /** The same key on the same thread returns the first run again. */
  readonly dedupeKey: string;
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
  readonly compact: boolean;
  readonly body: (seq: number) => JsonObject;
};

/** Threads, their runs as due work, and the events they leave. */
export type Runs = {
  readonly start: (request: StartRun) => Promise<StartResult>;
  readonly thread: (id: string) => Promise<Thread | undefined>;
  readonly latest: (threadId: string) => Promise<Run | undefined>;
  readonly active: (threadId: string) => Promise<readonly Run[]>;
  /** Takes the next due run of these agents for this process, or `undefined` when there is none. */
  readonly claim: (agents: readonly string[]) => Promise<Run | undefined>;
  readonly end: (
    run: Run,
    status: RunStatus,
    events: readonly EventDraft[],
    error?: string,
  ) => Promise<readonly RunEvent[]>;
  readonly append: (
    run: Pick<Run, "id" | "threadId">,
    events: readonly EventDraft[],
  ) => Promise<readonly RunEvent[]>;
  readonly events: (threadId: string, afterSeq: number) => Promise<readonly RunEvent[]>;
  readonly compact: (
    threadId: string,
    latestRun: RunId,
    keepInterrupts: readonly string[],
  ) => Promise<void>;
};

/** Creates the run service over a storage. */
export function createRuns(
  storage: Storage,
  leases: Leases,
  signalDue: (threadId: string) => void,
): Runs {
  return {
    start: async (request) => {
      const result = await storage.write((writing) => startRun(writing, request));
      if (result.type === "started" && !result.repeated) signalDue(request.threadId);
      return result;
    },
    thread: (id) => storage.read((reading) => reading.findThread(id)),
    latest: (threadId) => storage.read((reading) => reading.latestRunOf(threadId)),
    active: (threadId) => storage.read((reading) => reading.activeRunsOf(threadId)),
    claim: async (agents) => {
      if ((await storage.read((reading) => reading.dueRun(agents))) === undefined) return undefined;
      return storage.write(async (writing) => {
        const run = await writing.dueRun(agents);
        return run === undefined ? undefined : writing.claimRun(run, leases.from(writing.now));
      });
    },
    end: (run, status, events, error) =>
      storage.write(async (writing) => {
        if (!(await writing.endRun(run, status, error))) return [];
        return appendAll(writing, run, events);
      }),
    append: (run, events) => storage.write((writing) => appendAll(writing, run, events)),
    events: (threadId, afterSeq) => storage.read((reading) => reading.eventsOf(threadId, afterSeq)),
    compact: (threadId, latestRun, keepInterrupts) =>
      storage.write((writing) => writing.compactEvents(threadId, latestRun, keepInterrupts)),
  };
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
  if (active.length > 0) {
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
  await writing.insertRun(run);
  return { type: "started", run, thread, repeated: false };
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
  for (const { method, compact, body } of events) {
    stored.push(
      await writing.appendEvent(
        { threadId: run.threadId, runId: run.id, method, compact, body: {} },
        body,
      ),
    );
  }
  return stored;
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
