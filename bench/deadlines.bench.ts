import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Engine, openEngine } from "@holdpoint/engine";
import { startPostgres } from "../test/harness/postgres.ts";
import { type Filling, fillPostgres, fillSqlite } from "./fill-reviews.ts";

/**
 * What open deadlines cost while none is due, how late each is noticed, and how long many take that are due at
 * one moment.
 */
const open = Number(process.argv[2] ?? 100_000);
const spread = 200;
const together = 5_000;
const idleSeconds = 10;

type Ground = {
  readonly database: string;
  readonly fill: (filling: Filling) => Promise<void>;
};

/** CPU of this process in ten seconds in which nothing is due, in milliseconds. */
async function idle(database: string): Promise<number> {
  const engine = await openEngine({ database });
  await sleep(1_000);
  const before = process.cpuUsage();
  await sleep(idleSeconds * 1_000);
  const { user, system } = process.cpuUsage(before);
  await engine.close();
  return (user + system) / 1_000;
}

/** How long after its deadline each review expired, in milliseconds. */
async function lateness(engine: Engine, expected: number): Promise<readonly number[]> {
  const late: number[] = [];
  const alive = setInterval(() => undefined, 1_000); // an engine alone keeps no process alive
  await new Promise<void>((resolve) => {
    engine.onExpired(({ deadline }) => {
      late.push(Date.now() - Date.parse(deadline?.at ?? ""));
      if (late.length === expected) resolve();
    });
  });
  clearInterval(alive);
  return late.toSorted((a, b) => a - b);
}

async function measure(name: string, { database, fill }: Ground): Promise<void> {
  const isOpen = "n > 0";
  const without = await idle(database);
  await fill({ from: 1, to: open, isOpen, deadline: "'2099-01-01T00:00:00.000Z'" });
  const withAll = await idle(database);
  console.log(
    `${name}: ${open.toLocaleString("en")} open deadlines, none due: ${withAll.toFixed(0)} ms of CPU in ${idleSeconds} s, ${without.toFixed(0)} ms without any`,
  );

  const soon = Date.now() + 4_000;
  const cases = Array.from({ length: spread }, (_, index) => {
    const deadline = new Date(soon + index * 50).toISOString();
    return `WHEN ${open + 1 + index} THEN '${deadline}'`;
  });
  const deadline = `CASE n ${cases.join(" ")} END`;
  await fill({ from: open + 1, to: open + spread, isOpen, deadline });
  const engine = await openEngine({ database });
  const late = await lateness(engine, spread);
  console.log(
    `${name}: ${spread} of them due one after the other: ${late[spread >> 1]} ms late at the median, ${late.at(-1)} ms at most`,
  );
  await engine.close();

  const moment = new Date(Date.now() + 5_000).toISOString();
  const from = open + spread + 1;
  await fill({ from, to: from + together - 1, isOpen, deadline: `'${moment}'` });
  const again = await openEngine({ database });
  const last = (await lateness(again, together)).at(-1) ?? 0;
  console.log(
    `${name}: ${together.toLocaleString("en")} due at one moment: the last expired after ${(last / 1_000).toFixed(1)} s`,
  );
  await again.close();
}

const folder = mkdtempSync(join(tmpdir(), "holdpoint-bench-"));
const path = join(folder, "deadlines.db");
await measure("SQLite", {
  database: `file:${path}`,
  fill: (filling) => fillSqlite(path, filling),
});
const postgres = await startPostgres();
await measure("Postgres", {
  database: postgres.url,
  fill: (filling) => fillPostgres(postgres.url, filling),
});
await postgres.stop();
rmSync(folder, { recursive: true, force: true });
