import type { Engine, EventDraft, Run, RunEvent, RunStatus } from "@holdpoint/engine";

/** Hears the events of one thread, in order, each after it is on disk. */
export type EventListener = (event: RunEvent) => void;

/** The events of all threads: stored first, then told to whoever listens. */
export type EventLog = {
  readonly append: (
    run: Pick<Run, "id" | "threadId">,
    events: readonly EventDraft[],
  ) => Promise<void>;
  /** Ends a run and stores its last events in one transaction. */
  readonly end: (
    run: Run,
    status: RunStatus,
    events: readonly EventDraft[],
    error?: string,
  ) => Promise<void>;
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
  return {
    append: async (run, events) => {
      if (events.length > 0) tell(await engine.runs.append(run, events));
    },
    end: async (run, status, events, error) =>
      tell(await engine.runs.end(run, status, events, error)),
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
export function protocolEvent(method: string, params: EventBody, compact = true): EventDraft {
  return {
    method,
    compact,
    body: (seq) => ({ type: "event", event_id: String(seq), seq, method, params }),
  };
}

type EventBody = ReturnType<EventDraft["body"]>;

/** An event of the root namespace, stamped with the time in milliseconds. */
export function rootEvent(method: string, data: EventBody, at: number = Date.now()): EventDraft {
  return protocolEvent(method, { namespace: [], timestamp: at, data });
}
