import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "../..");
const page = "docs/reliability.md";

type Row = { readonly id: string; readonly files: readonly string[] };

/** The rows of the page's tables of failures; those that are tested name the files. */
function rowsOf(text: string): readonly Row[] {
  return text.split("\n").flatMap((line) => {
    const [, id, , , tests = ""] = line.split("|").map((cell) => cell.trim());
    if (id === undefined || !/^F\d+$/.test(id)) return [];
    return [{ id, files: [...tests.matchAll(/`([^`]+)`/g)].flatMap(([, file]) => file ?? []) }];
  });
}

/** The rows that a title begins with, one after the other, as in "F2, F5: the same decision again …". */
function rowsInTitles(text: string): readonly string[] {
  const titles = text.matchAll(/["'`]((?:[A-Z]\d+, )*[A-Z]\d+): /g);
  return [...titles].flatMap(([, ids = ""]) => ids.split(", ")).filter((id) => id.startsWith("F"));
}

/** What is wrong between a page and the titles of the tests in files, in sentences. */
function problems(text: string, titlesIn: ReadonlyMap<string, readonly string[]>): string[] {
  const rows = rowsOf(text);
  const found: string[] = [];
  const ids = rows.map(({ id }) => Number(id.slice(1))).toSorted((a, b) => a - b);
  if (ids.some((id, index) => id !== index + 1)) found.push("A row is missing, or there twice.");
  for (const { id, files } of rows)
    for (const file of files)
      if (titlesIn.get(file)?.includes(id) !== true)
        found.push(`${file} has no test that is named for ${id}.`);
  const tested = new Set(rows.filter(({ files }) => files.length > 0).map(({ id }) => id));
  for (const [file, titles] of titlesIn)
    for (const id of titles)
      if (!tested.has(id)) found.push(`${file} tests ${id}, of which the page knows no test.`);
  return found;
}

function titlesInTree(): ReadonlyMap<string, readonly string[]> {
  const files = ["packages", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => /(\.test|\.proof|-checks)\.tsx?$/.test(path))
      .filter((path) => !path.includes("node_modules"))
      .map((path) => `${folder}/${path}`),
  );
  return new Map(
    files.map((file) => [file, rowsInTitles(readFileSync(join(root, file), "utf8"))] as const),
  );
}

const text = readFileSync(join(root, page), "utf8");
const titles = titlesInTree();

test("each failure of the record has tests that are named for it", () => {
  expect(problems(text, titles)).toEqual([]);
  expect(rowsOf(text).length).toBe(58);
});

describe("the check finds", () => {
  const file = "packages/engine/src/storage/two-servers.test.ts";

  test("a row whose test has another name", () => {
    const renamed = new Map(titles).set(file, []);
    expect(problems(text, renamed)).toEqual([`${file} has no test that is named for F20.`]);
  });

  test("a test of a row that the page does not know", () => {
    const other = new Map(titles).set(file, ["F20", "F59"]);
    expect(problems(text, other)).toEqual([`${file} tests F59, of which the page knows no test.`]);
  });

  test("a row that is gone", () => {
    const without = text.replace(/^\| F20 .*\n/m, "");
    expect(problems(without, titles)).toContain("A row is missing, or there twice.");
  });
});
