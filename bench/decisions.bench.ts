import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEngine } from "@holdpoint/engine";
import { startPostgres } from "../test/harness/postgres.ts";
import { fillPostgres, fillSqlite, idsOf } from "./fill-reviews.ts";

/**
 * How many decisions a second are durably recorded, each with its audit event, its permit and the run that
 * continues its thread, for 64 clients that each send the next one when the last was acknowledged. This is
 * not a resume: no graph runs here.
 */
const clients = 64;
const count = Number(process.argv[2] ?? 30_000);
const anna = { id: "anna", name: "Anna" };

/** Each client takes the next number until none is left. */
async function inParallel(work: (number: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const client = async (): Promise<void> => {
    while (next < count) await work((next += 1));
  };
  await Promise.all(Array.from({ length: clients }, client));
}

async function measure(name: string, database: string): Promise<void> {
  const engine = await openEngine({ database });
  const times: number[] = [];
  const cpu = process.cpuUsage();
  const start = performance.now();
  await inParallel(async (number) => {
    const sent = performance.now();
    const result = await engine.decide({
      reviewId: idsOf(number).review,
      decisions: [{ actionId: idsOf(number).action, decision: { type: "approve" } }],
      reviewer: anna,
    });
    if (result.type === "refused") throw new Error(result.refusal.message);
    times.push(performance.now() - sent);
  });
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): string => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(1);
  console.log(
    `${name}: ${Math.round(count / seconds).toLocaleString("en")} decisions a second; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${(sorted.at(-1) ?? 0).toFixed(1)}; ${((user + system) / count).toFixed(0)} µs of this process's CPU each`,
  );
  await engine.close();
}

const filling = { from: 1, to: count, isOpen: "n > 0" };
const folder = mkdtempSync(join(tmpdir(), "holdpoint-bench-"));
const path = join(folder, "decisions.db");
if (process.argv[3] !== "pg") {
  await fillSqlite(path, filling);
  await measure("SQLite FULL", `file:${path}`);
}
rmSync(folder, { recursive: true, force: true });
if (process.argv[3] !== "sqlite") {
  const postgres = await startPostgres();
  await fillPostgres(postgres.url, filling);
  await measure("Postgres", postgres.url);
  await postgres.stop();
}
