// House style 1: no source file is longer than 500 lines.
import "./node-version.mjs";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { listRepositoryFiles, reportFindings } from "./repository-files.mjs";
import { root } from "./run-tool.mjs";

const folder = process.argv[2] ?? root;
const longest = 500;

reportFindings(
  listRepositoryFiles(folder)
    .filter((file) => /\.(ts|tsx|mts|js|mjs|cjs|css|html|vue|svelte|sql|sh)$/.test(file))
    .map((file) => ({ file, lines: countLines(readFileSync(join(folder, file), "utf8")) }))
    .filter(({ lines }) => lines > longest)
    .map(({ file, lines }) => `${file}: ${lines} lines, and ${longest} is the most; split it`),
);

/** @param {string} text */
function countLines(text) {
  return text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
