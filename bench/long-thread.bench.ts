import { writeFileSync } from "node:fs";
import { startPostgres } from "../test/harness/postgres.ts";
import { agentOfDeltas, agentWith, approve, ask, modelThatCalls } from "./agents.ts";
import { type Curve, type Point, pictureOf } from "./picture.ts";
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
 * cost as it grows. `npm run bench` goes to 100 turns, because LangGraph's own savers take longer with every turn.
 *
 *   node … bench/long-thread.bench.ts 1000                            goes to 1,000
 *   node … bench/long-thread.bench.ts 1000 ours-sqlite,stock-sqlite   some of them
 *   node … bench/long-thread.bench.ts 1000 all docs/long-thread.svg   and draws it
 *
 * Each variant runs alone, one after the other, and its figures are medians of the last nine turns. Deltas stop at
 * 100 turns without `v1`, so they run with it. Ours is measured once more at the end by a saver that remembers nothing.
 */
const turns = Number(process.argv[2] ?? 100);
const only = process.argv[3] ?? "all";
const picture = process.argv[4];
const shown = new Set([10, 25, 50, 100, 250, 500, 750, 1000, turns]);

function agentOn({ saver, middleware, tuning, host }: Ground) {
  const model = modelThatCalls("write");
  const agent =
    tuning === "deltas"
      ? agentOfDeltas([middleware], model, saver)
      : agentWith([middleware], model, saver as never); // every agent takes any checkpointer
  const durability = tuning === "exit" ? "exit" : "async";
  return {
    pause: () => host("thread", () => ask(agent, "thread", durability)),
    resume: () => host("thread", () => approve(agent, "thread", durability)),
    clear: () => void (model.asked.length = 0), // the script keeps what it was asked, which would be measured as memory
  };
}

async function grow(ground: Ground): Promise<Curve> {
  const { name, bytes, close, again } = ground;
  const agent = agentOn(ground);
  const spent: { readonly pause: number; readonly resume: number }[] = [];
  const points: Point[] = [];
  const start = performance.now();
  for (let turn = 1; turn <= turns; turn += 1) {
    agent.clear();
    spent.push({ pause: await cpuOf(agent.pause), resume: await cpuOf(agent.resume) });
    if (!shown.has(turn)) continue;
    const seconds = (performance.now() - start) / 1000;
    const { checkpoints, all } = await bytes();
    const last = spent.slice(-9);
    const pause = median(last.map((one) => one.pause));
    const resume = median(last.map((one) => one.resume));
    points.push({ turn, megabytes: checkpoints / 1_000_000, resume });
    console.log(
      `  ${name.padEnd(34)} ${String(turn).padStart(5)} turns: ${megabytes(checkpoints)} MB of checkpoints, ${megabytes(all)} MB in all; pause ${pause.toFixed(1)}, resume ${resume.toFixed(1)} ms CPU; ${seconds.toFixed(1)} s so far`,
    );
  }
  await close();
  if (again !== undefined) await restart(name, again);
  return { name, points };
}

/** A pause that the saver of before left, resumed by one that remembers nothing; nine times, each by another one. */
async function restart(name: string, again: () => Promise<Ground>): Promise<void> {
  const spent: number[] = [];
  for (let time = 0; time < 9; time += 1) {
    const before = await again();
    await agentOn(before).pause();
    await before.close();
    const after = await again();
    spent.push(await cpuOf(agentOn(after).resume));
    await after.close();
  }
  console.log(`  ${name.padEnd(34)} after a restart: resume ${median(spent).toFixed(1)} ms CPU`);
}

async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function megabytes(bytes: number): string {
  return (bytes / 1_000_000).toFixed(2);
}

const postgres = [await startPostgres(), await startPostgres(), await startPostgres()] as const;
const grounds: readonly (readonly [string, () => Promise<Ground>])[] = [
  ["floor", async () => floor()],
  ["ours-sqlite", () => oursOnSqlite()],
  ["deltas-sqlite", async () => stockSqlite("FULL", "deltas")],
  ["exit-sqlite", async () => stockSqlite("FULL", "exit")],
  ["stock-sqlite", async () => stockSqlite("FULL")],
  ["ours-postgres", () => oursOnPostgres(postgres[0].url)],
  ["exit-postgres", () => stockPostgres(postgres[1].url, "exit")],
  ["stock-postgres", () => stockPostgres(postgres[2].url)],
];
const curves: Curve[] = [];
for (const [name, open] of grounds)
  if (only === "all" || only.split(",").includes(name)) curves.push(await grow(await open()));
for (const { stop } of postgres) await stop();
if (picture !== undefined) writeFileSync(picture, pictureOf(curves));
