import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { emptyCheckpoint } from "@langchain/langgraph-checkpoint";
import { openEngine } from "@holdpoint/engine";
import { checkpointer } from "@holdpoint/langchain";
import { expect, onTestFinished, test, vi } from "vitest";
import { eraseCommand, pruneCommand, retainCommand } from "./retention-command.ts";

const usage = "the usage";

test("removing and erasing say what they did", async () => {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-retention-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const said: unknown[] = [];
  vi.spyOn(console, "log").mockImplementation((line: unknown) => void said.push(line));
  const database = `file:${join(folder, "holdpoint.db")}`;
  const engine = await openEngine({ database });
  for (const id of ["1", "2", "3"])
    await checkpointer(engine).put(
      { configurable: { thread_id: "t", checkpoint_id: String(Number(id) - 1) } },
      { ...emptyCheckpoint(), id, channel_values: { text: id.repeat(2000) } },
      { source: "loop", step: 0, parents: {} },
    );
  await engine.close();
  await retainCommand(["--older-than", "90d", "--database", database], usage);
  await pruneCommand(["--older-than", "1d", "--database", database], usage);
  await pruneCommand(["--keep-last", "2", "--thread", "other", "--database", database], usage);
  await pruneCommand(["--keep-last", "2", "--database", database], usage);
  await eraseCommand(["--thread", "t", "--database", database], usage);
  await eraseCommand(["--reviewer", "anna", "--database", database], usage);
  expect(said).toEqual([
    "Removed 0 threads; their audit stays.",
    "Removed 0 checkpoints and 0 parts of 0 threads.",
    "Removed 0 checkpoints and 0 parts of 0 threads.",
    "Removed 1 checkpoints and 1 parts of 1 threads.",
    "Erased. 0 bodies in the audit are empty now, and a record says which.",
    "Erased. 0 bodies in the audit are empty now, and a record says which.",
  ]);
});

test("a command that leaves out what to remove, or says it twice, is answered with its usage", async () => {
  const database = ["--database", "file:none.db"];
  for (const args of [[], ["--older-than", "90"], ["--older-than", "0d"], ["--older-than", "-1d"]])
    await expect(retainCommand([...args, ...database], usage)).rejects.toThrow(usage);
  for (const args of [[], ["--older-than", "7"], ["--keep-last", "0"], ["--keep-last", "many"]])
    await expect(pruneCommand([...args, ...database], usage)).rejects.toThrow(usage);
  for (const args of [[], ["--thread", "t", "--reviewer", "r"]])
    await expect(eraseCommand([...args, ...database], usage)).rejects.toThrow(usage);
});
