import { describe, expect, test } from "vitest";
import { failpoints } from "../../packages/engine/src/failpoint.ts";
import { freshSqlite } from "./ground.ts";
import { killCycles } from "./kill-cycles.ts";

const seed = Number(process.env["HOLDPOINT_SEED"] ?? Math.floor(Math.random() * 1e9));
const cycles = Number(process.env["HOLDPOINT_CYCLES"] ?? 300);
const replay = `replay it with: HOLDPOINT_SEED=${seed} HOLDPOINT_CYCLES=${cycles} npm test -- test/reliability/kill-9.test.ts`;

describe("a worker that is killed at every named point, and at random moments", () => {
  test(`G1, F1, F2, F3, F7, F8, F58: over ${cycles} kills nothing acknowledged is lost and nothing starts twice`, async () => {
    const found = await killCycles({ seed, cycles, freshGround: freshSqlite });
    expect(found.violations, replay).toEqual([]);
    expect(found.cycles).toBe(cycles);
    const never = failpoints.filter((point) => !found.killsAt.has(point));
    if (cycles >= 300) expect(never, `no process died there; ${replay}`).toEqual([]);
    expect(found.decisions, replay).toBeGreaterThan(cycles);
    expect(found.effects, replay).toBeGreaterThan(cycles);
    expect(found.unknown, replay).toBeGreaterThan(0);
  }, 600_000);

  test.each([
    ["answers before the COMMIT", "reply-before-commit", "not kept"],
    ["starts a tool while its permit is being consumed", "tool-before-permit", "ran 2 times"],
    ["lets a permit be used twice", "permit-used-twice", "ran 2 times"],
    ["runs a lost start again without a word", "lost-start-runs-again", "ran under another fence"],
    ["runs again what nobody knows the end of", "unknown-runs-again", "ran under another fence"],
    ["lets the second decision replace the first", "second-decision-wins", '"type":"decided"'],
    ["forgets to continue a thread", "continue-forgotten", "nothing will continue"],
    ["changes a permit without an audit event", "permit-unaudited", "but its events say"],
  ])(
    "the harness catches an engine that %s",
    async (_what, fault, violation) => {
      const found = await killCycles({ seed: 1, cycles: 30, freshGround: freshSqlite, fault });
      expect(found.violations.join("\n")).toContain(violation);
    },
    120_000,
  );
});
