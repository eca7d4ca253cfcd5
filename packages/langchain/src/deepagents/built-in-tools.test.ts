import { FilesystemBackend } from "deepagents";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ScriptedModel } from "../testing/scripted-model.ts";
import { callsFor, delegate, type PlannedCall } from "../testing/scripted-tasks.ts";
import { holdDeepAgent, type HoldDeepAgentParams } from "./hold-deep-agent.ts";
import { memory, payTool, talkTo, todoList } from "./set-up.ts";

const write: PlannedCall = { name: "write_file", args: { file_path: "/notes.md", content: "hi" } };
const todos = [{ content: "write", status: "pending" }];
const usual: PlannedCall[] = [
  { name: "write_todos", args: { todos } },
  { name: "ls", args: {} },
  { name: "read_file", args: { file_path: "/notes.md" } },
  { name: "glob", args: { pattern: "*" } },
  { name: "grep", args: { pattern: "x" } },
];

/** The names of the tools that wait after these calls. */
async function heldAmong(
  calls: readonly PlannedCall[],
  params: Partial<HoldDeepAgentParams> = {},
): Promise<unknown[]> {
  const agent = holdDeepAgent({
    ...memory(),
    model: new ScriptedModel(callsFor({ go: calls })),
    tools: [payTool([])],
    middleware: [todoList()],
    ...params,
  });
  const { waiting } = await talkTo(agent).ask("go");
  return waiting.map(({ value }) => value["name"]);
}

function onDisk(): FilesystemBackend {
  const rootDir = mkdtempSync(join(tmpdir(), "deep-files-"));
  onTestFinished(() => rmSync(rootDir, { recursive: true, force: true }));
  return new FilesystemBackend({ rootDir, virtualMode: true });
}

test("without a rule, deepagents' own tools work and the developer's tools ask", async () => {
  const pay = { name: "pay", args: { amount: 1 } };
  expect(await heldAmong([...usual, write, pay, delegate("general-purpose", "hm")])).toEqual([
    "pay",
  ]);
});

test("writing asks once the files are not the thread's own", async () => {
  const backend = onDisk();
  expect(await heldAmong([...usual, write], { backend })).toEqual(["write_file"]);
  const free = { write_file: false };
  expect(await heldAmong([...usual, write], { backend, interruptOn: free })).toEqual([]);
});

test("a permission that allows a place lets writing there run on any backend", async () => {
  const elsewhere = { ...write, args: { ...write.args, file_path: "/other.md" } };
  const permissions = [{ operations: ["write" as const], paths: ["/notes.md"] }];
  expect(await heldAmong([write, elsewhere], { backend: onDisk(), permissions })).toEqual([
    "write_file",
  ]);
});

test("commands and remote tasks ask", async () => {
  const remote = {
    name: "remote",
    description: "far away",
    graphId: "g",
    url: "http://127.0.0.1:9",
  };
  const calls = [
    { name: "execute", args: { command: "rm -rf /" } },
    { name: "start_async_task", args: { description: "go", agentName: "remote" } },
    { name: "list_async_tasks", args: {} },
  ];
  expect(await heldAmong(calls, { subagents: [remote] })).toEqual(["execute", "start_async_task"]);
});

test("what the developer writes about them counts", async () => {
  expect(await heldAmong([...usual, write], { interruptOn: { ls: true } })).toEqual(["ls"]);
  const pay = { name: "pay", args: { amount: 1 } };
  expect(await heldAmong([...usual, pay], { unlisted: "allow" })).toEqual([]);
});

test("a call to a tool that no agent has goes back to the model without asking anybody", async () => {
  for (const interruptMode of ["batched", "per_call"] as const) {
    const agent = holdDeepAgent({
      ...memory(),
      model: new ScriptedModel(
        callsFor({
          go: [{ name: "toString", args: {} }, delegate("general-purpose", "hm")],
          hm: [{ name: "constructor", args: {} }],
        }),
      ),
      interruptMode,
    });
    const { waiting, results } = await talkTo(agent).ask("go");
    expect(waiting).toEqual([]);
    expect(results[0]).toContain("not a valid tool");
  }
});
