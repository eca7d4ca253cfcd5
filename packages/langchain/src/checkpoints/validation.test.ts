import { openEngine } from "@holdpoint/engine";
import { specTest } from "@langchain/langgraph-checkpoint-validation";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startPostgres, type TestPostgres } from "../../../../test/harness/postgres.ts";
import { checkpointer, type HoldpointSaver } from "./checkpointer.ts";

// LangGraph's own suite for checkpointers, which takes its `describe` and `it` from the global object. It wants
// an empty one each time: some of its tests list all that there is.
Object.assign(globalThis, { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it });

let postgres: TestPostgres;
let client: Client;

beforeAll(async () => {
  postgres = await startPostgres();
  client = new Client({ connectionString: postgres.url });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await postgres.stop();
});

specTest<HoldpointSaver>({
  checkpointerName: "Holdpoint on SQLite",
  createCheckpointer: async () => checkpointer(await openEngine({ database: ":memory:" })),
  destroyCheckpointer: (saver) => saver.engine.close(),
});

specTest<HoldpointSaver>({
  checkpointerName: "Holdpoint on Postgres",
  createCheckpointer: async () => {
    const engine = await openEngine({ database: postgres.url });
    await client.query(
      "TRUNCATE holdpoint.checkpoints, holdpoint.checkpoint_parts, holdpoint.checkpoint_writes",
    );
    return checkpointer(engine);
  },
  destroyCheckpointer: (saver) => saver.engine.close(),
});
