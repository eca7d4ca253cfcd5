import { createDeepAgent, createFilesystemMiddleware, type FilesystemPermission } from "deepagents";
import { describe, expect, test } from "vitest";
import { ScriptedModel } from "../testing/scripted-model.ts";
import { callsFor, delegate, type PlannedCall } from "../testing/scripted-tasks.ts";
import { filePermissions, type HeldPermission } from "./file-permissions.ts";
import { holdDeepAgent, type HoldDeepAgentParams } from "./hold-deep-agent.ts";
import { memory, only, type Place, places, talkTo } from "./set-up.ts";

const writeX: PlannedCall = { name: "write_file", args: { file_path: "/x/a.txt", content: "hi" } };

const underX = { operations: ["write"], paths: ["/x/**"], mode: "interrupt" } as const;

function writer(place: Place, params: Partial<HoldDeepAgentParams> = {}, calls = [writeX]) {
  const model = new ScriptedModel(
    callsFor({
      go: calls,
      delegate: [delegate("clerk", "go")],
      ask: [delegate("general-purpose", "go")],
    }),
  );
  return talkTo(
    holdDeepAgent({ ...place, model, permissions: [{ ...underX, paths: ["/x/**"] }], ...params }),
  );
}

describe.each(places)("file permissions on $place", ({ open }) => {
  test("H34: a permission with mode interrupt pauses for a person, by a rule that names it", async () => {
    const stock = talkTo(
      createDeepAgent({
        ...memory(),
        model: new ScriptedModel(callsFor({ go: [writeX] })),
        permissions: [underX] as unknown as FilesystemPermission[], // as somebody writes it who read Python's manual
      }),
    );
    const written = await stock.ask("go");
    expect(written.waiting).toEqual([]);
    expect(written.files).toEqual(["/x/a.txt"]); // taken for "allow"

    const held = writer(await open());
    const asked = await held.ask("go");
    expect(asked.files).toEqual([]);
    expect(only(asked).value).toMatchObject({
      name: "write_file",
      actionRequests: [{ rule: "permissions[0] (write /x/**)", reasonCode: "permission" }],
    });
    const approved = await held.approve();
    expect(approved.files).toEqual(["/x/a.txt"]);
  });

  test("a rejected file operation leaves the files as they are", async () => {
    const held = writer(await open());
    await held.ask("go");
    const { files, results } = await held.resume({
      decisions: [{ type: "reject", message: "no" }],
    });
    expect(files).toEqual([]);
    expect(results[0]).toContain("rejected");
  });

  test("an edit into a denied place is refused when it is decided, and the review stays open", async () => {
    const permissions: HeldPermission[] = [
      { operations: ["write"], paths: ["/x/locked/**"], mode: "deny" },
      { ...underX, paths: ["/x/**"], operations: ["write"] },
    ];
    const held = writer(await open(), { permissions });
    await held.ask("go");
    const editedAction = { name: "write_file", args: { file_path: "/x/locked/a", content: "hi" } };
    await expect(held.resume({ decisions: [{ type: "edit", editedAction }] })).rejects.toThrow(
      "permission denied",
    );
    const { files } = await held.approve();
    expect(files).toEqual(["/x/a.txt"]);
  });

  test("subagents have the agent's permissions, or their own instead", async () => {
    const own: HeldPermission = { operations: ["write"], paths: ["/x/a.*"], mode: "interrupt" };
    const clerk = { name: "clerk", description: "writes", systemPrompt: "" };
    for (const [request, subagents, rule] of [
      ["ask", [], "permissions[0] (write /x/**)"],
      ["delegate", [clerk], "permissions[0] (write /x/**)"],
      [
        "delegate",
        [{ ...clerk, permissions: [own] }],
        "subagents.clerk.permissions[0] (write /x/a.*)",
      ],
    ] as const) {
      const held = writer(await open(), { subagents });
      const asked = await held.ask(request);
      expect(only(asked).value).toMatchObject({ actionRequests: [{ rule }] });
      expect((await held.approve()).files).toEqual(["/x/a.txt"]);
    }
    const free = writer(await open(), { subagents: [{ ...clerk, permissions: [] }] });
    expect((await free.ask("delegate")).files).toEqual(["/x/a.txt"]);
  });
});

