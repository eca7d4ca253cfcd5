import type { Engine, EventDraft, Run, RunAppend, RunEvent, RunStatus } from "@holdpoint/engine";

/** Hears the events of one thread, in order, each after it is on disk. */
export type EventListener = (event: RunEvent) => void;

/** The events of all threads: stored first, then told to whoever listens. */
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
  readonly listen: (threadId: string, listener: EventListener) => () => void;
};

/** Creates the event log over an engine. */
export function createEventLog(engine: Engine): EventLog {
  const listeners = new Map<string, Set<EventListener>>();
  const tell = (events: readonly RunEvent[]): void => {
    for (const event of events) {
      for (const listener of listeners.get(event.threadId) ?? []) listener(event);
    }
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
    listen: (threadId, listener) => {
      const those = listeners.get(threadId) ?? new Set();
      listeners.set(threadId, those.add(listener));
      return () => {
        those.delete(listener);
        if (those.size === 0) listeners.delete(threadId);
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
