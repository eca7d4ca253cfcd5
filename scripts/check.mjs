// `npm run check`: everything that can be said about the code without running it. Another folder
// can be named; it is then checked with this repository's tools.
import "./node-version.mjs";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import process from "node:process";
import { root, toolPath } from "./run-tool.mjs";

const folder = process.argv[2] ?? root;
/** @type {ReadonlyArray<readonly [name: string, script: string, ...args: string[]]>} */
const steps = [
  ["types", toolPath("typescript", "tsc"), "--project", "."],
  ["inbox types", toolPath("typescript", "tsc"), "--project", "packages/inbox"],
  ["lint", toolPath("oxlint"), "--type-aware", "--deny-warnings", "--format=unix"],
  ["architecture", join(root, "scripts/check-architecture.mjs"), folder],
  ["file length", join(root, "scripts/check-file-length.mjs"), folder],
  ["documents", join(root, "scripts/check-docs.mjs"), folder],
  ["unused", toolPath("knip"), "--no-progress"],
  ["format", toolPath("prettier"), "--check", "--cache", "--log-level", "warn", "."],
];

// The tools' output is collected and searched; some colour it wherever CI is set.
/** @type {NodeJS.ProcessEnv} */
const environment = { ...process.env, NO_COLOR: "1" };
delete environment["FORCE_COLOR"];
const failures = [];
for (const [name, ...command] of steps) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: folder,
    env: environment,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${status === 0 ? "passed" : "FAILED"}  ${name.padEnd(12)} ${seconds} s`);
  if (status !== 0) failures.push(`\n${name}\n${`${stdout}${stderr}`.trim()}`);
}
for (const failure of failures) console.log(failure);
process.exitCode = failures.length === 0 ? 0 : 1;
