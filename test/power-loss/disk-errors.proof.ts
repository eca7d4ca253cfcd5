import { describe, expect, test } from "vitest";
import { type DiskError, failDisk } from "./disk-errors.ts";

const calls = 60;

/**
 * Primes, so that it is another write of a decision that fails each time; and large enough for one request to
 * come through together with the writes that must succeed before it.
 */
const disks: readonly DiskError[] = [
  { call: "pwrite64", error: "ENOSPC", every: 131 },
  { call: "pwrite64", error: "EIO", every: 149 },
  { call: "pwrite64", error: "EROFS", every: 167 },
  { call: "fsync", error: "EIO", every: 23 },
];

describe("F17: a disk of which each n-th call fails", () => {
  test.each(disks)(
    "$call with $error, each $every: nothing acknowledged is lost, and everything is accepted in the end",
    async (disk) => {
      const found = await failDisk(disk, calls);
      expect(found.violations).toEqual([]);
      expect(found.acknowledged).toBe(calls);
      expect(found.failures).toBeGreaterThan(5);
      for (const refusal of found.refusals)
        expect(refusal).toMatch(
          /The database (cannot save anything|cannot be|failed|.* could not be opened)/,
        );
    },
  );

  test("the harness catches an engine that acknowledges what the disk refused", async () => {
    const disk: DiskError = { call: "pwrite64", error: "EIO", every: 131 };
    const { violations } = await failDisk(disk, calls, "failed-commit-acknowledged");
    expect(violations.join("\n")).toMatch(/is lost/);
  });
});
