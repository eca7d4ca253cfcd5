// Values as JSON, losslessly or not at all. What JSON has no word for is written as an object whose `lc` is 2,
// as LangGraph's own serializer writes it, or 3, where that one has no word either or loses something:
//
//   { lc: 3 }                      undefined
//   { lc: 3, number: "NaN" }       NaN, Infinity, -Infinity, -0
//   { lc: 3, bigint: "1" }         { lc: 3, date: "2026-11-30T12:00:00.000Z" }
//   { lc: 3, bytes: "base64" }     with `buffer: true` for a Buffer
//   { lc: 3, error: "TypeError", message, own }     an error with what was set on it, without its stack
//   { lc: 3, object: {…} }         a plain object that has a key `lc` itself, with a value that is a number
//   { lc: 3, document: {…} }       a Document of LangChain's
//   { lc: 3, message: "AIMessage", fields, set }   see `messages.ts`
//   { lc: 3, part: hash } and { lc: 3, list: hash }   what is stored apart, once: see `references.ts`
import { Document } from "@langchain/core/documents";
import { DeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { Unstorable } from "./unstorable.ts";

/** JSON, as `JSON.parse` gives it. */
export type Tree =
  string | number | boolean | null | readonly Tree[] | { readonly [key: string]: Tree };

/** What the codec asks about what it does not write or read itself. Each gives `undefined` for "not mine". */
export type Writer = { readonly write: (value: object | string) => Tree | undefined };
export type Reader = {
  readonly read: (tree: Record<string, Tree>) => { readonly value: unknown } | undefined;
};

/** The tree of a value. Throws `Unstorable` for what would come back as something else. */
export function toTree(value: unknown, writer: Writer, above = new Set<object>()): Tree {
  switch (typeof value) {
    case "string":
      return writer.write(value) ?? value;
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) && !Object.is(value, -0)
        ? value
        : { lc: 3, number: Object.is(value, -0) ? "-0" : String(value) };
    case "undefined":
      return { lc: 3 };
    case "bigint":
      return { lc: 3, bigint: String(value) };
    case "object":
      return value === null ? null : objectTree(value, writer, above);
    case "function":
      throw new Unstorable("a function");
    default:
      throw new Unstorable("a symbol");
  }
}

function objectTree(value: object, writer: Writer, above: Set<object>): Tree {
  if (above.has(value)) throw new Unstorable("a circle, an object that holds itself");
  const own = writer.write(value);
  if (own !== undefined) return own;
  above.add(value);
  const tree = innerTree(value, (key, one) => at(key, () => toTree(one, writer, above)));
  above.delete(value);
  return tree;
}

function innerTree(value: object, inner: (key: string, one: unknown) => Tree): Tree {
  const items = (values: readonly unknown[]) =>
    values.map((one, index) => inner(String(index), one));
  if (Array.isArray(value)) return items(Array.from(value as unknown[]));
  if (isOnly(value, Date)) {
    if (Number.isNaN(value.getTime())) throw new Unstorable("a date that is none");
    return { lc: 3, date: value.toISOString() };
  }
  if (Buffer.isBuffer(value)) return { lc: 3, bytes: value.toString("base64"), buffer: true };
  if (isOf(value, Uint8Array)) return { lc: 3, bytes: Buffer.from(value).toString("base64") };
  if (isOnly(value, Set)) return constructed("Set", [items([...value])]);
  if (isOnly(value, Map)) return constructed("Map", [items([...value])]);
  if (isOnly(value, RegExp)) return constructed("RegExp", [value.source, value.flags]);
  if (value instanceof Error) return errorTree(value, inner);
  const name: unknown = Reflect.get(value, "lg_name");
  if (name === "DeltaSnapshot")
    return { lc: 2, type: "delta_snapshot", value: inner("value", Reflect.get(value, "value")) };
  if (name === "Send") return sendTree(value, inner);
  if (name === "Overwrite")
    return { __overwrite__: inner("__overwrite__", Reflect.get(value, "__overwrite__")) };
  if (isOf(value, Document)) {
    const { pageContent, metadata, id } = value;
    return { lc: 3, document: inner("document", { pageContent, metadata, id }) };
  }
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && prototype !== Object.prototype && !isOfAnotherRealm(prototype))
    throw new Unstorable(`an instance of ${nameOf(value)}`);
  return plainTree(value, inner);
}

/** True for an instance of this very class; one of a class under it would come back as something less. */
function isOf<Kind extends object>(
  value: object,
  Kind: abstract new (...args: never[]) => Kind,
): value is Kind {
  if (!(value instanceof Kind)) return false;
  if (Object.getPrototypeOf(value) === Kind.prototype) return true;
  throw new Unstorable(`an instance of ${nameOf(value)}`);
}

/** The same, with nothing set on it. */
function isOnly<Kind extends object>(
  value: object,
  Kind: abstract new (...args: never[]) => Kind,
): value is Kind {
  if (!isOf(value, Kind)) return false;
  const [key] = Object.keys(value);
  if (key === undefined) return true;
  throw new Unstorable(`a ${Kind.name} on which something was set`, [key]);
}

/** The errors of the language itself. */
const errors = { Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError };

function errorTree(value: Error, inner: (key: string, one: unknown) => Tree): Tree {
  const kind = Object.entries(errors).find(
    ([, Kind]) => Object.getPrototypeOf(value) === Kind.prototype,
  )?.[0];
  if (kind === undefined) throw new Unstorable(`an instance of ${nameOf(value)}`);
  const own: Record<string, Tree> = {};
  for (const key of Object.getOwnPropertyNames(value))
    if (key !== "stack" && key !== "message") define(own, key, inner(key, Reflect.get(value, key)));
  if (kind === "Error" && Object.keys(own).length === 0)
    return constructed("Error", [value.message]);
  return { lc: 3, error: kind, message: value.message, own };
}

