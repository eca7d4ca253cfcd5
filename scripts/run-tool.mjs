import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

/** The folder of the repository. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");

/**
 * The JavaScript file behind a dev dependency's command. It is run with this Node, not through
 * `node_modules/.bin`, whose files are shell scripts on Windows.
 * @param {string} packageName
 * @param {string} [command] the command, where it is not called like the package
 */
export function toolPath(packageName, command = packageName) {
  const folder = join(root, "node_modules", packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  return join(folder, typeof bin === "string" ? bin : bin[command]);
}

/**
 * Runs a dev dependency's command and waits for it; its output goes where ours goes.
 * @param {string} path as `toolPath` gives it
 * @param {string[]} args
 * @param {string} [cwd]
 * @returns {number} the exit code; 1 where a signal ended it
 */
export function runTool(path, args, cwd = root) {
  const { status } = spawnSync(process.execPath, [path, ...args], {
    cwd,
    stdio: "inherit",
  });
  return status ?? 1;
}
