import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { seedWorkspace } from "./seed-workspace.ts";

test("a new workspace gets files to work with, and what happens to them stays", async () => {
  const workspace = join(await mkdtemp(join(tmpdir(), "quickstart-seed-")), "workspace");
  await seedWorkspace(workspace);
  expect(await readFile(join(workspace, "报告/周报.md"), "utf8")).toContain("本周");

  await rm(join(workspace, "reports/q3.md"));
  await writeFile(join(workspace, "notes/today.md"), "mine");
  await seedWorkspace(workspace);
  expect(await readFile(join(workspace, "notes/today.md"), "utf8")).toBe("mine");
  await expect(readFile(join(workspace, "reports/q3.md"))).rejects.toThrow("ENOENT");
});
