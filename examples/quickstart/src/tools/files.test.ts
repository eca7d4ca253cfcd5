import { mkdir, mkdtemp, readFile, realpath, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { beforeEach, expect, test } from "vitest";
import { allTools } from "./all-tools.ts";

let dataFolder: string;
let workspace: string;

beforeEach(async () => {
  dataFolder = await realpath(await mkdtemp(join(tmpdir(), "quickstart-files-")));
  workspace = join(dataFolder, "workspace");
  await put("notes/today.md", "# Today\n");
});

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(join(workspace, path)), { recursive: true });
  await writeFile(join(workspace, path), content);
}

async function run(name: string, args: Record<string, unknown>, env = {}): Promise<string> {
  const outbox = join(dataFolder, "outbox");
  const ledger = join(dataFolder, "ledger.db");
  const tools: StructuredToolInterface[] = allTools({ workspace, dataFolder, outbox, ledger, env });
  const tool = tools.find((one) => one.name === name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  const call = { type: "tool_call" as const, id: "call_1", name, args };
  const message: unknown = await tool.invoke(call);
  return message instanceof Object && "content" in message ? String(message.content) : "";
}

/** The one sentence a tool fails with; a text that it returned would count as success. */
async function failure(name: string, args: Record<string, unknown>): Promise<string> {
  return run(name, args).then(
    (said) => `succeeded: ${said}`,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}

const text = (path: string) => readFile(join(workspace, path), "utf8");

test("reading returns the text of a file", async () => {
  expect(await run("read_file", { path: "notes/today.md" })).toBe("# Today\n");
  expect(await run("read_file", { path: "./notes//today.md" })).toBe("# Today\n");
});

test("reading a file that is missing, a folder or large fails in words", async () => {
  await put("large.txt", "x".repeat(256 * 1024 + 1));
  expect(await failure("read_file", { path: "notes/none.md" })).toBe(
    "there is no file `notes/none.md` in the workspace.",
  );
  expect(await failure("read_file", { path: "notes" })).toBe("`notes` is a folder, not a file.");
  expect(await failure("read_file", { path: "notes/today.md/x" })).toMatch(/not a folder/);
  expect(await failure("read_file", { path: "large.txt" })).toMatch(/larger than 256 KiB/);
});

test("writing creates a file with its folders, then replaces it", async () => {
  const written = await run("write_file", { path: "a/b/c.txt", content: "你好" });
  expect(written).toBe("Created `a/b/c.txt` (2 characters).");
  const replaced = await run("write_file", { path: "a/b/c.txt", content: "new" });
  expect(replaced).toBe("Replaced `a/b/c.txt` (3 characters).");
  expect(await text("a/b/c.txt")).toBe("new");
});

test("deleting removes a file, and says so when there is none", async () => {
  expect(await run("delete_file", { path: "notes/today.md" })).toBe("Deleted `notes/today.md`.");
  await expect(text("notes/today.md")).rejects.toThrow("ENOENT");
  expect(await failure("delete_file", { path: "notes/today.md" })).toMatch(/^there is no file/);
  expect(await failure("delete_file", { path: "notes" })).toMatch(/is a folder/);
});

test("archiving moves a file to the same path below archive/ and never replaces one there", async () => {
  expect(await run("archive_file", { path: "notes/today.md" })).toBe(
    "Moved `notes/today.md` to `archive/notes/today.md`.",
  );
  expect(await text("archive/notes/today.md")).toBe("# Today\n");
  await put("notes/today.md", "second");
  expect(await failure("archive_file", { path: "notes/today.md" })).toMatch(/^there already is/);
  expect(await text("archive/notes/today.md")).toBe("# Today\n");
  expect(await failure("archive_file", { path: "archive/notes/today.md" })).toMatch(
    /already archived/,
  );
  expect(await failure("archive_file", { path: "none.md" })).toMatch(/^there is no file/);
});

test.each([
  "../secret.txt",
  "notes/../../secret.txt",
  "drafts/../notes/today.md",
  "/etc/passwd",
  "C:\\secret.txt",
  "..\\secret.txt",
  "link/secret.txt",
  "dangling",
  "inner/today.md",
  ".",
  "",
])("no tool leaves the workspace by %j", async (path) => {
  await writeFile(join(dataFolder, "secret.txt"), "secret");
  await symlink(dataFolder, join(workspace, "link"));
  await symlink(join(dataFolder, "not-yet.txt"), join(workspace, "dangling"));
  await symlink(join(workspace, "notes"), join(workspace, "inner"));
  const answers = [];
  for (const name of ["read_file", "delete_file", "archive_file"]) {
    answers.push(await failure(name, { path }));
  }
  answers.push(await failure("write_file", { path, content: "x" }));
  // The empty path is already refused by the schema.
  for (const answer of answers) expect(answer).toContain(path === "" ? "schema" : `\`${path}\``);
  for (const answer of answers) expect(answer).not.toMatch(/^succeeded/);
  expect(await readFile(join(dataFolder, "secret.txt"), "utf8")).toBe("secret");
  await expect(readFile(join(dataFolder, "not-yet.txt"))).rejects.toThrow("ENOENT");
  expect(await text("notes/today.md")).toBe("# Today\n");
});

test("a state-changing tool is on record before its effect, a reading one is not", async () => {
  const log = join(dataFolder, "effects.log");
  const env = { HOLDPOINT_TOOL_DELAY_MS: "300" };
  const writing = run("write_file", { path: "a.txt", content: "x" }, env);
  await expect.poll(() => readFile(log, "utf8").catch(() => "")).toContain("write_file");
  await expect(text("a.txt")).rejects.toThrow("ENOENT");
  await writing;
  expect(await text("a.txt")).toBe("x");

  await run("read_file", { path: "a.txt" });
  await failure("delete_file", { path: "none.txt" });
  const lines = (await readFile(log, "utf8")).trimEnd().split("\n");
  const records = lines.map((line): unknown => JSON.parse(line));
  expect(records).toEqual([
    { tool: "write_file", args: { path: "a.txt", content: "x" }, at: expect.any(String) },
    { tool: "delete_file", args: { path: "none.txt" }, at: expect.any(String) },
  ]);
});
