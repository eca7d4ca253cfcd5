import { describe, expect, onTestFinished, test } from "vitest";
import { startServer } from "../harness/postgres.ts";
import type { Answered } from "./conflict-messages.ts";
import { type ConflictFigures, conflicts } from "./conflicts.ts";
import { freshSqlite } from "./ground.ts";
import { contradictionsOf } from "./history.ts";
import { postgresGrounds } from "./postgres-ground.ts";
import { makeTrouble } from "./postgres-trouble.ts";

const seed = Number(process.env["HOLDPOINT_SEED"] ?? Math.floor(Math.random() * 1e9));
const replay = `replay it with: HOLDPOINT_SEED=${seed} npm test -- test/reliability/conflicts.test.ts`;
const size = { seed, processes: 4, clients: 64, freshGround: freshSqlite };

describe("64 clients of four processes that decide the same reviews at once", () => {
  test("F4, F5: each review has one winner, every loser is told who, and the history is linearizable", async () => {
    const found = await conflicts({ ...size, reviews: 100 });
    expect(found.violations, replay).toEqual([]);
    expect(found).toMatchObject({ decided: 100, winners: 100 });
    expect(found.losers).toBeGreaterThanOrEqual(63 * 100);
    expect(found.contested).toBe(100);
  });

  test.each([
    ["the second decision replaces the first", "second-decision-wins", /several/],
    ["reads come from an old state", "stale-reads", /seen open/],
  ])("the harness catches that %s", async (_what, fault, violation) => {
    const found = await conflicts({ ...size, reviews: 15, fault });
    expect(found.violations.join("\n")).toMatch(violation);
  });
});

describe("the same 64 clients on Postgres, with connections cut at COMMIT and a server that crashes", () => {
  const onPostgres = async (reviews: number, fault?: string): Promise<ConflictFigures> => {
    const server = await startServer();
    onTestFinished(server.stop);
    const freshGround = postgresGrounds(server.url);
    // Whoever takes a lost COMMIT for made meets one at each of them.
    const oneOf = fault === undefined ? 4 : 2;
    const trouble = (database: string) => makeTrouble(server, database, seed, oneOf);
    const faulty = fault === undefined ? {} : { fault };
    return conflicts({ ...size, reviews, freshGround, trouble, ...faulty });
  };

  test("F2, F4, F15: each review has one winner, every loser is told who, and the history is linearizable", async () => {
    const found = await onPostgres(8);
    expect(found.violations, replay).toEqual([]);
    expect(found).toMatchObject({ decided: 8, winners: 8 });
    expect(found.losers).toBeGreaterThanOrEqual(63 * 8);
    expect(found.trouble?.crashes).toBeGreaterThan(0);
    expect(found.trouble?.cutBefore).toBeGreaterThan(0);
    expect(found.trouble?.cutAfter).toBeGreaterThan(0);
  });

  test("the harness catches that a COMMIT which did not arrive counts as made", async () => {
    const { violations } = await onPostgres(15, "unknown-commit-acknowledged");
    expect(violations.join("\n")).toMatch(/several|nobody asked|seen open/);
  });
});

describe("a history of one action", () => {
  const calls = [
    { type: "calling", unit: 1, client: "anna", called: 10, wants: "anna approve" },
  ] as const;
  const won: Answered = {
    type: "won",
    unit: 1,
    client: "anna",
    called: 10,
    answered: 30,
    says: "anna approve",
  };
  const looked = (called: number, answered: number, says: string): Answered => ({
    ...won,
    type: "looked",
    client: "ben",
    called,
    answered,
    says,
  });
  const stored = "anna approve";

  test.each([
    ["seen open while it was being decided", looked(20, 40, "open"), 0],
    ["seen open after the winner was told", looked(31, 40, "open"), 1],
    ["seen decided while it was being decided", looked(12, 14, "anna approve"), 0],
    ["seen decided before the winner asked", looked(2, 9, "anna approve"), 1],
    ["seen decided by another", looked(31, 40, "ben reject"), 1],
  ])("%s", (_what, look, problems) => {
    expect(contradictionsOf({ answers: [won, look], calls, stored })).toHaveLength(problems);
  });

  test("seen open after another look had seen it decided", () => {
    const answers = [looked(12, 14, "anna approve"), looked(15, 16, "open")];
    expect(contradictionsOf({ answers, calls, stored })).toHaveLength(1);
  });
});
