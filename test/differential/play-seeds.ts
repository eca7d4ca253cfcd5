import { afterAll, beforeAll, test } from "vitest";
import { startPostgres, type TestPostgres } from "../harness/postgres.ts";
import { compareSeed } from "./compare.ts";
import { type Databases, openDatabases } from "./grounds.ts";

/** Plays so many seeds in one test file, or the one that HOLDPOINT_SEED names if it is among them. */
export function playSeeds(first: number, count: number): void {
  let postgres: TestPostgres;
  let databases: Databases;

  beforeAll(async () => {
    postgres = await startPostgres();
    databases = openDatabases(postgres.url);
  });

  afterAll(async () => {
    await databases.close();
    await postgres.stop();
  });

  const only = process.env["HOLDPOINT_SEED"];
  const batches = Array.from({ length: count / 50 }, (_, batch) => first + batch * 50);
  const seeds = (batch: number) => Array.from({ length: 50 }, (_, index) => batch + index);
  const isPlayed = (seed: number) => only === undefined || String(seed) === only;

  test.each(batches)(
    "our saver gives the states and histories that MemorySaver gives, for fifty programs from seed %i on",
    { timeout: 120_000 },
    async (batch) => {
      for (const seed of seeds(batch).filter(isPlayed)) {
        const difference = await compareSeed(seed, databases);
        if (difference !== undefined) throw new Error(difference); // an assertion would cut it short
      }
    },
  );
}
