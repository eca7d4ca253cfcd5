import { beforeAll, describe, expect, test } from "vitest";
import { checkTree, goodTree } from "./tree.ts";

const core = "packages/core/src";
const client = "packages/client/src";
const server = "packages/server/src";

/** What is forbidden, a file that does it, and what the check must say about it. */
const violations: ReadonlyArray<readonly [rule: string, path: string, text: string, says: RegExp]> =
  [
    // types
    ["a type error", `${core}/mistyped.ts`, 'export const x: number = "1";', /TS2322/],
    ["an enum", `${core}/enumeration.ts`, "export enum E { A }", /TS1294/],
    ["a namespace", `${core}/space.ts`, "export namespace N { export const a = 1; }", /TS1294/],
    [
      "a type error in the inbox",
      "packages/inbox/src/wrong.ts",
      "export const x: 1 = 2;",
      /TS2322/,
    ],
    // lint
    ["any", `${core}/loose.ts`, "export const x = (y: any) => y;", /no-explicit-any/],
    [
      "a non-null `!`",
      `${core}/sure.ts`,
      "export const x = (y?: 1) => y!;",
      /no-non-null-assertion/,
    ],
    ["@ts-ignore", `${core}/hush.ts`, "// @ts-ignore\nexport const x = 1;", /ban-ts-comment/],
    ["a default export", `${core}/nameless.ts`, "export default 1;", /no-default-export/],
    ["a forgotten promise", `${core}/forgot.ts`, "Promise.resolve(1);", /no-floating-promises/],
    ["a file name that is not kebab-case", `${core}/CamelCase.ts`, "export {}", /filename-case/],
    ["a cycle", `${core}/ring.ts`, 'export { b } from "./ring-back.ts";', /no-cycle/],
    ["a cycle", `${core}/ring-back.ts`, 'import "./ring.ts";\nexport const b = 1;', /no-cycle/],
    [
      "a cycle of types",
      `${core}/type-ring.ts`,
      'import type { B } from "./type-ring-back.ts";\nexport type A = B[];',
      /no-cycle/,
    ],
    [
      "a cycle of types",
      `${core}/type-ring-back.ts`,
      'import type { A } from "./type-ring.ts";\nexport interface B { a: A }',
      /no-cycle/,
    ],
    // purity of core
    [
      "fetch in core",
      `${core}/asks.ts`,
      'export const x = fetch("/");',
      /Unexpected use of 'fetch'/,
    ],
    [
      "a global by way of globalThis",
      `${core}/hides.ts`,
      "globalThis.fetch;",
      /Unexpected.*'fetch'/,
    ],
    ["a timer in core", `${core}/waits.ts`, "setTimeout(() => {}, 1);", /'setTimeout'/],
    ["performance in core", `${core}/times.ts`, "performance.now();", /'performance'/],
    ["crypto in core", `${core}/random-id.ts`, "crypto.randomUUID();", /'crypto'/],
    ["Date.now() in core", `${core}/now.ts`, "Date.now();", /'Date\.now' is restricted/],
    ["Math.random() in core", `${core}/dice.ts`, "Math.random();", /'Math\.random' is restricted/],
    ["new Date() in core", `${core}/today.ts`, "export const x = new Date();", /read the clock/],
    ["Date() in core", `${core}/today-text.ts`, "export const x = Date();", /read the clock/],
    ["node:fs in core", `${core}/reads.ts`, 'import "node:fs";', /core must not import node:fs/],
    ["fs in core", `${core}/reads-too.ts`, 'await import("fs");', /core must not import fs/],
    // import directions
    ["core importing engine", `${core}/up.ts`, 'import "@holdpoint/engine";', /not import engine/],
    [
      "client importing engine",
      `${client}/up.ts`,
      'import "@holdpoint/engine";',
      /not import engine/,
    ],
    [
      "client importing types of the server",
      `${client}/types.ts`,
      'export type X = import("@holdpoint/server").X;',
      /client must not import server/,
    ],
    [
      "reaching into another package",
      `${server}/reach.ts`,
      'import type { X } from "../../engine/src/index.ts";',
      /import @holdpoint\/engine, not its files/,
    ],
    ["reaching outside", `${server}/out.ts`, 'import "../../../test/x.ts";', /what lies outside/],
    [
      "server importing client",
      `${server}/peer.ts`,
      'import "@holdpoint/client";',
      /import client/,
    ],
    ["importing the inbox", `${server}/page.ts`, 'await import("@holdpoint/inbox");', /the inbox/],
    [
      "importing the inbox in a test",
      "test/page.test.ts",
      'import "@holdpoint/inbox";',
      /the inbox/,
    ],
    ["a .tsx file on the server", `${server}/view.ts`, 'import "./view.tsx";', /Node cannot run/],
    ["SQLite outside engine", `${server}/sqlite.ts`, 'import "node:sqlite";', /only engine may/],
    [
      "Postgres outside engine",
      `${server}/postgres.ts`,
      'import "pg";',
      /only engine may import pg/,
    ],
    [
      "the LangGraph runtime outside langchain",
      `${server}/graph.ts`,
      'import { Command } from "@langchain/langgraph";',
      /only langchain may import @langchain\/langgraph at run time/,
    ],
    [
      "deepagents outside its folder",
      "packages/langchain/src/gate/deep.ts",
      'import "../deepagents/hold-deep-agent.ts";',
      /only packages\/langchain\/src\/deepagents\/ may import deepagents/,
    ],
    ["`export *`", `${core}/all.ts`, 'export * from "./index.ts";', /name what is exported/],
    ["a drawer", `${core}/utils.ts`, "export {}", /name it for what it does, not "utils"/],
    // file length
    [
      "a file of 501 lines",
      `${core}/long.ts`,
      `export {};${"\n// a comment".repeat(500)}`,
      /501 lines/,
    ],
    // documents
    [
      "a dead link",
      "docs/link.md",
      "[x](nowhere.md)",
      /links to nowhere\.md, which does not exist/,
    ],
    ["a dead anchor", "docs/anchor.md", "# A\n\n[x](#b)", /links to #b, which has no such heading/],
    ["a dead path", "docs/path.md", "`packages/gone/x.ts`", /names packages\/gone\/x\.ts/],
    [
      "a page that is not what its data says",
      "docs/guides/what-changes.md",
      "# Changed by hand",
      /what-changes\.md:1: is not what the behaviour table says/,
    ],
    ["code that no file runs", "docs/guides/bare.md", "```ts\nx();\n```", /code that no file runs/],
    [
      "code of a file that is gone",
      "docs/guides/gone.md",
      "```ts file=gone.ts\nx();\n```",
      /shows docs\/guides\/gone\.ts, which does not exist/,
    ],
    [
      "code of a region that is gone",
      "docs/guides/region.md",
      "```ts file=../../packages/core/src/index.ts#gone\nx();\n```",
      /a region of packages\/core\/src\/index\.ts that is not there/,
    ],
    [
      "code that is not what its file says",
      "docs/guides/stale.md",
      "```ts file=../../packages/core/src/index.ts\nx();\n```",
      /is not what \S+index\.ts says; run npm run format/,
    ],
    [
      "a translation with other code",
      "docs/guides/stale.zh-CN.md",
      "# 标题",
      /shows other code than docs\/guides\/stale\.md/,
    ],
    // unused
    ["a file nobody imports", `${core}/alone.ts`, "export const x = 1;", /alone\.ts/],
    [
      "an export nobody imports",
      `${core}/half-used.ts`,
      "export const used = 1;\nexport const neverUsed = 2;",
      /neverUsed .*half-used\.ts/,
    ],
    [
      "a dependency nobody imports",
      "packages/server/package.json",
      '{ "name": "@holdpoint/server", "dependencies": { "hono": "*" } }',
      /hono +packages\/server\/package\.json/,
    ],
    // format
    ["a badly formatted file", `${core}/ugly.ts`, "export   const x=1", /\[warn\].*ugly\.ts/],
  ];

describe("a tree that breaks every rule", () => {
  let lines: readonly string[] = [];
  let status: number | null = 0;

  beforeAll(() => {
    const bad = Object.fromEntries(violations.map(([, path, text]) => [path, `${text}\n`]));
    const importer = {
      [`${core}/half.test.ts`]: 'import { used } from "./half-used.ts";\nused;\n',
    };
    const result = checkTree({ ...goodTree, ...importer, ...bad });
    lines = result.output.split("\n");
    status = result.status;
  });

  test("fails, in every step", () => {
    expect(status).toBe(1);
    expect(lines.filter((line) => line.startsWith("passed"))).toEqual([]);
  });

  test.each(violations)("%s is named (%s)", (_, path, __, says) => {
    const file = path.split("/").at(-1) ?? path;
    const about = lines.filter((line) => line.includes(file));
    expect(about).toContainEqual(expect.stringMatching(says));
  });
});

test("a tree that breaks none passes every step", () => {
  const { output, status } = checkTree(goodTree);
  expect(output).not.toContain("FAILED");
  expect(status).toBe(0);
});
