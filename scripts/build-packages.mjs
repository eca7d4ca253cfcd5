// `npm run build`: makes packages/*/dist, the folders to publish. Each holds JavaScript,
// declarations, whatever else lies in src, the licence, and a package.json for readers without
// our sources. Packages that are private are not published.
import "./node-version.mjs";
// As a whole: Node 20 has no globSync, and would say so before it gets to the check above.
import fs from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import process from "node:process";
import { build } from "vite";
import { buildInbox, isCurrent } from "./inbox-build.mjs";
import { root, runTool, toolPath } from "./run-tool.mjs";

// An agent's process starts with these. Node takes about half a millisecond for each file, whatever is in
// it, so the code of each goes into one file for each entry. The others find SQL, or the inbox, beside them.
const bundled = new Set(["@holdpoint/core", "@holdpoint/langchain"]);

// Too small to be worth a file of their own at every start, and without any state to share.
const takenIn = new Set(["@holdpoint/engine/clock", "@holdpoint/engine/ids"]);

/** @typedef {{ name: string, private?: boolean, dependencies?: Record<string, string>, [key: string]: unknown }} Manifest */

const packages = fs
  .globSync("packages/*/package.json", { cwd: root })
  .map((file) => ({ folder: join(root, dirname(file)), manifest: readManifest(join(root, file)) }))
  .filter(({ manifest }) => manifest.private !== true);
const published = new Set(packages.map(({ manifest }) => manifest.name));

for (const { folder } of packages)
  fs.rmSync(join(folder, "dist"), { recursive: true, force: true });
/** @type {Set<string>} */
const built = new Set();
while (built.size < packages.length) {
  // A package is compiled against the declarations of those it needs, so those come first.
  const next = packages.find(
    ({ manifest }) =>
      !built.has(manifest.name) &&
      Object.keys(manifest.dependencies ?? {}).every(
        (name) => !published.has(name) || built.has(name),
      ),
  );
  if (next === undefined) throw new Error("The packages depend on each other in a circle.");
  await buildPackage(next.folder, next.manifest);
  built.add(next.manifest.name);
}

/**
 * @param {string} folder
 * @param {Manifest} manifest
 */
async function buildPackage(folder, manifest) {
  console.log(`Building ${manifest.name}.`);
  const sources = sourcesOf(folder, manifest);
  compile(folder, sources, bundled.has(manifest.name));
  if (bundled.has(manifest.name)) await bundle(folder, sources);
  const output = join(folder, "dist");
  copyAssets(join(folder, "src"), output);
  if (manifest.name === "@holdpoint/server") addInbox(output);
  fs.cpSync(join(root, "LICENSE"), join(output, "LICENSE"));
  const readme = join(folder, "README.md");
  if (fs.existsSync(readme)) fs.cpSync(readme, join(output, "README.md"));
  const publishedManifest = toPublished(manifest);
  fs.writeFileSync(join(output, "package.json"), `${JSON.stringify(publishedManifest, null, 2)}\n`);
  for (const target of listTargets(publishedManifest)) {
    if (!target.includes("*") && !fs.existsSync(join(output, target))) {
      throw new Error(`${manifest.name} promises ${target}, which its build does not contain.`);
    }
  }
}

/**
 * The sources of what the manifest promises, relative to the package.
 * @param {string} folder
 * @param {Manifest} manifest
 * @returns {string[]}
 */
