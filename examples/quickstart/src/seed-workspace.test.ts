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

test("servers that start at the same moment seed one workspace, and all of them load their agent", async () => {
  const workspace = join(await mkdtemp(join(tmpdir(), "quickstart-seed-")), "workspace");
  await Promise.all(Array.from({ length: 8 }, () => seedWorkspace(workspace)));
  for (const [path, text] of [
    ["notes/today.md", "A-1002"],
    ["reports/q3.md", "warehouse"],
    ["报告/周报.md", "本周"],
  ] as const)
    expect(await readFile(join(workspace, path), "utf8")).toContain(text);
});
