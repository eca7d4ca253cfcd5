import { describe, expect, test } from "vitest";
import type { Figures } from "../figures.ts";
import { freshSqlite } from "../ground.ts";
import { killCycles } from "../kill-cycles.ts";
import { killRuns } from "../kill-runs.ts";
import { postgresControl } from "../negative-controls.ts";
import { graphControls } from "./graph-controls.ts";
import { graphPoints, graphTrial } from "./graph-trial.ts";

const { seed, cycles, replay, databases, freshPostgres } = killRuns(
  "test/reliability/graphs/graph-kills.test.ts",
  { usual: 64, oneOf: 4 },
);

describe("a worker with real agents that is killed at every named point, and at random moments", () => {
  const found = new Map<string, Figures>();

  test.each(databases)(
    "on %s over %d kills what was shown stays, a pause has its review, nothing starts unasked, and every thread comes to its end",
    async (database, kills, freshGround) => {
      const figures = await killCycles(graphTrial, { seed, cycles: kills, freshGround });
      found.set(database, figures);
      expect(figures.violations, replay).toEqual([]);
      expect(figures.cycles).toBe(kills);
      expect(figures.promises, replay).toBeGreaterThan(10 * kills);
      expect(figures.decisions, replay).toBeGreaterThan(kills);
      expect(figures.effects, replay).toBeGreaterThan(kills);
    },
    600_000,
  );

  test("a process has died at every named point, and some with a tool that ran", () => {
    const unknown = [...found.values()].reduce((sum, figures) => sum + figures.unknown, 0);
    if (cycles >= 64) expect(unknown, replay).toBeGreaterThan(0);
    const killed = new Set([...found.values()].flatMap(({ killsAt }) => [...killsAt.keys()]));
    const never = graphPoints.filter((point) => !killed.has(point));
    if (cycles >= 64) expect(never, `no process died there; ${replay}`).toEqual([]);
  });

  test.each(graphControls)(
    "the harness catches an agent that $what",
    async ({ fault, violation, cycles: kills = 60 }) => {
      const run = { seed: 1, cycles: kills, freshGround: freshSqlite, fault };
      const { violations } = await killCycles(graphTrial, run);
      expect(violations.join("\n")).toMatch(violation);
    },
    120_000,
  );

  test(`the harness catches an engine that ${postgresControl.what}`, async () => {
    const { fault, violation } = postgresControl;
    const run = { seed: 1, cycles: 60, freshGround: freshPostgres, fault };
    const { violations } = await killCycles(graphTrial, run);
    expect(violations.join("\n")).toMatch(violation);
  }, 120_000);
});
