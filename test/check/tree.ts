import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** File contents by path. */
export type Tree = Readonly<Record<string, string>>;

const root = fileURLToPath(new URL("../../", import.meta.url));
const configuration = [
  ".oxlintrc.json",
  ".prettierignore",
  ".prettierrc.json",
  "knip.json",
  "tsconfig.json",
];

/** What `npm run check` says of a small repository with our configuration and the given files. */
export function checkTree(files: Tree): {
  readonly output: string;
  readonly status: number | null;
} {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-check-"));
  try {
    for (const file of configuration) cpSync(join(root, file), join(folder, file));
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"), "junction");
    for (const [path, content] of Object.entries({ ".gitignore": "node_modules\n", ...files })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    execFileSync("git", ["init", "--quiet", folder]);
    const check = join(root, "scripts/check.mjs");
    const { stdout, stderr, status } = spawnSync(process.execPath, [check, folder], {
      encoding: "utf8",
    });
    return { output: `${stdout}${stderr}`, status };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A repository that has nothing wrong with it, and comes close to the rules without breaking them. */
export const goodTree: Tree = {
  "package.json": manifest({ name: "good", workspaces: ["packages/*"] }),
  "README.md": [
    "# Good",
    "",
    "See [the index](packages/core/src/index.ts), [below](#what-is-good) and `packages/core/src`.",
    "",
    "## What is good?",
    "",
    "```sh",
    "cat [nothing](nowhere.md)",
    "```",
    "",
  ].join("\n"),
  "docs/guides/code.md": [
    "# Code",
    "",
    "```ts file=../../packages/core/src/epoch.test.ts#show",
    'import { epoch } from "./index.ts";',
    "",
    "epoch.getTime();",
    "```",
    "",
    "```sh",
    "nothing that runs here",
    "```",
    "",
  ].join("\n"),
  "packages/core/package.json": manifest({
    name: "@holdpoint/core",
    exports: { ".": { "@holdpoint/source": "./src/index.ts", default: "./dist/index.js" } },
  }),
  "packages/core/tsconfig.json": '{ "extends": "../../tsconfig.json", "include": ["src"] }\n',
  "packages/core/src/index.ts": [
    "/** A fixed time can be read without a clock. */",
    "export const epoch = new Date(0);",
    "",
  ].join("\n"),
  "packages/core/src/epoch.test.ts": [
    "// #region show",
    'import { epoch } from "./index.ts";',
    "// #endregion",
    "",
    "if (epoch !== undefined) {",
    "  // #region show",
    "  epoch.getTime();",
    "  // #endregion",
    "}",
    "",
  ].join("\n"),
  "packages/core/src/longest.test.ts": `console.log(1);\n${"// a comment\n".repeat(499)}`,
  "packages/engine/package.json": manifest({
    name: "@holdpoint/engine",
    dependencies: { "@holdpoint/core": "*", "@langchain/langgraph": "*" },
    exports: { ".": { "@holdpoint/source": "./src/index.ts", default: "./dist/index.js" } },
  }),
  "packages/engine/src/index.ts": [
    'import { DatabaseSync } from "node:sqlite";',
    'import type { Json } from "@holdpoint/core";',
    'import type { Command } from "@langchain/langgraph";',
    "",
    "export const open = (path: string) => new DatabaseSync(path);",
    "export const name = (command: Command, json: Json) => [command.lg_name, json];",
    "",
  ].join("\n"),
  "packages/inbox/package.json": manifest({ name: "@holdpoint/inbox" }),
  "packages/inbox/tsconfig.json": '{ "extends": "../../tsconfig.json", "include": ["src"] }\n',
  "packages/inbox/src/title.test.ts": 'document.title = "Inbox";\n',
};

function manifest(fields: Readonly<Record<string, unknown>>): string {
  return `${JSON.stringify({ version: "0.1.0", type: "module", ...fields }, null, 2)}\n`;
}
