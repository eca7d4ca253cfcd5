import { startPostgres } from "../test/harness/postgres.ts";
import { agentWith, approve, ask, modelThatCalls } from "./agents.ts";
import { interleave, type Variant } from "./interleave.ts";
import {
  floor,
  type Ground,
  oursOnPostgres,
  oursOnSqlite,
  recordOnly,
  stockPostgres,
  stockSqlite,
} from "./savers.ts";
import { spreadOf, textOf } from "./spread.ts";

/**
 * One approval on a fresh thread, and how much of its cost lies above the floor: LangGraph's own work. In
 * brackets the quartiles.
 */
const extent = { rounds: Number(process.argv[2] ?? 100), runs: 2, warmUp: 10 };

function variantOf({ name, saver, middleware, host }: Ground): Variant {
  const model = modelThatCalls("write");
  const agent = agentWith([middleware], model, saver as never); // every agent takes any checkpointer
  return {
    name,
    run: async (threadId) => {
      await host(threadId, () => ask(agent, threadId));
      await host(threadId, () => approve(agent, threadId));
    },
    forget: async (threadId) => {
      model.asked.length = 0;
      await saver.deleteThread(threadId);
    },
  };
}

const postgres = [await startPostgres(), await startPostgres(), await startPostgres()] as const;
const grounds = [
  floor(),
  await recordOnly("SQLite", undefined),
  await recordOnly("Postgres", postgres[2].url),
  await oursOnSqlite(),
  stockSqlite("FULL"),
  stockSqlite("NORMAL"),
  await oursOnPostgres(postgres[0].url),
  await stockPostgres(postgres[1].url),
];
const samples = await interleave(grounds.map(variantOf), extent);
const base = spreadOf(samples.get("floor: references in memory") ?? []).median;
for (const [name, values] of samples) {
  const spread = spreadOf(values);
  console.log(
    `  ${name.padEnd(34)} ${textOf(spread, 2)} ms CPU, ${(spread.median - base).toFixed(2)} above the floor`,
  );
}
for (const { close } of grounds) await close();
for (const { stop } of postgres) await stop();
