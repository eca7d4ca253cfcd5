import { startPostgres } from "../test/harness/postgres.ts";
import { agentWith, approve, ask, modelThatCalls } from "./agents.ts";
import {
  floor,
  type Ground,
  oursOnPostgres,
  oursOnSqlite,
  stockPostgres,
  stockSqlite,
} from "./savers.ts";

/**
 * One thread on which one call after another is approved: what it takes on disk, and what a pause and its resume
 * cost as it grows. `npm run bench` goes to 100 turns, because LangGraph's own savers take longer with every
 * turn; `node … bench/long-thread.bench.ts 1000` goes to 1,000. The order of the variants does not matter: each
 * runs alone, one after the other, and its figures are medians of the last nine turns.
 */
const turns = Number(process.argv[2] ?? 100);
const only = process.argv[3];
const shown = new Set([10, 25, 50, 100, 250, 500, 750, 1000, turns]);

async function grow({ name, saver, middleware, bytes, close }: Ground): Promise<void> {
  const model = modelThatCalls("write");
  const agent = agentWith([middleware], model, saver as never); // every agent takes any checkpointer
  const spent: { readonly pause: number; readonly resume: number }[] = [];
  const start = performance.now();
  for (let turn = 1; turn <= turns; turn += 1) {
    model.asked.length = 0; // the script keeps what it was asked, which would be measured as memory
    const pause = await cpuOf(() => ask(agent, "thread"));
    const resume = await cpuOf(() => approve(agent, "thread"));
    spent.push({ pause, resume });
    if (!shown.has(turn)) continue;
    const seconds = (performance.now() - start) / 1000;
    const { checkpoints, all } = await bytes();
    const last = spent.slice(-9);
    console.log(
      `  ${name.padEnd(34)} ${String(turn).padStart(5)} turns: ${megabytes(checkpoints)} MB of checkpoints, ${megabytes(all)} MB in all; pause ${median(last.map((one) => one.pause))}, resume ${median(last.map((one) => one.resume))} ms CPU; ${seconds.toFixed(1)} s so far`,
    );
  }
  await close();
}

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function median(values: readonly number[]): string {
  return (values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0).toFixed(1);
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(2);
}

const postgres = await startPostgres();
const grounds: readonly (readonly [string, () => Promise<Ground>])[] = [
  ["floor", async () => floor()],
  ["ours-sqlite", () => oursOnSqlite()],
  ["stock-sqlite", async () => stockSqlite("FULL")],
  ["ours-postgres", () => oursOnPostgres(postgres.url)],
  ["stock-postgres", () => stockPostgres(postgres.url)],
];
for (const [name, open] of grounds)
  if (only === undefined || only.split(",").includes(name)) await grow(await open());
await postgres.stop();