function errorFrom(
  { error: kind, message, own }: { readonly [key: string]: Tree },
  reader: Reader,
): Error {
  const isKnown = typeof kind === "string" && Object.hasOwn(errors, kind);
  const Kind = isKnown ? errors[kind as keyof typeof errors] : Error;
  const error = new Kind(typeof message === "string" ? message : "");
  for (const [key, one] of Object.entries(own ?? {})) {
    const value = fromTree(one as Tree, reader);
    // `cause` is set as the language sets it.
    if (key === "cause")
      Object.defineProperty(error, key, { value, writable: true, configurable: true });
    else define(error, key, value);
  }
  return error;
}

/** Symbols are no JSON, and LangGraph's own serializer passes over them as well; they are never state. */
function plainTree(value: object, inner: (key: string, one: unknown) => Tree): Tree {
  const tree: Record<string, Tree> = {};
  for (const [key, one] of Object.entries(value)) define(tree, key, inner(key, one));
  return typeof tree["lc"] === "number" ? { lc: 3, object: tree } : tree;
}

function sendTree(value: object, inner: (key: string, one: unknown) => Tree): Tree {
  const { node, args, timeout } = value as { node: string; args: unknown; timeout?: unknown };
  return {
    node,
    args: inner("args", args),
    ...(timeout === undefined ? {} : { timeout: inner("timeout", timeout) }),
  };
}

function constructed(name: string, args: readonly Tree[]): Tree {
  return { lc: 2, type: "constructor", id: [name], method: null, args, kwargs: {} };
}

function at<Result>(key: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw error instanceof Unstorable ? error.inside(key) : error;
  }
}

function nameOf(value: object): string {
  const { constructor } = value as { constructor?: { name?: unknown } };
  return typeof constructor?.name === "string" && constructor.name !== ""
    ? constructor.name
    : "a class";
}

/** `Object.prototype` of another realm, as in a test runner's sandbox. */
function isOfAnotherRealm(prototype: unknown): boolean {
  return (
    Object.getPrototypeOf(prototype) === null && Object.hasOwn(prototype as object, "isPrototypeOf")
  );
}

/** Sets a key; also `__proto__` becomes one like any other. */
export function define(target: object, key: string, value: unknown): void {
  if (key === "__proto__")
    Object.defineProperty(target, key, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
  else (target as Record<string, unknown>)[key] = value;
}

/** The value of a tree that `toTree` made. What it did not make is left as it is. */
export function fromTree(tree: Tree, reader: Reader): unknown {
  if (typeof tree !== "object" || tree === null) return tree;
  if (isList(tree)) return tree.map((one) => fromTree(one, reader));
  if (typeof tree["lc"] === "number") {
    const special = specialFrom(tree, reader);
    if (special !== undefined) return special.value;
  }
  const value = {};
  for (const [key, one] of Object.entries(tree)) define(value, key, fromTree(one, reader));
  return value;
}

function specialFrom(
  tree: { readonly [key: string]: Tree },
  reader: Reader,
): { readonly value: unknown } | undefined {
  if (tree["lc"] === 3) {
    if (typeof tree["number"] === "string") return { value: Number(tree["number"]) };
    if (typeof tree["bigint"] === "string") return { value: BigInt(tree["bigint"]) };
    if (typeof tree["date"] === "string") return { value: new Date(tree["date"]) };
    if (typeof tree["bytes"] === "string") {
      const bytes = Buffer.from(tree["bytes"], "base64");
      return { value: tree["buffer"] === true ? bytes : new Uint8Array(bytes) };
    }
    if (typeof tree["error"] === "string") return { value: errorFrom(tree, reader) };
    if (tree["object"] !== undefined) return { value: plainFrom(tree["object"], reader) };
    if (tree["document"] !== undefined)
      return { value: new Document(fromTree(tree["document"], reader) as { pageContent: string }) };
    return Object.keys(tree).length === 1 ? { value: undefined } : reader.read(tree);
  }
  if (tree["lc"] !== 2) return undefined;
  if (tree["type"] === "undefined") return { value: undefined };
  if (tree["type"] === "delta_snapshot")
    return { value: new DeltaSnapshot(fromTree(tree["value"] ?? null, reader)) };
  return tree["type"] === "constructor" ? constructedFrom(tree, reader) : undefined;
}

function plainFrom(tree: Tree, reader: Reader): unknown {
  const value = {};
  for (const [key, one] of Object.entries(tree as object))
    define(value, key, fromTree(one as Tree, reader));
  return value;
}

/** A closed set: nothing is looked up by a name that stands in the data. */
function constructedFrom(
  tree: { readonly [key: string]: Tree },
  reader: Reader,
): { readonly value: unknown } | undefined {
  const [name] = isList(tree["id"]) ? tree["id"] : [];
  const args = isList(tree["args"]) ? tree["args"].map((one) => fromTree(one, reader)) : [];
  const [first, second] = args;
  switch (name) {
    case "Set":
      return Array.isArray(first) ? { value: new Set(first) } : undefined;
    case "Map":
      return Array.isArray(first) ? { value: new Map(first as [unknown, unknown][]) } : undefined;
    case "RegExp":
      return { value: new RegExp(String(first), String(second)) };
    case "Error":
      return { value: new Error(String(first)) };
    case "Uint8Array":
      return Array.isArray(first) ? { value: new Uint8Array(first as number[]) } : undefined;
    default:
      return undefined;
  }
}

/** True for a tree that is a list. */
export function isList(tree: Tree | undefined): tree is readonly Tree[] {
  return Array.isArray(tree);
}
