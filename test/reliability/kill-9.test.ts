import { describe, expect, test } from "vitest";
import { failpoints } from "../../packages/engine/src/failpoint.ts";
import { freshSqlite } from "./ground.ts";
import { killCycles } from "./kill-cycles.ts";
import { negativeControls } from "./negative-controls.ts";

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

  test.each(negativeControls)(
    "the harness catches an engine that $what",
    async ({ fault, violation }) => {
      const found = await killCycles({ seed: 1, cycles: 30, freshGround: freshSqlite, fault });
      expect(found.violations.join("\n")).toMatch(violation);
    },
    120_000,
  );
});
