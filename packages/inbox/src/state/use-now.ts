import { useSyncExternalStore } from "react";

const listeners = new Set<() => void>();
let now = new Date().toISOString();
let timer: ReturnType<typeof setInterval> | undefined;

/** The present moment as an ISO-8601 UTC string, a new one every second; one clock for the page. */
export function useNow(): string {
  return useSyncExternalStore(subscribe, read, read);
}

function read(): string {
  return now;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    // The clock stood still while nobody listened; React compares the value again after this call.
    now = new Date().toISOString();
    timer = setInterval(tick, 1000);
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = new Date().toISOString();
  for (const listener of listeners) listener();
}
