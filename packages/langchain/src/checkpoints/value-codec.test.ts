import { Document } from "@langchain/core/documents";
import { Overwrite, Send } from "@langchain/langgraph";
import { DeltaSnapshot, JsonPlusSerializer } from "@langchain/langgraph-checkpoint";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { refusalOf, Unstorable } from "./unstorable.ts";
import { fromTree, type Reader, toTree, type Tree, type Writer } from "./value-codec.ts";

const writer: Writer = { write: () => undefined };
const reader: Reader = { read: () => undefined };

/** What becomes of a value in the database. */
function stored(value: unknown): unknown {
  return fromTree(JSON.parse(JSON.stringify(toTree(value, writer))) as Tree, reader);
}

class Account {
  owner = "anna";
}

const circle: Record<string, unknown> = { name: "circle" };
circle["self"] = { circle };

const shared = { rows: [1] };

const kinds: readonly (readonly [kind: string, value: unknown])[] = [
  ["texts", ["", "two words", "\u0000", "\ud83d\ude80", "half \ud800"]],
  ["numbers", [0, -1.5, Number.MAX_SAFE_INTEGER, Number.NaN, Infinity, -Infinity, -0]],
  ["truth and nothing", [true, false, null]],
  ["undefined", { gone: undefined, list: [undefined, 1] }],
  ["bigint", 12345678901234567890n],
  ["a date", new Date("2026-11-30T12:00:00.123Z")],
  ["bytes", new Uint8Array([0, 127, 255])],
  ["no bytes", new Uint8Array()],
  ["a map", new Map<unknown, unknown>([[{ key: 1 }, new Map([["a", undefined]])]])],
  ["a set", new Set([1, { a: new Set(["b"]) }])],
  ["an expression", /a+b/giu],
  ["an error", new Error("went wrong")],
  ["an error of the language's", new RangeError("too far")],
  [
    "an error with what was set on it",
    Object.assign(new TypeError("no"), { code: 7, name: "Own" }),
  ],
  ["an error with its cause", new Error("no", { cause: new Error("why", { cause: { a: 1 } }) })],
  ["a buffer", Buffer.from([0, 127, 255])],
  ["no message", new Error()],
  ["a document", new Document({ pageContent: "text", metadata: { at: new Date(0) }, id: "d1" })],
  ["a snapshot of a delta channel", new DeltaSnapshot([{ a: undefined }])],
  ["an object with a key lc", { lc: 1, type: "constructor", id: ["langchain"] }],
  ["an object that looks like ours", { lc: 3, date: "2026-11-30" }],
  ["an object that looks like LangGraph's", { lc: 2, type: "undefined" }],
  ["one inside the other", { lc: 3, object: { lc: 3 } }],
  ["a key lc that is no number", { lc: "3", date: "no date" }],
  ["a key __proto__", JSON.parse('{"__proto__": {"admin": true}, "a": 1}')],
  ["the same twice", [shared, shared]],
  ["keys in their order", { b: 1, a: 2, "": 3 }],
];

test.each(kinds)("comes back as it was: %s", (_, value) => {
  expect(stored(value)).toStrictEqual(value);
});

test("the order of keys is kept", () => {
  expect(Object.keys(stored({ b: 1, a: 2 }) as object)).toEqual(["b", "a"]);
});

test("a key __proto__ is a key like any other, and nobody's prototype", () => {
  const value = stored(JSON.parse('{"__proto__": {"admin": true}}')) as object;
  expect(Object.keys(value)).toEqual(["__proto__"]);
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

test("an object without a prototype and one of another realm come back as plain objects", () => {
  const bare = Object.assign(Object.create(null) as object, { a: 1 });
  expect(stored(bare)).toStrictEqual({ a: 1 });
  expect(stored(runInNewContext("({ a: { b: [1] } })"))).toStrictEqual({ a: { b: [1] } });
});

test("a Send and an Overwrite come back as LangGraph's own serializer gives them", async () => {
  const serializer = new JsonPlusSerializer();
  for (const value of [new Send("worker", { a: undefined }), new Overwrite([1])]) {
    const [type, bytes] = await serializer.dumpsTyped(value);
    expect(stored(value)).toStrictEqual(await serializer.loadsTyped(type, bytes));
  }
});

test("what LangGraph's own serializer wrote is read as it reads it", async () => {
  const value = [new Map([["a", new Set([1])]]), /a/u, new Uint8Array([1]), { b: undefined }];
  const [, bytes] = await new JsonPlusSerializer().dumpsTyped({ value });
  const tree = JSON.parse(Buffer.from(bytes).toString()) as Tree;
  expect(fromTree(tree, reader)).toStrictEqual({ value });
});

const refused: readonly (readonly [what: string, value: unknown, words: string])[] = [
  ["a function", { a: [() => 1] }, 'channel "box" holds a function (box.a.0)'],
  ["a symbol", { a: Symbol("a") }, 'channel "box" holds a symbol (box.a)'],
  ["a circle", circle, "holds a circle, an object that holds itself (box.self.circle)"],
  ["a date that is none", [new Date("never")], "holds a date that is none (box.0)"],
  ["an instance of a class", { a: new Account() }, "holds an instance of Account (box.a)"],
  ["a class without a name", [new (class {})()], "holds an instance of a class (box.0)"],
  ["a class under Map", { a: new (class Cache extends Map {})() }, "an instance of Cache (box.a)"],
  ["a class under Set", { a: new (class Tags extends Set {})() }, "an instance of Tags (box.a)"],
  ["a class under Date", { a: new (class Day extends Date {})() }, "an instance of Day (box.a)"],
  ["a class under Error", { a: new Unstorable("it") }, "an instance of Unstorable (box.a)"],
  ["several errors in one", [new AggregateError([])], "an instance of AggregateError (box.0)"],
  [
    "a class under Uint8Array",
    [new (class Raw extends Uint8Array {})()],
    "instance of Raw (box.0)",
  ],
  [
    "a map with a key of its own",
    [Object.assign(new Map(), { a: 1 })],
    "a Map on which something was set (box.0.a)",
  ],
  ["what an error was given", new Error("no", { cause: () => 1 }), "a function (box.cause)"],
  ["what is inside a map", new Map([["a", Symbol("b")]]), "holds a symbol (box.0.1)"],
];

test.each(refused)("is refused with its place and not stored as something else: %s", (...row) => {
  const [, value, words] = row;
  let said = "stored";
  try {
    toTree(value, writer);
  } catch (error) {
    if (!(error instanceof Unstorable)) throw error;
    said = refusalOf("box", error).message;
  }
  expect(said).toContain(words);
  expect(said).toContain("put plain JSON or messages in its place");
});
