import { execFile } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";

const root = fileURLToPath(new URL("../", import.meta.url));
const project = mkdtempSync(join(tmpdir(), "holdpoint-packaging-"));
const installed = join(project, "node_modules/@holdpoint");
// A reader's machine does not know our export condition.
const env = { ...process.env, NODE_OPTIONS: "" };

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, unknown>>;
}

async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const { error, stdout, stderr } = await new Promise<{
    error: Error | null;
    stdout: string;
    stderr: string;
  }>((resolve) => {
    execFile(command, args, { cwd, env }, (error, stdout, stderr) => {
      resolve({ error, stdout, stderr });
    });
  });
  if (error !== null) throw new Error(`${command} ${args.join(" ")}\n${stdout}${stderr}`);
  return stdout;
}

function readManifest(folder: string): Manifest {
  // A package.json of our own build.
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}

const packages = globSync("packages/*/package.json", { cwd: root })
  .map((file) => basename(join(file, "..")))
  .filter((name) => !("private" in readManifest(join(root, "packages", name))));

/** What a reader can import: `@holdpoint/core`, and each subpath that is not a pattern. */
function listEntries(): string[] {
  return packages.flatMap((name) =>
    Object.keys(readManifest(join(installed, name)).exports ?? {})
      .filter((path) => !path.includes("*") && !path.endsWith(".json") && !path.endsWith(".css"))
      .map((path) => `@holdpoint/${name}${path.slice(1)}`),
  );
}

/** A dependency as it is here, so that nothing is downloaded; one nobody declared is not there. */
async function link(dependency: string, folder: string): Promise<void> {
  const target = ["node_modules", `packages/${basename(folder)}/node_modules`]
    .map((place) => join(root, place, dependency))
    .findLast((path) => existsSync(path));
  const place = join(folder, "node_modules", dependency);
  if (target === undefined) return;
  await mkdir(dirname(place), { recursive: true });
  await symlink(target, place, "junction");
}

beforeAll(async () => {
  await run(process.execPath, ["scripts/build-packages.mjs"], root);
  await mkdir(installed, { recursive: true });
  for (const name of packages) {
    const output = await run(
      "npm",
      ["pack", "--json", "--pack-destination", project],
      join(root, "packages", name, "dist"),
    );
    const tarball = /"filename":\s*"([^"]+)"/.exec(output)?.[1] ?? "";
    await mkdir(join(installed, name));
    const { dependencies, peerDependencies } = readManifest(join(root, "packages", name, "dist"));
    for (const dependency of Object.keys({ ...dependencies, ...peerDependencies })) {
      if (!dependency.startsWith("@holdpoint/")) await link(dependency, join(installed, name));
    }
    await run(
      "tar",
      ["-xzf", tarball, "-C", join(installed, name), "--strip-components=1"],
      project,
    );
  }
  await link("@types/node", project);
  await writeFile(join(project, "package.json"), '{ "type": "module" }');
});

afterAll(() => {
  rmSync(project, { recursive: true, force: true });
});

test("a packed package holds what it promises, its licence, and no sources or tests", () => {
  for (const name of packages) {
    const folder = join(installed, name);
    const files = globSync("**/*", { cwd: folder });
    expect(files).toContain("LICENSE");
    expect(files.filter((file) => /(?<!\.d)\.tsx?$|\.test\./.test(file))).toEqual([]);
    expect(JSON.stringify(readManifest(folder))).not.toMatch(/@holdpoint\/source|dist\//);
  }
});

test("each entry of each packed package can be imported by plain Node", async () => {
  for (const entry of listEntries()) {
    await run(
      process.execPath,
      ["--input-type=module", "--eval", `await import("${entry}")`],
      project,
    );
  }
});

test("importing the middleware into a LangChain agent loads a few files: no engine, no database", async () => {
  const script = `
    import { registerHooks } from "node:module";
    await import("langchain");
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    await import("@holdpoint/langchain");
    console.log(JSON.stringify(loaded));
  `;
  await link("langchain", project);
  const output = await run(process.execPath, ["--input-type=module", "--eval", script], project);
  const loaded = JSON.parse(output) as string[]; // what the script prints
  expect(loaded.some((url) => url.endsWith("/langchain/index.js"))).toBe(true);
  expect(loaded.filter((url) => /engine\/index|sqlite|deepagents/.test(url))).toEqual([]);
  expect(loaded.length).toBeLessThanOrEqual(12);
});

test("the types of each packed package can be read by a reader's compiler", async () => {
  const imports = listEntries().map((entry, index) => `import * as entry${index} from "${entry}";`);
  const uses = imports.map((_, index) => `console.log(entry${index});`);
  await writeFile(join(project, "reader.ts"), [...imports, ...uses].join("\n"));
  const compilerOptions = { module: "nodenext", target: "es2024", strict: true, noEmit: true };
  const options = { ...compilerOptions, types: ["node"], jsx: "react-jsx", skipLibCheck: true };
  await writeFile(
    join(project, "tsconfig.json"),
    JSON.stringify({ compilerOptions: options, files: ["reader.ts"] }),
  );
  await run(process.execPath, [join(root, "node_modules/typescript/bin/tsc")], project);
});
