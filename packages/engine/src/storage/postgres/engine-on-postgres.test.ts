import { afterAll, beforeAll, describe, vi } from "vitest";
import { startPostgres, type TestPostgres } from "../../../../../test/harness/postgres.ts";
import { type Databases, keepDatabases } from "../../testing/postgres-databases.ts";
import { keepEnginesIn } from "../../testing/temporary-engine.ts";

// The engine's own tests once more, with every engine on Postgres. What looks into an SQLite file is skipped.

let server: TestPostgres;
let databases: Databases;

beforeAll(async () => {
  server = await startPostgres();
  vi.stubEnv("DATABASE_URL", server.url); // from here on a start makes a database there
  databases = keepDatabases(startPostgres);
  keepEnginesIn(databases.take);
});

afterAll(async () => {
  await databases.stop();
  await server.stop();
});

describe("on Postgres", async () => {
  await import("../../access.test.ts");
  await import("../../audit/chain.test.ts");
  await import("../../audit/fold.test.ts");
  await import("../../permits.test.ts");
  await import("../../checkpoints/checkpoints.test.ts");
  await import("../../due/deadlines.test.ts");
  await import("../../due/due-checks.test.ts");
  await import("../../due/lost-runs.test.ts");
  await import("../../due/runs.test.ts");
  await import("../../due/stopped-process.test.ts");
  await import("../../reviews/answered-cards.test.ts");
  await import("../../reviews/reviews.test.ts");
  await import("../../reviews/replies.test.ts");
  await import("../../reviews/reviews-race.test.ts");
  await import("../../retention/retention.test.ts");
  await import("../storage.test.ts");
});
