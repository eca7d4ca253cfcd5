import type { ActionId } from "@holdpoint/core";
import { afterEach, expect, test, vi } from "vitest";
import type { Engine } from "./engine.ts";
import { approvedAction } from "./testing/review-draft.ts";
import { createTestClock } from "./testing/test-clock.ts";
import { openTestEngine, temporaryFile } from "./testing/temporary-engine.ts";

afterEach(() => void vi.useRealTimers());

const ran = { status: "succeeded", message: { content: "sent" } } as const;

const statusOf = async (engine: Engine, id: ActionId) =>
  (await engine.storage.read((reading) => reading.findPermit(id)))?.permit.state.status;

const permitEvents = async (engine: Engine, stream: string) =>
  (await engine.storage.read((reading) => reading.auditOf(stream)))
    .map(({ type }) => type)
    .filter((type) => type.startsWith("permit."));

/** Two calls that are started: one by an engine that is gone, one by an engine that is there. */
async function startTwo() {
  const path = temporaryFile();
  const { clock, advance } = createTestClock();
  const [gone, there] = [
    await openTestEngine(path, { clock }),
    await openTestEngine(path, { clock }),
  ];
  const [lost, kept] = [await approvedAction(gone), await approvedAction(there)];
  await gone.startPermit(lost.id, lost.digest);
  await there.startPermit(kept.id, kept.digest);
  await gone.close();
  return { path, clock, advance, there, lost, kept };
}

test("a tool whose process is gone is settled although nobody waits for it (found by a soak)", async () => {
  const { path, clock, there, lost, kept } = await startTwo();
  await there.settleLost();
  expect(await statusOf(there, lost.id)).toBe("started"); // its lease holds until somebody knows better
  const next = await openTestEngine(path, { clock }); // which ends the leases of the dead of this machine
  await next.settleLost();
  expect(await statusOf(next, lost.id)).toBe("unknown");
  expect(await permitEvents(next, lost.reviewId)).toEqual(["permit.started", "permit.unknown"]);
  expect(await statusOf(next, kept.id)).toBe("started");
  expect((await next.startPermit(lost.id, lost.digest)).type).toBe("refused");
  expect((await next.closePermit(lost.id, 1, ran)).type).toBe("done");
  await next.settleLost();
  expect(await permitEvents(next, lost.reviewId)).toEqual([
    "permit.started",
    "permit.unknown",
    "permit.refused",
    "permit.succeeded",
  ]);
});

test("one on another machine is settled when its lease is over, but not what this engine runs itself", async () => {
  const { advance, there, lost, kept } = await startTwo();
  advance(15_000);
  await there.settleLost();
  expect(await statusOf(there, lost.id)).toBe("unknown");
  expect(await statusOf(there, kept.id)).toBe("started");
  expect((await there.closePermit(kept.id, 1, ran)).type).toBe("done");
});

test("an engine looks for them by itself", async () => {
  vi.useFakeTimers({ toFake: ["setInterval"] });
  const { path, clock, lost } = await startTwo();
  const next = await openTestEngine(path, { clock });
  expect(await statusOf(next, lost.id)).toBe("started");
  vi.advanceTimersByTime(5_000);
  await vi.waitFor(async () => expect(await statusOf(next, lost.id)).toBe("unknown"));
});
