import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/**
 * What `npm start` costs: the time until it prints its link, and the memory it holds when idle, over
 * some starts. Idle memory is the resident set five seconds after the start (Linux only).
 */
const starts = 5;
const root = fileURLToPath(new URL("../", import.meta.url));

/** The very command of `npm start`, so that its flags are measured with it. */
const [, ...flags] = (
  JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { scripts: { start: string } }
).scripts.start.split(" ");

async function measure(): Promise<{ readonly readyMs: number; readonly idleMb: number }> {
  const data = mkdtempSync(join(tmpdir(), "holdpoint-bench-"));
  const began = performance.now();
  const child = spawn(process.execPath, flags, {
    cwd: root,
    env: { ...process.env, HOLDPOINT_DATA: data, PORT: "0" },
  });
  const readyMs = await new Promise<number>((resolve) => {
    child.stdout.on("data", (chunk: Buffer) => {
      if (chunk.toString().includes("/#/enter/")) resolve(performance.now() - began);
    });
  });
  await sleep(5_000);
  const resident = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1];
  child.kill();
  rmSync(data, { recursive: true, force: true });
  return { readyMs, idleMb: Number(resident) / 1024 };
}

const results: Awaited<ReturnType<typeof measure>>[] = [];
for (let round = 0; round < starts; round += 1) results.push(await measure());
const ready = results.map((result) => result.readyMs).toSorted((a, b) => a - b);
const idle = results.map((result) => result.idleMb).toSorted((a, b) => a - b);
const last = starts - 1;
console.log(
  `ready after ${ready[Math.floor(starts / 2)]?.toFixed(0)} ms (${ready[0]?.toFixed(0)} to ${ready[last]?.toFixed(0)})`,
);
console.log(
  `idle memory ${idle[Math.floor(starts / 2)]?.toFixed(0)} MiB (${idle[0]?.toFixed(0)} to ${idle[last]?.toFixed(0)})`,
);
