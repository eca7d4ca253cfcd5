import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { describe, expect, test, vi } from "vitest";
import type { Alarm } from "../../alarm.ts";
import { openRaw } from "../../testing/raw-database.ts";
import { openTestEngine, temporaryFile } from "../../testing/temporary-engine.ts";
import { aDraft } from "../../testing/review-draft.ts";

const mebibyte = 1024 * 1024;

const strained = {
  type: "database.strained",
  error: expect.stringMatching(
    /^The log beside the database holds 7\d MiB that .*; end that reader .* by itself\.$/,
  ),
};

function sizeOfLog(path: string): number {
  return statSync(`${path}-wal`).size;
}

/** A file that somebody else writes to and reads; all that is told of it. */
async function openWatched() {
  const path = temporaryFile();
  const alarms: Alarm[] = [];
  const engine = await openTestEngine(path, { onAlarm: (alarm) => void alarms.push(alarm) });
  const [writes, reads] = [openRaw(path), openRaw(path)];
  writes.exec("CREATE TABLE filler (bytes BLOB)");
  return { path, alarms, engine, writes, reads };
}

function beginReading(reads: DatabaseSync): void {
  reads.exec("BEGIN");
  reads.prepare("SELECT count(*) FROM reviews").get();
}

function write(writes: DatabaseSync, mebibytes: number): void {
  writes.prepare("INSERT INTO filler VALUES (zeroblob(?))").run(mebibytes * mebibyte);
}

describe("F53: a log that a reader keeps from being moved into the database", () => {
  test("is said once, and when the reader has gone the log shrinks by itself", async () => {
    const { path, alarms, engine, writes, reads } = await openWatched();
    beginReading(reads);
    write(writes, 40);
    expect(await engine.health()).toEqual({ status: "well" });
    write(writes, 30);
    for (let look = 0; look < 2; look += 1)
      expect(await engine.health()).toEqual({ status: "well", warning: strained.error });
    expect(alarms).toEqual([strained]);
    await engine.openReview(aDraft()); // it is a warning: everything is still saved
    expect(sizeOfLog(path)).toBeGreaterThan(70 * mebibyte);
    reads.exec("ROLLBACK");
    expect(await engine.health()).toEqual({ status: "well" });
    await engine.openReview(aDraft());
    expect(sizeOfLog(path)).toBeLessThan(17 * mebibyte);
    beginReading(reads);
    write(writes, 70);
    await engine.health();
    expect(alarms).toEqual([strained, strained]);
  });

  test("is noticed although nobody asks", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    try {
      const { alarms, writes, reads } = await openWatched();
      beginReading(reads);
      write(writes, 70);
      await vi.advanceTimersByTimeAsync(59_000);
      expect(alarms).toEqual([]);
      await vi.advanceTimersByTimeAsync(1_000);
      await vi.waitFor(() => expect(alarms).toEqual([strained]));
    } finally {
      vi.useRealTimers();
    }
  });

  test("is no trouble when nobody reads, however much is written at once", async () => {
    const { alarms, engine, writes } = await openWatched();
    for (let time = 0; time < 3; time += 1) {
      write(writes, 70);
      expect(await engine.health()).toEqual({ status: "well" });
    }
    expect(alarms).toEqual([]);
  });
});
