import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEngine } from "@holdpoint/engine";
import { expect, onTestFinished, test, vi } from "vitest";
import { backupCommand, restoreCommand } from "./backup-command.ts";

const usage = "the usage";

function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-backup-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  vi.spyOn(console, "log").mockReturnValue();
  return folder;
}

test("restore --adopt opens a copy that was put back by hand", async () => {
  const folder = emptyFolder();
  const database = `file:${join(folder, "holdpoint.db")}`;
  await (await openEngine({ database })).close();
  const copy = join(folder, "copy.db");
  backupCommand([copy, "--data", folder], usage);
  await expect(openEngine({ database: `file:${copy}` })).rejects.toThrow("is a copy");
  await restoreCommand(["--adopt", "--database", `file:${copy}`], usage);
  await (await openEngine({ database: `file:${copy}` })).close();
});

test("a command that says two things, or nothing, is answered with its usage", async () => {
  const folder = emptyFolder();
  for (const args of [
    [],
    ["x.db", "--adopt"],
    ["x.db", "--database", "file:y.db"],
    ["--database", "file:y.db"],
    ["--adopt", "--colour"],
  ])
    await expect(restoreCommand(args, usage)).rejects.toThrow(usage);
  expect(() => backupCommand(["--data", folder], usage)).toThrow(usage);
  expect(() => backupCommand(["x.db", "--data", folder], usage)).toThrow("There is no database at");
});
