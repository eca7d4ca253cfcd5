import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startPostgres, type TestPostgres } from "../../../../test/harness/postgres.ts";
import { freshSqlite } from "../../../../test/reliability/ground.ts";
import { newId } from "../ids.ts";
import { type Databases, keepDatabases } from "../testing/postgres-databases.ts";
import type { NewDatabase } from "../testing/temporary-engine.ts";
import { histories } from "./commands.ts";
import { type Database, openDatabase, type Sabotage } from "./database.ts";
import { concluding } from "./due-commands.ts";
import { faults } from "./faults.ts";
import type { Command } from "./steps.ts";

// Random histories of two processes, with crashes and jumps of the clock, on SQLite and on Postgres, beside
// a model that is nothing but the pure rules and plain maps. HOLDPOINT_MODEL_RUNS asks for more of them,
// HOLDPOINT_SEED for others; what fast-check prints of a failure (seed, path and the commands) plays it again.

const runs = Number(process.env["HOLDPOINT_MODEL_RUNS"] ?? 15);
const seed = Number(process.env["HOLDPOINT_SEED"] ?? 1);
const commandsAtMost = 60;

let postgres: TestPostgres;
let databasesOnPostgres: Databases;

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ["setInterval"] }); // leases are renewed when a history says so
  postgres = await startPostgres();
  databasesOnPostgres = keepDatabases(async () => ({ url: postgres.url, stop: postgres.stop }));
});

afterAll(async () => {
  await databasesOnPostgres.stop();
  vi.useRealTimers();
});

/** A history must not meet what is due of another, so each begins on empty databases. */
const onSqlite: NewDatabase = async () => {
  const { database, remove } = await freshSqlite();
  return { url: database, stop: remove };
};
const onPostgres: NewDatabase = () => databasesOnPostgres.take();

/** Plays histories until one ends otherwise than its model. */
async function play(
  grounds: readonly (readonly [name: string, take: NewDatabase])[],
  sabotage: Sabotage,
  options: fc.Parameters<[Iterable<Command>]>,
): Promise<void> {
  const history = async (commands: Iterable<Command>): Promise<void> => {
    const agent = newId("agent");
    const databases: Database[] = [];
    const stops: (() => Promise<void>)[] = [];
    try {
      for (const [name, take] of grounds) {
        const { url, stop } = await take();
        stops.unshift(stop);
        const database = await openDatabase(name, url, agent, sabotage);
        stops.unshift(database.stop);
        databases.push(database);
      }
      const state = { model: { drafts: [] }, real: databases };
      await fc.asyncModelRun(() => state, [...commands, concluding]);
    } finally {
      for (const stop of stops) await stop();
    }
  };
  await fc.assert(fc.asyncProperty(histories(commandsAtMost), history), options);
}

const sound: Sabotage = () => undefined;

test(
  `F11: ${runs} random histories end on both databases as the model says`,
  { timeout: 60_000 + runs * 10_000 },
  async () => {
    const grounds = [
      ["SQLite", onSqlite],
      ["Postgres", onPostgres],
    ] as const;
    await play(grounds, sound, { numRuns: runs, seed });
  },
);

describe("the model catches an engine that", () => {
  test.each(faults)("%s", { timeout: 120_000 }, async (_name, sabotage, said) => {
    const options = { numRuns: 200, seed: 1, endOnFailure: true };
    const played = play([["SQLite", onSqlite]], sabotage, options);
    await expect(played).rejects.toHaveProperty("cause.message", expect.stringMatching(said));
  });
});
