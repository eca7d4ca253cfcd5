import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, sep } from "node:path";
import { pathToFileURL } from "node:url";
import * as messages from "@langchain/core/messages";
import { expect, onTestFinished, test } from "vitest";
import { copyOf, isMessage, isSameMessage, messageFrom, messageTree } from "./messages.ts";
import type { Reader, Tree, Writer } from "./value-codec.ts";

const { AIMessage, HumanMessage, ToolMessage } = messages;
type BaseMessage = messages.BaseMessage;

const writer: Writer = {
  write: (value) => (isMessage(value) ? messageTree(value, writer, reader) : undefined),
};
const reader: Reader = { read: (tree) => ({ value: messageFrom(tree, reader) }) };

/** What becomes of a message in the database. */
function stored(message: BaseMessage): BaseMessage {
  const text = JSON.stringify(messageTree(message, writer, reader));
  return messageFrom(JSON.parse(text) as Record<string, Tree>, reader);
}

const call = { type: "tool_call" as const, id: "c1", name: "pay", args: { to: [{ amount: 1 }] } };
const extra = { id: "m1", additional_kwargs: { a: { b: 1 } }, response_metadata: { model: "m" } };
const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 };
const classes: readonly BaseMessage[] = [
  new HumanMessage("hello"),
  new HumanMessage({ ...extra, content: [{ type: "text", text: "hello" }], name: "anna" }),
  new AIMessage({ ...extra, content: "", tool_calls: [call], usage_metadata: usage as never }),
  new AIMessage({ content: "", invalid_tool_calls: [{ name: "pay", args: "{", error: "cut" }] }),
  new AIMessage({
    content: [{ type: "text", text: "hi" }],
    response_metadata: { output_version: "v1" },
  }),
  new ToolMessage({ ...extra, content: "paid", tool_call_id: "c1", status: "error" }),
  new ToolMessage({
    content: "paid",
    tool_call_id: "c1",
    artifact: { of: [new HumanMessage("a")] },
  }),
  new messages.SystemMessage({ ...extra, content: "be good" }),
  new messages.ChatMessage({ ...extra, content: "x", role: "critic" }),
  new messages.FunctionMessage({ ...extra, content: "x", name: "f" }),
  new messages.RemoveMessage({ id: "m1" }),
  new messages.HumanMessageChunk({ ...extra, content: "x" }),
  new messages.AIMessageChunk({
    ...extra,
    content: "x",
    tool_call_chunks: [
      { type: "tool_call_chunk", id: "c1", name: "pay", args: '{"to":', index: 0 },
    ],
  }),
  new messages.ToolMessageChunk({ ...extra, content: "x", tool_call_id: "c1" }),
  new messages.SystemMessageChunk({ ...extra, content: "x" }),
  new messages.ChatMessageChunk({ ...extra, content: "x", role: "critic" }),
  new messages.FunctionMessageChunk({ ...extra, content: "x", name: "f" }),
];

test.each(classes)("comes back as it was: $constructor.name $content", (message) => {
  const back = stored(message);
  expect(back.constructor).toBe(message.constructor);
  expect(isSameMessage(back, message)).toBe(true);
  expect(back).toEqual(message);
  expect(JSON.parse(JSON.stringify(back))).toEqual(JSON.parse(JSON.stringify(message)));
});

test.each([[[]], [{}], [undefined], [null], [{ rows: [] }]])(
  "what a message was made with, it still writes itself down with when it comes back: %j",
  (artifact) => {
    const message = new ToolMessage({ content: "done", tool_call_id: "c1", artifact });
    const back = stored(message);
    expect(back.toJSON()).toMatchObject({
      kwargs: { content: "done", ...(artifact === undefined ? {} : { artifact }) },
    });
    expect(back).toHaveProperty("artifact", artifact);
  },
);

test("what was changed or set on a message after it was made comes back too", () => {
  const message = new AIMessage({ content: "hi", tool_calls: [structuredClone(call)] });
  message.name = "lead";
  message.content = "bye";
  Reflect.set(message.tool_calls?.[0]?.args ?? {}, "to", []);
  Object.assign(message, { own: new Map([["a", 1]]) });
  const back = stored(message);
  expect(back).toMatchObject({ name: "lead", content: "bye", own: new Map([["a", 1]]) });
  expect(back).toHaveProperty(["tool_calls", 0, "args"], { to: [] });
});

