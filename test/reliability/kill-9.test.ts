import { describe, expect, test } from "vitest";
import { failpoints } from "../../packages/engine/src/failpoint.ts";
import { engineTrial } from "./engine-trial.ts";
import type { Figures } from "./figures.ts";
import { freshSqlite } from "./ground.ts";
import { killCycles } from "./kill-cycles.ts";
import { killRuns } from "./kill-runs.ts";
import { negativeControls, postgresControl } from "./negative-controls.ts";

const { seed, cycles, replay, databases, freshPostgres } = killRuns(
  "test/reliability/kill-9.test.ts",
  { usual: 300, oneOf: 3 },
);

describe("a worker that is killed at every named point, and at random moments", () => {
  const found = new Map<string, Figures>();

  test.each(databases)(
    "G1, F1, F2, F3, F7, F8, F58: on %s over %d kills nothing acknowledged is lost and nothing starts twice",
    async (database, kills, freshGround) => {
      const figures = await killCycles(engineTrial, { seed, cycles: kills, freshGround });
      found.set(database, figures);
      expect(figures.violations, replay).toEqual([]);
      expect(figures.cycles).toBe(kills);
      expect(figures.decisions, replay).toBeGreaterThan(kills);
      expect(figures.effects, replay).toBeGreaterThan(kills);
      expect(figures.unknown, replay).toBeGreaterThan(0);
    },
    600_000,
  );

  test("a process has died at every named point", () => {
    const killed = new Set([...found.values()].flatMap(({ killsAt }) => [...killsAt.keys()]));
    const never = failpoints.filter((point) => !killed.has(point));
    if (cycles >= 300) expect(never, `no process died there; ${replay}`).toEqual([]);
  });

  test.each(negativeControls)(
    "the harness catches an engine that $what",
    async ({ fault, violation }) => {
      const { violations } = await killCycles(engineTrial, {
        seed: 1,
        cycles: 30,
        freshGround: freshSqlite,
        fault,
      });
      expect(violations.join("\n")).toMatch(violation);
    },
    120_000,
  );

  test(`the harness catches an engine that ${postgresControl.what}`, async () => {
    const { fault, violation } = postgresControl;
    const run = { seed: 1, cycles: 30, freshGround: freshPostgres, fault };
    const { violations } = await killCycles(engineTrial, run);
    expect(violations.join("\n")).toMatch(violation);
  }, 120_000);
});