function sourcesOf(folder, manifest) {
  const patterns = listTargets(manifest)
    .filter((target) => target.endsWith(".js"))
    .map((target) => target.replace(/^(\.\/)?dist\//, "src/").replace(/\.js$/, ".{ts,tsx}"));
  return fs.globSync(patterns, { cwd: folder });
}

/**
 * Emits what can be reached from the sources, so neither tests nor their helpers.
 * @param {string} folder
 * @param {string[]} sources
 * @param {boolean} isBundled when true, only declarations
 */
function compile(folder, sources, isBundled) {
  const project = join(folder, "tsconfig.build.json");
  const options = {
    noEmit: false,
    declaration: true,
    emitDeclarationOnly: isBundled,
    rootDir: "src",
    outDir: "dist",
    // The other packages are seen as a reader sees them.
    customConditions: [],
    allowJs: false,
    checkJs: false,
  };
  const content = {
    extends: "./tsconfig.json",
    compilerOptions: options,
    include: [],
    files: sources,
  };
  fs.writeFileSync(project, JSON.stringify(content));
  const status = runTool(toolPath("typescript", "tsc"), ["--project", project]);
  fs.rmSync(project);
  if (status !== 0) process.exit(1);
  // The compiler rewrites `.ts` in what runs and leaves it in declarations.
  for (const file of fs.globSync("**/*.d.ts", { cwd: join(folder, "dist") })) {
    const path = join(folder, "dist", file);
    const text = fs.readFileSync(path, "utf8");
    fs.writeFileSync(path, text.replaceAll(/((?:from|import)\s*\(?\s*"\.[^"]*)\.tsx?"/g, '$1.js"'));
  }
}

/**
 * Writes one readable file for each entry, and one for what entries have in common. Other packages stay
 * imports, but for the smallest.
 * @param {string} folder
 * @param {string[]} sources
 */
async function bundle(folder, sources) {
  const nameOf = (/** @type {string} */ source) => source.replace(/^src[/\\]|\.tsx?$/g, "");
  await build({
    configFile: false,
    logLevel: "warn",
    root: folder,
    build: {
      ssr: true,
      target: "es2024",
      minify: false,
      emptyOutDir: false,
      outDir: "dist",
      rolldownOptions: {
        input: Object.fromEntries(sources.map((source) => [nameOf(source), join(folder, source)])),
        external: (id) => !id.startsWith(".") && !isAbsolute(id) && !takenIn.has(id),
        output: { entryFileNames: "[name].js", chunkFileNames: "[name].js" },
      },
    },
  });
}

/**
 * SQL and whatever else the code reads at run time.
 * @param {string} source
 * @param {string} output
 */
function copyAssets(source, output) {
  for (const file of fs.globSync("**/*", { cwd: source })) {
    const isAsset = !/\.tsx?$/.test(file) && fs.statSync(join(source, file)).isFile();
    if (isAsset && !/(^|[/\\])fixtures[/\\]/.test(file)) {
      fs.cpSync(join(source, file), join(output, file));
    }
  }
}

/** @param {string} output the server's publish folder */
function addInbox(output) {
  if (!isCurrent() && !buildInbox()) process.exit(1);
  fs.cpSync(join(root, "packages/inbox/dist"), join(output, "inbox"), {
    recursive: true,
    filter: (path) => !path.endsWith(".build-hash"),
  });
}

/**
 * The package.json of the publish folder: without what only this repository needs, and with paths
 * that start from the folder itself.
 * @param {Manifest} manifest
 * @returns {Manifest}
 */
function toPublished(manifest) {
  const { scripts, files, devDependencies, ...rest } = manifest;
  return JSON.parse(JSON.stringify(rest), (key, value) => {
    if (key === "@holdpoint/source") return undefined;
    return typeof value === "string" ? value.replace(/^\.\/dist\//, "./") : value;
  });
}

/**
 * Every file that a manifest promises.
 * @param {Manifest} manifest
 * @returns {string[]}
 */
function listTargets({ exports, main, types, bin }) {
  /** @type {(value: unknown) => string[]} */
  const stringsIn = (value) => {
    if (typeof value === "string") return [value];
    return typeof value === "object" && value !== null
      ? Object.values(value).flatMap(stringsIn)
      : [];
  };
  return stringsIn([exports, main, types, bin]);
}

/**
 * @param {string} file
 * @returns {Manifest}
 */
function readManifest(file) {
  return JSON.parse(fs.readFileSync(file, "utf8"));
}
