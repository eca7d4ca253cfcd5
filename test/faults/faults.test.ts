import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { faults } from "./faults.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const changes = Object.entries(faults).flatMap(([name, all]) =>
  all.map((change) => ({ name, ...change })),
);

test.each(changes)("the fault $name still fits $file", ({ file, find }) => {
  expect(readFileSync(`${root}${file}`, "utf8")).toContain(find);
});
