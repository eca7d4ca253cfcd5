import type { Engine, EventDraft, Run, RunAppend, RunEvent, RunStatus } from "@holdpoint/engine";
import { type Follower, followThread, type Following } from "./follow-thread.ts";

/** How often it is looked whether another process has stored something, in milliseconds. */
const pollEvery = 1_000;

/** The events of all threads: stored first, then told to whoever follows, whichever process stored them. */
export type EventLog = {
  /** Stores what a run says; `false` when the run is not the caller's any more. */
  readonly append: (run: Run, events: readonly EventDraft[]) => Promise<boolean>;
  /** Stores what is said about a thread on behalf of no run. */
  readonly appendNotice: (threadId: string, events: readonly EventDraft[]) => Promise<void>;
  /** Ends a run and stores its last events in one transaction; `false` when it is not the caller's any more. */
  readonly end: (
    run: Run,
    status: RunStatus,
    events: readonly EventDraft[],
    error?: string,
  ) => Promise<boolean>;
  /** The same for a run that nobody is to try again: it is audited as stuck, and an alarm is raised. */
  readonly giveUp: (run: Run, events: readonly EventDraft[], error: string) => Promise<boolean>;
  /** Hands over every event of a thread behind a number, in order and once; returns what ends it. */
  readonly follow: (threadId: string, after: number, follower: Follower) => () => void;
};

/** Creates the event log over an engine. */
export function createEventLog(engine: Engine): EventLog {
  const followings = new Map<string, Set<Following>>();
  let timer: NodeJS.Timeout | undefined;
  let looking = false;
  let lookAgain = false;

  /** A look that fails is made up for by the next one. */
  const look = async (): Promise<void> => {
    if (looking) return void (lookAgain = true);
    looking = true;
    lookAgain = false;
    try {
      for (const [threadId, seq] of await engine.runs.lastSeqs([...followings.keys()]))
        for (const following of followings.get(threadId) ?? []) following.tellNewest(seq);
    } catch {
      // the database is away; whoever reads or writes says so
    } finally {
      looking = false;
      if (lookAgain) void look();
    }
  };
  engine.onEvents((threadIds) => {
    if (threadIds.some((threadId) => followings.has(threadId))) void look();
  });
  const tell = (events: readonly RunEvent[]): void => {
    for (const event of events)
      for (const following of followings.get(event.threadId) ?? []) following.tell(event);
  };
  const tellStored = (stored: RunAppend): boolean => {
    if (stored.type === "lost") return false;
    tell(stored.events);
    return true;
  };
  return {
    append: async (run, events) => tellStored(await engine.runs.append(run, events)),
    appendNotice: async (threadId, events) => {
      if (events.length > 0) tell(await engine.runs.appendNotice(threadId, events));
    },
    end: async (run, status, events, error) =>
      tellStored(await engine.runs.end(run, status, events, error)),
    giveUp: async (run, events, error) => tellStored(await engine.runs.giveUp(run, events, error)),
    follow: (threadId, after, follower) => {
      const following = followThread(engine, { threadId, after }, follower);
      const those = followings.get(threadId) ?? new Set();
      followings.set(threadId, those.add(following));
      timer ??= setInterval(() => void look(), pollEvery).unref();
      return () => {
        following.stop();
        those.delete(following);
        if (those.size === 0 && followings.get(threadId) === those) followings.delete(threadId);
        if (followings.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
  };
}

/** A protocol event as clients receive it: `seq` and `event_id` rise for the life of the thread. */
export function protocolEvent(method: string, params: EventBody, keep = true): EventDraft {
  return {
    method,
    keep,
    body: (seq) => ({ type: "event", event_id: String(seq), seq, method, params }),
  };
}

type EventBody = ReturnType<EventDraft["body"]>;

/** An event of the root namespace, stamped with the time in milliseconds. */
export function rootEvent(method: string, data: EventBody, at: number = Date.now()): EventDraft {
  return protocolEvent(method, { namespace: [], timestamp: at, data });
}
