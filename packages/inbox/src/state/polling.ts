/** How long after one answer a list or a review on screen is asked for again. */
export const refreshEveryMs = 1500;

/** Repeats a task until stopped. */
export type Polling = {
  /** Runs the task now, or once more right after the run in progress. */
  readonly now: () => void;
  readonly stop: () => void;
};

/**
 * Runs a task at once and then `everyMs` after each run has ended, while the page is visible.
 * A hidden page asks nothing; coming back, a regained focus or connection asks at once.
 */
export function startPolling(task: () => Promise<void>, everyMs: number): Polling {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let again = false;
  let stopped = false;

  async function run(): Promise<void> {
    if (running) {
      again = true;
      return;
    }
    clearTimeout(timer);
    running = true;
    again = false;
    try {
      await task();
    } finally {
      running = false;
    }
    if (stopped || isHidden()) return;
    if (again) void run();
    else timer = setTimeout(() => void run(), everyMs);
  }

  function now(): void {
    if (!stopped && !isHidden()) void run();
  }

  function onVisibility(): void {
    clearTimeout(timer);
    now();
  }

  document.addEventListener("visibilitychange", onVisibility);
  window.addEventListener("focus", now);
  window.addEventListener("online", now);
  now();
  return {
    now,
    stop() {
      stopped = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisibility);
      window.removeEventListener("focus", now);
      window.removeEventListener("online", now);
    },
  };
}

function isHidden(): boolean {
  return document.visibilityState === "hidden";
}
