// Whether the built inbox (packages/inbox/dist) is the one that today's sources give. "Current"
// means: the hash over everything that goes into the build equals the one stored at its end.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root, runTool, toolPath } from "./run-tool.mjs";

const inbox = join(root, "packages/inbox");
const hashFile = join(inbox, "dist/.build-hash");
const inputs = [
  "packages/inbox",
  "packages/client/package.json",
  "packages/client/src",
  "packages/core/package.json",
  "packages/core/src",
  "package-lock.json",
];

/** Whether the inbox has been built from exactly the sources that are there now. */
export function isCurrent() {
  return existsSync(hashFile) && readFileSync(hashFile, "utf8") === hashInputs();
}

/**
 * Builds the inbox.
 * @returns {boolean} whether that worked; if not, what is wrong has been printed
 */
export function buildInbox() {
  if (!existsSync(join(root, "node_modules/vite"))) {
    console.error("The inbox cannot be built without the dev dependencies: run npm install.");
    return false;
  }
  // Taken before the build: what changes while it runs makes it outdated.
  const hash = hashInputs();
  if (runTool(toolPath("vite"), ["build", "--logLevel", "warn"], inbox) !== 0) {
    console.error("The inbox could not be built; Vite says why above.");
    return false;
  }
  writeFileSync(hashFile, hash);
  return true;
}

function hashInputs() {
  const hash = createHash("sha256");
  for (const input of inputs) {
    for (const file of listFiles(input)) {
      hash
        .update(`${file}\0`)
        .update(readFileSync(join(root, file)))
        .update("\0");
    }
  }
  return hash.digest("hex");
}

/**
 * @param {string} path a file or a folder, relative to the root
 * @returns {string[]} the files that a build can read, in a fixed order
 */
function listFiles(path) {
  if (/\.\w+$/.test(path)) return existsSync(join(root, path)) ? [path] : [];
  return readdirSync(join(root, path), { withFileTypes: true })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      if (entry.isDirectory()) {
        const isOutput = entry.name === "node_modules" || entry.name === "dist";
        return isOutput ? [] : listFiles(`${path}/${entry.name}`);
      }
      return /\.test\.tsx?$/.test(entry.name) ? [] : [`${path}/${entry.name}`];
    });
}
