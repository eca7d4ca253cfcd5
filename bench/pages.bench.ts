import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Engine, openEngine } from "@holdpoint/engine";
import { startPostgres } from "../test/harness/postgres.ts";
import { fillPostgres, fillSqlite } from "./fill-reviews.ts";

/**
 * How long a page of 50 pending reviews takes, as an inbox asks for it: whole reviews, with their actions and
 * permits, the newest and from the middle on. Half of all reviews are pending, the others are decided.
 */
const sizes = (process.argv[2] ?? "10000,100000,1000000").split(",").map(Number);
const pages = 1000;
async function measure(name: string, size: number, engine: Engine): Promise<void> {
  const list = (cursor?: string) =>
    engine.reviews.list({
      status: "open",
      order: "newest",
      limit: 50,
      ...(cursor === undefined ? {} : { cursor }),
    });
  const middle = String(Math.floor(size / 2)).padStart(20, "0");
  const timesOf = async (cursor?: string): Promise<string> => {
    for (let warm = 0; warm < 500; warm += 1) await list(cursor);
    const times: number[] = [];
    for (let page = 0; page < pages; page += 1) {
      const start = performance.now();
      const { reviews } = await list(cursor);
      times.push(performance.now() - start);
      if (reviews.length !== 50) throw new Error(`The page has ${reviews.length} reviews.`);
    }
    const sorted = times.toSorted((a, b) => a - b);
    const at = (part: number): string => (sorted[Math.floor(pages * part)] ?? 0).toFixed(2);
    return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
  };
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  const newest = await timesOf();
  const fromMiddle = await timesOf(middle);
  globalThis.gc?.();
  const grown = (process.memoryUsage().rss - before) / 1024 / 1024;
  console.log(
    `${name}, ${size.toLocaleString("en")} reviews: newest ${newest}; from the middle ${fromMiddle}; memory ${grown < 0 ? "−" : "+"}${Math.abs(grown).toFixed(0)} MB`,
  );
}

const folder = mkdtempSync(join(tmpdir(), "holdpoint-bench-"));
const postgres = await startPostgres();
const path = join(folder, "pages.db");
let filled = 0;
for (const size of sizes) {
  const filling = { from: filled + 1, to: size, isOpen: "n % 2 = 0" };
  await fillSqlite(path, filling);
  const onSqlite = await openEngine({ database: `file:${path}` });
  await measure("SQLite", size, onSqlite);
  await onSqlite.close();
  await fillPostgres(postgres.url, filling);
  const onPostgres = await openEngine({ database: postgres.url });
  await measure("Postgres", size, onPostgres);
  await onPostgres.close();
  filled = size;
}
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
