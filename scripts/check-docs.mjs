// Every relative link in a Markdown file leads to a file, its anchor to a heading, and every
// backticked path of this repository to something that exists. Code blocks are left alone. And the
// pages that are made from data say what the data says, and code in the guides is code that runs.
import "./node-version.mjs";
import { execFileSync } from "node:child_process";
// As a whole: Node 20 has no globSync, and would say so before it gets to the check above.
import fs from "node:fs";
import { join, posix } from "node:path";
import process from "node:process";
import { findOutdatedPages } from "./behaviour-page.mjs";
import { listRepositoryFiles, reportFindings } from "./repository-files.mjs";
import { root } from "./run-tool.mjs";
import { findStaleSnippets } from "./snippets.mjs";

const folder = process.argv[2] ?? root;
const topFolders = /^(\.ci|bench|docs|examples|packages|scripts|test)\//;

reportFindings([
  ...listRepositoryFiles(folder)
    .filter((file) => file.endsWith(".md"))
    .flatMap(checkDocument),
  ...(await findOutdatedPages(folder)),
  ...(await findStaleSnippets(folder)),
]);

/** @param {string} file */
function checkDocument(file) {
  return readLines(file).flatMap((line, index) => {
    const problems = findLinks(line).flatMap((link) => linkProblems(file, link));
    for (const path of findPaths(line)) {
      if (!pathExists(file, path)) problems.push(`names ${path}, which does not exist`);
    }
    return problems.map((problem) => `${file}:${index + 1}: ${problem}`);
  });
}

/**
 * The lines of a document, with those inside code blocks emptied.
 * @param {string} file
 */
function readLines(file) {
  /** @type {string | undefined} */
  let fence;
  return fs
    .readFileSync(join(folder, file), "utf8")
    .split("\n")
    .map((line) => {
      const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1];
      const isCode = fence !== undefined || mark !== undefined;
      if (fence === undefined) fence = mark;
      else if (mark?.startsWith(fence)) fence = undefined;
      return isCode ? "" : line;
    });
}

/**
 * Inline links, images, reference definitions and HTML attributes.
 * @param {string} line
 */
function findLinks(line) {
  const text = line.replaceAll(/`[^`]*`/g, "``");
  const inline = text.matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g);
  const defined = text.matchAll(/^\s*\[[^\]]+\]:\s+<?(\S+?)>?(?:\s|$)/g);
  const html = text.matchAll(/\b(?:href|src)="([^"]+)"/g);
  return [...inline, ...defined, ...html].flatMap(([, link]) => (link === undefined ? [] : [link]));
}

/**
 * @param {string} file
 * @param {string} link
 * @returns {string[]}
 */
function linkProblems(file, link) {
  if (/^([a-z][a-z0-9+.-]*:|\/\/)/i.test(link)) return [];
  const [path = "", anchor] = decodeURIComponent(link).split("#");
  const target = path === "" ? file : posix.join(posix.dirname(file), path);
  if (target.startsWith("..") || !fs.existsSync(join(folder, target))) {
    return [`links to ${link}, which does not exist`];
  }
  if (anchor === undefined || anchor === "" || !target.endsWith(".md")) return [];
  return listAnchors(target).has(anchor) ? [] : [`links to ${link}, which has no such heading`];
}

/**
 * The anchors that GitHub gives a document's headings, and those it sets itself.
 * @param {string} file
 */
function listAnchors(file) {
  /** @type {Set<string>} */
  const anchors = new Set();
  for (const line of readLines(file)) {
    for (const [, id = ""] of line.matchAll(/\b(?:id|name)="([^"]+)"/g)) anchors.add(id);
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1];
    if (heading === undefined) continue;
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .replaceAll(/<[^>]+>/g, "")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
      .replaceAll(" ", "-");
    let anchor = slug;
    for (let count = 1; anchors.has(anchor); count += 1) anchor = `${slug}-${count}`;
    anchors.add(anchor);
  }
  return anchors;
}

/**
 * Backticked words that look like a path in this repository: from its root, or `src/…` in a package.
 * @param {string} line
 */
function findPaths(line) {
  return [...line.matchAll(/`([^`\s]+)`/g)].flatMap(([, word = ""]) => {
    const path = word.replace(/:\d+$/, "");
    const isPath = topFolders.test(path) || path.startsWith("src/");
    // `…`, `<name>` and the like stand for something.
    return isPath && /^[\w@./*{},-]+$/.test(path) && !path.includes("...") ? [path] : [];
  });
}

/**
 * @param {string} file
 * @param {string} path
 */
function pathExists(file, path) {
  const ownFolder = /^(packages|examples)\/[^/]+/.exec(file)?.[0];
  if (path.startsWith("src/") && ownFolder === undefined) return true;
  const fromRoot = path.startsWith("src/") ? `${ownFolder}/${path}` : path;
  if (/[*{]/.test(fromRoot)) return fs.globSync(fromRoot, { cwd: folder }).length > 0;
  return fs.existsSync(join(folder, fromRoot)) || isIgnored(fromRoot);
}

/**
 * Whether Git ignores a path: what builds and tests write exists on some machines only.
 * @param {string} path
 */
function isIgnored(path) {
  try {
    execFileSync("git", ["check-ignore", "--quiet", path], { cwd: folder });
    return true;
  } catch {
    return false;
  }
}
