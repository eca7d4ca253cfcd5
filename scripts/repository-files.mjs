import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";

/**
 * Every file of a checkout that Git tracks or would track, relative to its folder.
 * @param {string} folder
 * @returns {string[]}
 */
export function listRepositoryFiles(folder) {
  const options = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const output = execFileSync("git", options, { cwd: folder, encoding: "utf8" });
  // A tracked file that was deleted is still listed.
  const files = output.split("\0").filter((file) => file !== "" && existsSync(join(folder, file)));
  return [...new Set(files)];
}

/**
 * Ends a check: prints what it found, one finding a line, and fails where there is any.
 * @param {string[]} findings
 */
export function reportFindings(findings) {
  for (const finding of findings) console.log(finding);
  process.exitCode = findings.length === 0 ? 0 : 1;
}
