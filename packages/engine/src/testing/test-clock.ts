import type { Clock } from "../clock.ts";

/** A clock that stands still until it is moved. */
export type TestClock = { readonly clock: Clock; readonly advance: (milliseconds: number) => void };

/** Starts a clock at noon of a fixed day. */
export function createTestClock(start = "2026-11-30T12:00:00.000Z"): TestClock {
  let now = Date.parse(start);
  return {
    clock: () => new Date(now).toISOString(),
    advance: (milliseconds) => {
      now += milliseconds;
    },
  };
}
