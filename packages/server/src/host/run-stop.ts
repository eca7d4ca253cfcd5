/**
 * Why a run is stopped before it is done: a person asked for it, the server closes, another worker has
 * the run, or its events cannot be stored.
 */
export type StopReason = "cancelled" | "closing" | "lost" | "not_stored";

/** Stops a run once; the first reason counts. */
export type RunStop = {
  readonly signal: AbortSignal;
  readonly because: (reason: StopReason) => void;
  readonly reason: () => StopReason | undefined;
};

/** Creates what stops one run. */
export function createRunStop(): RunStop {
  const abort = new AbortController();
  let first: StopReason | undefined;
  return {
    signal: abort.signal,
    because: (reason) => {
      first ??= reason;
      abort.abort();
    },
    reason: () => first,
  };
}
