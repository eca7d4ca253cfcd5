import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Polling, startPolling } from "./polling.ts";

let page: EventTarget & { visibilityState: "visible" | "hidden" };
let frame: EventTarget;
let polling: Polling | undefined;

beforeEach(() => {
  vi.useFakeTimers();
  page = Object.assign(new EventTarget(), { visibilityState: "visible" as const });
  frame = new EventTarget();
  vi.stubGlobal("document", page);
  vi.stubGlobal("window", frame);
});

afterEach(() => {
  polling?.stop();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

function turn(state: "visible" | "hidden"): void {
  page.visibilityState = state;
  page.dispatchEvent(new Event("visibilitychange"));
}

test("the task runs at once and again after each interval", async () => {
  let runs = 0;
  polling = startPolling(async () => void (runs += 1), 1500);
  expect(runs).toBe(1);
  await vi.advanceTimersByTimeAsync(4500);
  expect(runs).toBe(4);
});

test("a hidden page asks nothing, and asks at once when it is seen again", async () => {
  let runs = 0;
  polling = startPolling(async () => void (runs += 1), 1500);
  await vi.advanceTimersByTimeAsync(0);
  turn("hidden");
  await vi.advanceTimersByTimeAsync(60_000);
  expect(runs).toBe(1);
  turn("visible");
  expect(runs).toBe(2);
});

test("a regained focus asks at once", async () => {
  let runs = 0;
  polling = startPolling(async () => void (runs += 1), 1500);
  await vi.advanceTimersByTimeAsync(100);
  frame.dispatchEvent(new Event("focus"));
  expect(runs).toBe(2);
});

test("runs never overlap; a wish during a run is met right after it", async () => {
  let running = 0;
  let runs = 0;
  polling = startPolling(async () => {
    running += 1;
    runs += 1;
    expect(running).toBe(1);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    running -= 1;
  }, 1500);
  polling.now();
  polling.now();
  await vi.advanceTimersByTimeAsync(1000);
  expect(runs).toBe(2);
});

test("a stopped task does not run again", async () => {
  let runs = 0;
  polling = startPolling(async () => void (runs += 1), 1500);
  polling.stop();
  frame.dispatchEvent(new Event("focus"));
  await vi.advanceTimersByTimeAsync(10_000);
  expect(runs).toBe(1);
});
