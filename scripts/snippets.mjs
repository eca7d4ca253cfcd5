// Code in the guides is code that runs. A block names the file it comes from (```ts file=path#region),
// a region there is marked by `// #region name` and `// #endregion`, and both languages of a guide show
// the same code. `npm run format` copies the regions, `npm run check` compares them.
import "./node-version.mjs";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join, posix } from "node:path";
import { format } from "prettier";
import { listRepositoryFiles } from "./repository-files.mjs";
import { root } from "./run-tool.mjs";

/** @typedef {{ line: number, end: number, language: string, source: string | undefined, text: string }} Block */

const guides = /^(docs\/guides\/[^/]+|README(\.[\w-]+)?)\.md$/;
const mustRun = new Set(["ts", "tsx", "js", "typescript", "javascript"]);
/** @type {ReadonlyMap<string, string>} */
const parsers = new Map([
  ["ts", "typescript"],
  ["tsx", "typescript"],
  ["js", "babel"],
  ["json", "json"],
]);

/**
 * What is wrong with the code in the guides of a checkout, one finding a line.
 * @param {string} folder
 * @returns {Promise<string[]>}
 */
export async function findStaleSnippets(folder) {
  const files = listRepositoryFiles(folder).filter((file) => guides.test(file));
  const findings = await Promise.all(files.map((file) => problemsIn(folder, file)));
  return [...findings.flat(), ...files.flatMap((file) => differences(folder, file))];
}

/** Copies the regions into the guides of this repository. */
export async function writeSnippets() {
  for (const file of listRepositoryFiles(root).filter((name) => guides.test(name))) {
    const path = join(root, file);
    const lines = readFileSync(path, "utf8").split("\n");
    for (const block of findBlocks(lines.join("\n")).toReversed()) {
      const { text } = await readSource(root, file, block);
      if (text !== undefined) lines.splice(block.line, block.end - block.line, ...text.split("\n"));
    }
    writeFileSync(path, lines.join("\n"));
  }
}

/**
 * @param {string} folder
 * @param {string} file
 */
async function problemsIn(folder, file) {
  const findings = [];
  for (const block of findBlocks(readFileSync(join(folder, file), "utf8"))) {
    const { problem, text } = await readSource(folder, file, block);
    if (problem !== undefined) findings.push(`${file}:${block.line}: ${problem}`);
    else if (text !== undefined && text !== block.text) {
      findings.push(`${file}:${block.line}: is not what ${block.source} says; run npm run format`);
    }
  }
  return findings;
}

/**
 * A translation shows the same code in the same order.
 * @param {string} folder
 * @param {string} file
 */
function differences(folder, file) {
  const original = file.replace(/\.[\w-]+\.md$/, ".md");
  if (original === file || !existsSync(join(folder, original))) return [];
  const [own, its] = [file, original].map((name) =>
    findBlocks(readFileSync(join(folder, name), "utf8")).flatMap(({ source }) => source ?? []),
  );
  return String(own) === String(its) ? [] : [`${file}:1: shows other code than ${original}`];
}

/**
 * @param {string} document
 * @returns {Block[]}
 */
function findBlocks(document) {
  /** @type {Block[]} */
  const blocks = [];
  const lines = document.split("\n");
  for (let line = 0; line < lines.length; line += 1) {
    const [, mark, language = "", info = ""] =
      /^(`{3,})(\w*)\s*(.*)$/.exec(lines[line] ?? "") ?? [];
    if (mark === undefined) continue;
    const length = lines.slice(line + 1).findIndex((one) => one.startsWith(mark));
    const end = length === -1 ? lines.length : line + 1 + length;
    const source = /\bfile=(\S+)/.exec(info)?.[1];
    const text = lines.slice(line + 1, end).join("\n");
    blocks.push({ line: line + 1, end, language, source, text });
    line = end;
  }
  return blocks;
}

/**
 * What a block has to say, or what is wrong with where it comes from.
 * @param {string} folder
 * @param {string} file
 * @param {Block} block
 * @returns {Promise<{ problem?: string, text?: string }>}
 */
async function readSource(folder, file, { language, source }) {
  if (source === undefined) {
    return mustRun.has(language) ? { problem: "has code that no file runs; name one: file=…" } : {};
  }
  const [path = "", region] = source.split("#");
  const place = posix.join(posix.dirname(file), path);
  if (!existsSync(join(folder, place))) return { problem: `shows ${place}, which does not exist` };
  const whole = readFileSync(join(folder, place), "utf8");
  const text = region === undefined ? whole : readRegion(whole, region);
  if (text === undefined) return { problem: `shows a region of ${place} that is not there` };
  const parser = parsers.get(language);
  // Indented less than in its file, so some lines may break elsewhere.
  const shown = parser === undefined ? text : await format(text, { parser, printWidth: 100 });
  return { text: shown.trimEnd() };
}

/**
 * A region without the markers inside it; regions of one name belong together.
 * @param {string} text
 * @param {string} region
 */
function readRegion(text, region) {
  /** @type {string[]} */
  const open = [];
  /** @type {string[][]} */
  const parts = [];
  for (const line of text.split("\n")) {
    const start = /^\s*\/\/ #region (\S+)$/.exec(line)?.[1];
    if (start !== undefined) {
      open.push(start);
      if (start === region) parts.push([]);
    } else if (/^\s*\/\/ #endregion$/.test(line)) open.pop();
    else if (open.includes(region)) parts.at(-1)?.push(line);
  }
  return parts.length === 0 ? undefined : parts.map(dedent).join("\n\n");
}

/** @param {string[]} lines */
function dedent(lines) {
  const depths = lines.filter((line) => line !== "").map((line) => line.search(/\S/));
  const least = depths.length === 0 ? 0 : Math.min(...depths);
  return lines
    .map((line) => line.slice(least))
    .join("\n")
    .trim();
}
