import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { spreadOf, textOf } from "./spread.ts";

/**
 * What importing `@holdpoint/langchain` adds to importing `langchain`: the built packages, each time in a
 * fresh process, once with and once without ours, in turns. "In the process" is the second import alone;
 * "between processes" compares whole processes, medians only, and so knows what the first import left
 * for the second to use.
 */
const rounds = Number(process.argv[2] ?? 20);
const root = fileURLToPath(new URL("../", import.meta.url));

type Imported = { readonly ms: number; readonly cpu: number; readonly mb: number };
type Reading = { readonly before: Imported; readonly after: Imported };

const script = (names: readonly string[]): string => `
  const read = () => {
    const { user, system } = process.cpuUsage();
    return { ms: performance.now(), cpu: (user + system) / 1000, mb: process.memoryUsage.rss() / 2 ** 20 };
  };
  await import("langchain");
  const before = read();
  for (const name of ${JSON.stringify(names)}) await import(name);
  console.log(JSON.stringify({ before, after: read() }));
`;

function run(names: readonly string[]): Reading {
  // No flags and no conditions: a reader's process, which sees the built packages.
  const env = { ...process.env, NODE_OPTIONS: "" };
  const args = ["--input-type=module", "--eval", script(names)];
  const output = execFileSync(process.execPath, args, { cwd: root, env, encoding: "utf8" });
  return JSON.parse(output) as Reading; // what the script prints
}

execFileSync(process.execPath, [join(root, "scripts/build-packages.mjs")], {
  cwd: root,
  env: { ...process.env, NODE_OPTIONS: "" },
});

const alone: Reading[] = [];
const together: Reading[] = [];
for (let round = 0; round < rounds; round += 1) {
  alone.push(run([]));
  together.push(run(["@holdpoint/langchain"]));
}

for (const [name, unit] of [
  ["ms", "ms"],
  ["cpu", "ms CPU"],
  ["mb", "MiB resident"],
] as const) {
  const base = spreadOf(alone.map(({ after }) => after[name]));
  const added = spreadOf(together.map(({ before, after }) => after[name] - before[name]));
  const difference = spreadOf(together.map(({ after }) => after[name])).median - base.median;
  console.log(
    `  langchain ${textOf(base, 0)} ${unit}; ours adds ${textOf(added, 1)} in the process, ${difference.toFixed(1)} between processes`,
  );
}