test("keys that were put in another order inside a message are another message", () => {
  const made = () =>
    new AIMessage({ content: "", tool_calls: [{ ...call, args: { a: 1, b: 2 } }] });
  const message = made();
  const { args } = message.tool_calls?.[0] ?? { args: {} };
  Reflect.deleteProperty(args, "a");
  Reflect.set(args, "a", 1);
  expect(isSameMessage(message, made())).toBe(false);
  expect(JSON.stringify(stored(message))).toBe(JSON.stringify(message));
});

test("a message of a class that is not LangChain's is refused by name", () => {
  class OwnMessage extends HumanMessage {
    override get lc_id(): string[] {
      return ["mine", "OwnMessage"];
    }
  }
  expect(() => stored(new OwnMessage("hi"))).toThrow("a message of the class OwnMessage");
});

test("a class that the database names and nobody knows is an error, not a constructor that runs", () => {
  expect(() => messageFrom({ lc: 3, message: "constructor", fields: {} }, reader)).toThrow(
    "A stored message is of a class that is not known: constructor.",
  );
});

test("a function on a message is refused with its place", () => {
  const message = new AIMessage({ content: "", additional_kwargs: { deep: [() => 1] } });
  expect(() => stored(message)).toThrow("a function at additional_kwargs.deep.0");
});

test.each(classes)("nothing that is changed in a copy changes in: $constructor.name", (message) => {
  const before = JSON.stringify(message);
  const copy = copyOf(message);
  expect(isSameMessage(copy, message)).toBe(true);
  expect(copy.constructor).toBe(message.constructor);
  expect(JSON.stringify(copy)).toBe(before);
  changeEverywhere(copy);
  expect(JSON.stringify(message)).toBe(before);
});

/** Adds something to every object inside, but for the name of the class, which all of its messages share. */
function changeEverywhere(value: object): void {
  for (const [key, one] of Object.entries(value) as [string, unknown][])
    if (typeof one === "object" && one !== null && key !== "lc_namespace") changeEverywhere(one);
  if (!isMessage(value)) Reflect.set(value, Array.isArray(value) ? value.length : "changed", true);
}

test("arguments with a key __proto__ stay arguments, in a copy as in the database", () => {
  const args = JSON.parse('{"__proto__": {"admin": true}, "amount": 1}') as Record<string, unknown>;
  const message = new AIMessage({ content: "", tool_calls: [{ ...call, args }] });
  for (const one of [copyOf(message), stored(message)]) {
    const back = (one as messages.AIMessage).tool_calls?.[0]?.args ?? {};
    expect(Object.keys(back)).toEqual(["__proto__", "amount"]);
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype);
  }
});

/** Another copy of LangChain's messages, as a second version of a package brings it. */
async function secondCopy(): Promise<typeof messages> {
  const require = createRequire(import.meta.url);
  const entry = require.resolve("@langchain/core/messages");
  const own = entry.slice(0, entry.lastIndexOf(`${sep}dist${sep}`));
  const folder = mkdtempSync(join(tmpdir(), "second-core-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const copy = join(folder, "node_modules", "@langchain", "core");
  cpSync(own, copy, { recursive: true, filter: (file) => !/\.(map|ts|cts|cjs)$/u.test(file) });
  const { dependencies } = JSON.parse(readFileSync(join(own, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  const modules = dirname(dirname(own));
  for (const name of Object.keys(dependencies)) {
    const link = join(folder, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(modules, name), link);
  }
  const url = pathToFileURL(join(copy, "dist/messages/index.js")).href;
  return (await import(/* @vite-ignore */ url)) as typeof messages;
}

test("a message of a second copy of LangChain is stored, and comes back as one of this copy", async () => {
  const other = await secondCopy();
  const theirs = [
    new other.HumanMessage({ ...extra, content: "hi" }),
    new other.AIMessage({ ...extra, content: "", tool_calls: [call] }),
    new other.ToolMessage({
      content: "",
      tool_call_id: "c1",
      artifact: [new other.HumanMessage("a")],
    }),
  ] as BaseMessage[];
  for (const message of theirs) {
    expect(message.constructor).not.toBe(Reflect.get(messages, message.constructor.name));
    const back = stored(message);
    expect(back.constructor).toBe(Reflect.get(messages, message.constructor.name));
    expect(isSameMessage(back, message)).toBe(true);
    expect(JSON.stringify(back)).toBe(JSON.stringify(message));
  }
});
