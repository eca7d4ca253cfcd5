import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openEngine } from "@holdpoint/engine";
import { afterAll, expect, test } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));
const bin = fileURLToPath(new URL("../../../packages/server/src/bin.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "holdpoint-guide-"));
afterAll(() => rmSync(folder, { recursive: true }));

function run(command: string): { readonly output: string; readonly exitCode: number | null } {
  const args = command.trim().split(" ").slice(2);
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ["--conditions=@holdpoint/source", bin, ...args],
    { cwd: folder, encoding: "utf8" },
  );
  return { output: `${stdout}${stderr}`, exitCode: status };
}

const block = (file: string): string => readFileSync(join(here, file), "utf8");

test("the commands of the guide write a backup beside a running server, and bring it back when it has stopped", async () => {
  const database = `file:${join(folder, ".holdpoint/holdpoint.db")}`;
  const engine = await openEngine({ database });
  expect(run(block("backup.sh"))).toEqual({
    exitCode: 0,
    output: `Wrote monday.db. Bring it back with "holdpoint restore monday.db".\n`,
  });
  await engine.close();
  const restored = run(block("restore.sh"));
  expect(restored.output).toContain("Restored. What was approved and may have run since");
  expect(restored.exitCode).toBe(0);
  expect(readdirSync(join(folder, ".holdpoint")).toSorted()).toEqual([
    "holdpoint.db",
    expect.stringMatching(/^holdpoint\.db\.until-/),
    "starts-of-holdpoint.db.jsonl",
  ]);
  await (await openEngine({ database })).close();
});
