// What the linter cannot say: which package may import which (the table in the architecture
// document), who may reach a database or the LangGraph runtime, and that core reads no clock.
import "./node-version.mjs";
import { readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join, posix } from "node:path";
import process from "node:process";
import { parseSync } from "vite";
import { listRepositoryFiles, reportFindings } from "./repository-files.mjs";
import { root } from "./run-tool.mjs";

/** @typedef {{ type: string, start: number, [key: string]: unknown }} SyntaxNode */
/** @typedef {{ name: string, isType: boolean, start: number }} Import */
/** @typedef {{ file: string, inPackage: string | undefined, isTest: boolean }} Source */

/** @type {ReadonlyMap<string, readonly string[]>} */
const allowedImports = new Map([
  ["core", []],
  ["engine", ["core"]],
  ["langchain", ["core", "engine"]],
  ["server", ["core", "engine", "langchain"]],
  ["client", ["core"]],
  ["inbox", ["client", "core"]],
]);
const rendersPages = new Set(["client", "inbox"]);
const drawers = new Set(["utils", "util", "helpers", "common", "shared", "lib"]);

const folder = process.argv[2] ?? root;
reportFindings(
  listRepositoryFiles(folder)
    .filter((file) => /\.(ts|tsx|mjs)$/.test(file))
    .flatMap(checkFile),
);

/** @param {string} file */
function checkFile(file) {
  const text = readFileSync(join(folder, file), "utf8");
  const inPackage = /^packages\/([^/]+)\/src\//.exec(file)?.[1];
  const source = { file, inPackage, isTest: /\.test\.tsx?$/.test(file) };
  const { imports, clockReads, exportsAll } = readSyntax(file, text);
  /** @type {(at: number, message: string) => string} */
  const finding = (at, message) => `${file}:${text.slice(0, at).split("\n").length}: ${message}`;

  const findings = imports.flatMap((imported) =>
    importProblems(source, imported).map((problem) => finding(imported.start, problem)),
  );
  if (inPackage === "core" && !source.isTest) {
    for (const at of clockReads) findings.push(finding(at, "core must not read the clock"));
  }
  for (const at of exportsAll) findings.push(finding(at, "name what is exported, no `export *`"));
  const drawer = file.split(/[/.]/).find((part) => drawers.has(part));
  if (inPackage !== undefined && drawer !== undefined) {
    findings.push(finding(0, `name it for what it does, not "${drawer}"`));
  }
  return findings;
}

/**
 * @param {Source} source
 * @param {Import} imported
 * @returns {string[]}
 */
function importProblems(source, imported) {
  const { inPackage, isTest } = source;
  const { name } = imported;
  const target = targetPackage(source, name);
  const problems = [];

  if (target === "inbox" && inPackage !== "inbox") problems.push("nobody may import the inbox");
  if (inPackage === undefined) return problems;

  if (target !== undefined && target !== inPackage && target !== "inbox") {
    const allowed = allowedImports.get(inPackage) ?? [];
    if (!allowed.includes(target)) problems.push(`${inPackage} must not import ${target}`);
    if (name.startsWith(".")) problems.push(`import @holdpoint/${target}, not its files: ${name}`);
  }
  if (name.endsWith(".tsx") && !rendersPages.has(inPackage)) {
    problems.push(`${inPackage} must not import a .tsx file, which Node cannot run: ${name}`);
  }
  if (isTest) return problems;

  if (name.startsWith(".") && !resolveFile(source, name).startsWith(`packages/${inPackage}/`)) {
    if (target === undefined)
      problems.push(`${inPackage} must not import what lies outside: ${name}`);
  }
  if (inPackage === "core" && isBuiltin(name)) problems.push(`core must not import ${name}`);
  if (inPackage !== "engine" && /^(node:sqlite|pg|pg-.*)$/.test(name)) {
    problems.push(`only engine may import ${name}`);
  }
  // deepagents is an optional peer: whoever does not use it must be able to do without it.
  const forDeepAgents = "packages/langchain/src/deepagents/";
  const leadsThere =
    name === "deepagents" ||
    (name.startsWith(".") && resolveFile(source, name).startsWith(forDeepAgents));
  if (leadsThere && !source.file.startsWith(forDeepAgents)) {
    problems.push(`only ${forDeepAgents} may import deepagents: ${name}`);
  }
  const isRuntime = /^@langchain\/langgraph(\/|$)/.test(name) && !imported.isType;
  if (inPackage !== "langchain" && isRuntime) {
    problems.push(
      `only langchain may import ${name} at run time; import its types with import type`,
    );
  }
  return problems;
}

/**
 * The package of ours that an import leads to, if any.
 * @param {Source} source
 * @param {string} name
 */
function targetPackage(source, name) {
  const path = name.startsWith(".") ? resolveFile(source, name) : name;
  return /^(?:@holdpoint|packages)\/([^/]+)/.exec(path)?.[1];
}

/**
 * @param {Source} source
 * @param {string} name a relative import
 */
function resolveFile(source, name) {
  return posix.join(posix.dirname(source.file), name);
}

/**
 * What does not parse is empty here; the compiler names it.
 * @param {string} file
 * @param {string} text
 */
function readSyntax(file, text) {
  const { program } = parseSync(file, text);
  /** @type {{ imports: Import[], clockReads: number[], exportsAll: number[] }} */
  const found = { imports: [], clockReads: [], exportsAll: [] };

  /** @param {unknown} value */
  const visit = (value) => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (!isNode(value)) return;
    const imported = importOf(value);
    if (imported !== undefined) found.imports.push(imported);
    if (readsClock(value)) found.clockReads.push(value.start);
    if (value.type === "ExportAllDeclaration" && value["exported"] === null) {
      found.exportsAll.push(value.start);
    }
    Object.values(value).forEach(visit);
  };
  visit(program);
  return found;
}

/**
 * @param {SyntaxNode} node
 * @returns {Import | undefined}
 */
function importOf(node) {
  const isRequire = node.type === "CallExpression" && isNamed(node["callee"], "require");
  const source = isRequire
    ? Array.isArray(node["arguments"]) && node["arguments"][0]
    : node["source"];
  if (!isNode(source) || typeof source["value"] !== "string") return undefined;
  const isType =
    node.type === "TSImportType" || node["importKind"] === "type" || node["exportKind"] === "type";
  return { name: source["value"], isType, start: node.start };
}

/** @param {SyntaxNode} node */
function readsClock(node) {
  if (!isNamed(node["callee"], "Date")) return false;
  // Called as a function, Date ignores its arguments and tells the time.
  if (node.type === "CallExpression") return true;
  return Array.isArray(node["arguments"]) && node["arguments"].length === 0;
}

/**
 * @param {unknown} value
 * @param {string} name
 */
function isNamed(value, name) {
  return isNode(value) && value.type === "Identifier" && value["name"] === name;
}

/**
 * @param {unknown} value
 * @returns {value is SyntaxNode}
 */
function isNode(value) {
  return typeof value === "object" && value !== null && "type" in value && "start" in value;
}
