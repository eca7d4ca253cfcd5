import { afterAll, beforeAll } from "vitest";
import { startPostgres, type TestPostgres } from "../harness/postgres.ts";
import { freshSqlite, type Ground } from "./ground.ts";
import { postgresGrounds } from "./postgres-ground.ts";

/** How the test file of one worker kills it: on which databases how often, and how that is replayed. */
export type KillRuns = {
  readonly seed: number;
  readonly cycles: number;
  readonly replay: string;
  readonly databases: readonly (readonly [string, number, () => Promise<Ground>])[];
  readonly freshPostgres: () => Promise<Ground>;
};

/**
 * Reads HOLDPOINT_SEED and HOLDPOINT_CYCLES, and starts a Postgres for the tests of this file. A cycle takes three
 * times as long on Postgres, so one of `oneOf` cycles runs there.
 */
export function killRuns(
  file: string,
  { usual, oneOf }: { readonly usual: number; readonly oneOf: number },
): KillRuns {
  const seed = Number(process.env["HOLDPOINT_SEED"] ?? Math.floor(Math.random() * 1e9));
  const cycles = Number(process.env["HOLDPOINT_CYCLES"] ?? usual);
  const onPostgres = Math.floor(cycles / oneOf);
  let postgres: TestPostgres;
  let fresh: () => Promise<Ground>;
  beforeAll(async () => {
    postgres = await startPostgres();
    fresh = postgresGrounds(postgres.url);
  });
  afterAll(() => postgres.stop());
  const freshPostgres = (): Promise<Ground> => fresh();
  return {
    seed,
    cycles,
    replay: `replay it with: HOLDPOINT_SEED=${seed} HOLDPOINT_CYCLES=${cycles} npm test -- ${file}`,
    databases: [
      ["SQLite", cycles - onPostgres, freshSqlite],
      ["Postgres", onPostgres, freshPostgres],
    ],
    freshPostgres,
  };
}
