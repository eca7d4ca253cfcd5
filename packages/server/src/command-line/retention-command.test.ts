import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEngine } from "@holdpoint/engine";
import { expect, onTestFinished, test, vi } from "vitest";
import { eraseCommand, retainCommand } from "./retention-command.ts";

const usage = "the usage";

test("removing and erasing say what they did", async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-retention-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const said: unknown[] = [];
  vi.spyOn(console, "log").mockImplementation((line: unknown) => void said.push(line));
  const database = `file:${join(folder, "holdpoint.db")}`;
  await (await openEngine({ database })).close();
  await retainCommand(["--older-than", "90d", "--database", database], usage);
  await eraseCommand(["--thread", "t", "--database", database], usage);
  await eraseCommand(["--reviewer", "anna", "--database", database], usage);
  expect(said).toEqual([
    "Removed 0 threads; their audit stays.",
    "Erased. 0 bodies in the audit are empty now, and a record says which.",
    "Erased. 0 bodies in the audit are empty now, and a record says which.",
  ]);
});

test("a command that leaves out what to remove, or says it twice, is answered with its usage", async () => {
  const database = ["--database", "file:none.db"];
  for (const args of [[], ["--older-than", "90"], ["--older-than", "0d"], ["--older-than", "-1d"]])
    await expect(retainCommand([...args, ...database], usage)).rejects.toThrow(usage);
  for (const args of [[], ["--thread", "t", "--reviewer", "r"]])
    await expect(eraseCommand([...args, ...database], usage)).rejects.toThrow(usage);
});
