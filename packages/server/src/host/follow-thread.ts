import type { Engine, RunEvent } from "@holdpoint/engine";

/** How many events wait in memory for a slow reader at most; it gets the others from the disk. */
const mostWaiting = 256;

/** Who follows a thread: each event, in order and once; while a promise is pending no other comes. */
export type Follower = {
  readonly hear: (event: RunEvent) => Promise<void> | void;
  /** The events could not be read; nothing is heard after it. */
  readonly fail: (error: unknown) => void;
};

/** What a follower is told: it looks for itself what it has not heard yet. */
export type Following = {
  /** An event that this process stored. */
  readonly tell: (event: RunEvent) => void;
  /** The number of the newest event, whoever stored it. */
  readonly tellNewest: (seq: number) => void;
  readonly stop: () => void;
};

/**
 * Follows a thread from behind a number. What is told only says that there is something: an event that is
 * not the next one, because another process stored what lies between, is read from the disk. Numbers that
 * were compacted away meanwhile are passed over.
 */
export function followThread(
  engine: Engine,
  from: { readonly threadId: string; readonly after: number },
  { hear, fail }: Follower,
): Following {
  const waiting: RunEvent[] = [];
  let heard = from.after;
  let newest = from.after;
  let isBehind = true;
  let isBusy = false;
  let stopped = false;

  const readOn = async (): Promise<readonly RunEvent[]> => {
    isBehind = false;
    const known = newest;
    const events = await engine.runs.events(from.threadId, heard);
    if (events.length === 0) heard = Math.max(heard, known);
    return events;
  };
  const next = async (): Promise<readonly RunEvent[]> => {
    const [event] = waiting.splice(0, 1);
    if (event !== undefined && event.seq <= heard) return [];
    if (event?.seq === heard + 1 && !isBehind) return [event];
    return readOn();
  };
  const goOn = async (): Promise<void> => {
    if (isBusy || stopped) return;
    isBusy = true;
    try {
      while (!stopped && (isBehind || heard < newest)) {
        for (const event of await next()) {
          if (stopped) return;
          heard = Math.max(heard, event.seq);
          await hear(event);
        }
      }
    } catch (error) {
      if (!stopped) fail(error);
      stopped = true;
    } finally {
      isBusy = false;
    }
  };
  void goOn();
  return {
    tell: (event) => {
      newest = Math.max(newest, event.seq);
      if (waiting.length < mostWaiting) waiting.push(event);
      void goOn();
    },
    tellNewest: (seq) => {
      newest = Math.max(newest, seq);
      void goOn();
    },
    stop: () => void (stopped = true),
  };
}
