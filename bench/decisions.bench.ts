import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Engine, openEngine } from "@holdpoint/engine";
import { startPostgres } from "../test/harness/postgres.ts";
import { checkpoint, fillPostgres, fillSqlite, idsOf } from "./fill-reviews.ts";

/**
 * How many decisions a second are durably recorded, each with its audit event, its permit and the run that
 * continues its thread, for 64 clients that each send the next one when the last was acknowledged. This is
 * not a resume: no graph runs here.
 */
const clients = 64;
const count = Number(process.argv[2] ?? 30_000);
const anna = { id: "anna", name: "Anna" };

/** Decides the reviews of these numbers; each client takes the next until none is left. Returns each one's wait in ms. */
async function decideAll(engine: Engine, from: number, to: number): Promise<readonly number[]> {
  const times: number[] = [];
  let next = from;
  const client = async (): Promise<void> => {
    while (next <= to) {
      const { review, action } = idsOf(next);
      next += 1;
      const sent = performance.now();
      const result = await engine.decide({
        reviewId: review,
        decisions: [{ actionId: action, decision: { type: "approve" } }],
        reviewer: anna,
      });
      if (result.type === "refused") throw new Error(result.refusal.message);
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
  return times;
}

/** Decides as many before the clock starts: a server that was just made lays out its log first. */
async function measure(name: string, database: string): Promise<void> {
  const engine = await openEngine({ database });
  await decideAll(engine, 1, count);
  if (name === "Postgres") await checkpoint(database);
  const cpu = process.cpuUsage();
  const start = performance.now();
  const times = await decideAll(engine, count + 1, 2 * count);
  const seconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(cpu);
  const sorted = times.toSorted((a, b) => a - b);
  const at = (part: number): string => (sorted[Math.floor(sorted.length * part)] ?? 0).toFixed(1);
  console.log(
    `${name}: ${Math.round(count / seconds).toLocaleString("en")} decisions a second; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${(sorted.at(-1) ?? 0).toFixed(1)}; ${((user + system) / count).toFixed(0)} µs of this process's CPU each`,
  );
  await engine.close();
}

const filling = { from: 1, to: 2 * count, isOpen: "n > 0" };
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
