import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { behaviourTable } from "./behaviour-table.ts";

const rows = behaviourTable.flatMap((theme) => theme.rows);

test("the table has the rows H1 to H39, in order", () => {
  const ids = Array.from({ length: 39 }, (_, index) => `H${index + 1}`);
  expect(rows.map((row) => row.id)).toEqual(ids);
});

/** The ids that titles of this package's tests begin with; several are named one after the other. */
function testedRows(): ReadonlySet<string> {
  const source = join(import.meta.dirname, "..");
  const files = readdirSync(source, { recursive: true, encoding: "utf8" });
  const texts = files
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => readFileSync(join(source, name), "utf8"));
  const titles = texts.flatMap((text) => [...text.matchAll(/["'`]((?:[A-Z]\d+, )*[A-Z]\d+): /g)]);
  return new Set(titles.flatMap(([, ids = ""]) => ids.split(", ")));
}

test.each(rows)("$id has a test named for it", ({ id }) => {
  expect(testedRows()).toContain(id);
});

test.each(rows)("$id says everything in both languages", ({ en, zh }) => {
  for (const text of Object.values(en)) expect(text).not.toMatch(/\p{Script=Han}/u);
  for (const text of Object.values(zh)) expect(text).toMatch(/\p{Script=Han}|^`[^`]+`。$/u);
});
