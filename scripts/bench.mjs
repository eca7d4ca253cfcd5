// `npm run bench`: every file in bench/, one after the other, each in a process of its own.
// Figures are ratios against the stock stack measured in the same run; they are printed, never tested.
import "./node-version.mjs";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { root } from "./run-tool.mjs";

const folder = join(root, "bench");
const files = readdirSync(folder).filter((name) => name.endsWith(".bench.ts"));
for (const name of files.toSorted()) {
  console.log(`\n${name}`);
  const { status } = spawnSync(
    process.execPath,
    ["--expose-gc", "--conditions=@holdpoint/source", join(folder, name)],
    { stdio: "inherit", cwd: root },
  );
  if (status !== 0) process.exitCode = 1;
}
