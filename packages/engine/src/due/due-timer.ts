import { messageOf } from "../error-message.ts";

/** How long the timer sleeps at most, in milliseconds: whatever other processes have added is found by then. */
const longestSleep = 500;
/** How long it waits after a failure, in milliseconds. */
const pause = 1_000;

/** A timer over work that becomes due by itself. */
export type DueTimer = {
  /** Looks at once: something may be due earlier than was known. */
  readonly wake: () => void;
  /** Resolves when nothing is under way; nothing is begun after that. */
  readonly stop: () => Promise<void>;
};

/**
 * Looks again and again, one look at a time. A look does what is due and says in how many milliseconds the
 * next is, if there is any. It does not keep the process alive. A failure is said once, and tried again.
 */
export function startDueTimer(name: string, look: () => Promise<number | undefined>): DueTimer {
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isWoken = false;
  let isStopped = false;
  let said = "";

  const sleep = (milliseconds: number): void => {
    if (isStopped) return;
    clearTimeout(timer);
    timer = setTimeout(begin, Math.min(milliseconds, longestSleep)).unref();
  };
  const once = async (): Promise<number> => {
    isWoken = false;
    try {
      const wait = (await look()) ?? longestSleep;
      said = "";
      return isWoken ? 0 : Math.max(wait, 0);
    } catch (error) {
      const message = messageOf(error);
      if (message !== said && !isStopped)
        process.emitWarning(`${name} is behind: ${message}`, "Holdpoint");
      said = message;
      return pause;
    }
  };
  const begin = (): void => {
    if (isStopped || looking !== undefined) return;
    looking = once().then((wait) => {
      looking = undefined;
      sleep(wait);
    });
  };
  begin();
  return {
    wake: () => {
      isWoken = true;
      clearTimeout(timer);
      begin();
    },
    stop: async () => {
      isStopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