const read = (mode: HeldPermission["mode"], ...paths: string[]): HeldPermission => ({
  operations: ["read"],
  paths,
  ...(mode === undefined ? {} : { mode }),
});
const write = (mode: HeldPermission["mode"], ...paths: string[]): HeldPermission => ({
  ...read(mode, ...paths),
  operations: ["write"],
});

/** What the rules say of a call, in a word. */
function saysOf(rules: readonly HeldPermission[], name: string, args: Record<string, unknown>) {
  const verdict = filePermissions(rules, "permissions")?.({ name, args });
  return verdict?.type ?? "nothing";
}

const secrets = [read("interrupt", "/secrets/**"), write("interrupt", "/secrets/**")];
const onlyWork = [read(undefined, "/work/**"), read("interrupt", "/**")];

describe("which calls a permission asks about", () => {
  test.each<readonly [string, readonly HeldPermission[], string, Record<string, unknown>, string]>([
    ["a file in the place", secrets, "read_file", { file_path: "/secrets/a" }, "review"],
    [
      "the name that deepagents takes for file_path too",
      secrets,
      "read_file",
      { path: "/secrets/a" },
      "review",
    ],
    ["a file elsewhere", secrets, "read_file", { file_path: "/work/a" }, "nothing"],
    [
      "a sibling whose name begins alike",
      secrets,
      "read_file",
      { file_path: "/secrets2/a" },
      "nothing",
    ],
    ["repeated slashes", secrets, "write_file", { file_path: "//secrets//a" }, "review"],
    ["a dot on the way", secrets, "write_file", { file_path: "/./secrets/a" }, "review"],
    ["a line break in the name", secrets, "write_file", { file_path: "/secrets/a\nb" }, "review"],
    [
      "a path that deepagents refuses",
      secrets,
      "write_file",
      { file_path: "secrets/a" },
      "nothing",
    ],
    [
      "a way up that deepagents refuses",
      secrets,
      "write_file",
      { file_path: "/work/../secrets/a" },
      "nothing",
    ],
    [
      "another operation",
      [write("interrupt", "/secrets/**")],
      "read_file",
      { file_path: "/secrets/a" },
      "nothing",
    ],
    [
      "the first rule that matches: allow",
      [write("allow", "/x/free/**"), write("interrupt", "/x/**")],
      "write_file",
      { file_path: "/x/free/a" },
      "allow",
    ],
    [
      "the first rule that matches: interrupt",
      [write("interrupt", "/x/**"), write("deny", "/x/a")],
      "edit_file",
      { file_path: "/x/a" },
      "review",
    ],
    [
      "the first rule that matches: deny",
      [write("deny", "/x/a"), write("interrupt", "/x/**")],
      "edit_file",
      { file_path: "/x/a" },
      "deny",
    ],
    ["the list of the place", secrets, "ls", { path: "/secrets" }, "review"],
    ["the list of the folder that it stands in", secrets, "ls", {}, "nothing"],
    ["a search that reaches the place", secrets, "grep", { pattern: "x" }, "review"],
    [
      "a search inside the place",
      secrets,
      "grep",
      { pattern: "x", path: "/secrets/deep" },
      "review",
    ],
    ["a search elsewhere", secrets, "grep", { pattern: "x", path: "/work" }, "nothing"],
    [
      "a search where an earlier rule allows all",
      onlyWork,
      "grep",
      { pattern: "x", path: "/work/src" },
      "allow",
    ],
    [
      "a search that an earlier rule allows in part",
      onlyWork,
      "grep",
      { pattern: "x", path: "/" },
      "review",
    ],
    [
      "a pattern that starts elsewhere than its path",
      secrets,
      "glob",
      { pattern: "/secrets/*", path: "/work" },
      "review",
    ],
    [
      "a pattern that climbs out of its path",
      secrets,
      "glob",
      { pattern: "../**", path: "/work" },
      "review",
    ],
    [
      "a pattern inside its path",
      secrets,
      "glob",
      { pattern: "**/*.md", path: "/work" },
      "nothing",
    ],
    ["a delete of the place", secrets, "delete", { file_path: "/secrets" }, "review"],
    ["a delete of a folder around it", secrets, "delete", { file_path: "/" }, "review"],
    [
      "a delete of a folder that may hold such files",
      [write("interrupt", "/**/*.key")],
      "delete",
      { file_path: "/work" },
      "review",
    ],
    ["a delete elsewhere", secrets, "delete", { file_path: "/work/a" }, "nothing"],
    ["a tool that is no file tool", secrets, "pay", { file_path: "/secrets/a" }, "nothing"],
  ])("%s", (_what, rules, name, args, expected) => {
    expect(saysOf(rules, name, args)).toBe(expected);
  });
});

/** What deepagents' own tool does under the same rules, with a backend that would do anything. */
async function deepagentsDenies(rules: readonly HeldPermission[], path: string): Promise<boolean> {
  const backend = { write: () => ({ path, filesUpdate: null }) };
  const { tools = [] } = createFilesystemMiddleware({
    permissions: rules as FilesystemPermission[],
    backend: backend as never, // only `write` is called
  });
  const tool = tools.find(({ name }) => name === "write_file") as unknown as {
    invoke: (call: unknown) => Promise<{ text: string }>;
  };
  const args = { file_path: path, content: "" };
  const result = await tool.invoke({ type: "tool_call", id: "1", name: "write_file", args });
  return result.text.includes("permission denied");
}

test.each([
  "/x/**",
  "/x/*",
  "/x/*.txt",
  "/{x,y}/**",
  "/x/**/deep/*",
  "/**/a.txt",
  "/x/?.txt",
  "/x/[ab].txt",
  "/x/!(a).txt",
  "/x",
])("%s stands for the same files as in deepagents", async (pattern) => {
  const paths = [
    "/x",
    "/x/a.txt",
    "/x/.env",
    "/x/deep/a.txt",
    "/x/q/deep/b",
    "/y/a.txt",
    "/z/c.txt",
    "/x/c.txt",
  ];
  const rules = [write("deny", pattern)];
  for (const path of paths) {
    const ours = saysOf(rules, "write_file", { file_path: path }) === "deny";
    expect([path, ours]).toEqual([path, await deepagentsDenies(rules, path)]);
  }
});

test.each([
  ["a mode that does not exist", { ...underX, mode: "ask" }, "permissions.0.mode"],
  [
    "an operation that does not exist",
    { ...underX, operations: ["edit"] },
    "permissions.0.operations.0",
  ],
  ["no path", { ...underX, paths: [] }, "permissions.0.paths"],
  ["another key", { ...underX, path: "/x" }, "permissions.0"],
])("%s fails at construction and names the key", (_what, rule, key) => {
  expect(() => holdDeepAgent({ ...memory(), permissions: [rule] as never })).toThrow(
    expect.objectContaining({ code: "config_invalid", details: { key } }),
  );
});

test("a rule in interruptOn and a permission hold together: neither loosens the other", async () => {
  const free = writer(memory(), { interruptOn: { write_file: false } });
  expect(only(await free.ask("go")).value).toMatchObject({
    actionRequests: [{ rule: "permissions[0] (write /x/**)" }],
  });
  const narrow = writer(memory(), {
    interruptOn: { write_file: { allowedDecisions: ["reject"] } },
  });
  expect(only(await narrow.ask("go")).value).toMatchObject({ allowedDecisions: ["reject"] });
});
