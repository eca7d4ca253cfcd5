import {
  AIMessage,
  AIMessageChunk,
  type BaseMessage,
  ChatMessage,
  ChatMessageChunk,
  FunctionMessage,
  FunctionMessageChunk,
  HumanMessage,
  HumanMessageChunk,
  RemoveMessage,
  SystemMessage,
  SystemMessageChunk,
  ToolMessage,
  ToolMessageChunk,
} from "@langchain/core/messages";
import { Unstorable } from "./unstorable.ts";
import { define, fromTree, type Reader, toTree, type Tree, type Writer } from "./value-codec.ts";

type Fields = Record<string, unknown>;
type MessageClass = new (fields: never) => BaseMessage;

/** The classes that are stored: no other is made from what is in the database. */
const classes: ReadonlyMap<string, MessageClass> = new Map<string, MessageClass>([
  ["HumanMessage", HumanMessage],
  ["AIMessage", AIMessage],
  ["ToolMessage", ToolMessage],
  ["SystemMessage", SystemMessage],
  ["RemoveMessage", RemoveMessage],
  ["ChatMessage", ChatMessage],
  ["FunctionMessage", FunctionMessage],
  ["HumanMessageChunk", HumanMessageChunk],
  ["AIMessageChunk", AIMessageChunk],
  ["ToolMessageChunk", ToolMessageChunk],
  ["SystemMessageChunk", SystemMessageChunk],
  ["ChatMessageChunk", ChatMessageChunk],
  ["FunctionMessageChunk", FunctionMessageChunk],
]);

/** True for a message of LangChain's, of whichever copy of it: classes of another copy are other classes. */
export function isMessage(value: unknown): value is BaseMessage {
  return (
    typeof value === "object" &&
    value !== null &&
    (value as Fields)["lc_serializable"] === true &&
    typeof (value as Fields)["lc_kwargs"] === "object" &&
    typeof (value as { _getType?: unknown })._getType === "function"
  );
}

/**
 * A message as JSON: the fields it was made with, as they are now, and beside them what was set on it later.
 * The tree is read back and compared, so whatever would be lost is refused and not stored.
 */
export function messageTree(
  message: BaseMessage,
  writer: Writer,
  reader: Reader,
): { readonly [key: string]: Tree } {
  const name = nameOf(message);
  const own = message as unknown as Fields;
  const made = Object.keys(message.lc_kwargs).map(
    (key) => [key, key in own ? own[key] : message.lc_kwargs[key]] as const,
  );
  const written = (also: readonly string[]) => ({
    lc: 3,
    message: name,
    fields: toTree(
      Object.fromEntries(made.filter(([key, value]) => !isEmpty(value) || also.includes(key))),
      writer,
    ),
  });
  // What is empty need not be written where the class puts it there by itself; the reading back tells.
  const short = written([]);
  const empty = differences(message, messageFrom(short, reader));
  if (empty.length === 0) return short;
  // A message tells others what it was made with, so what it was made with is not set later.
  const tree = written(empty);
  const lost = differences(message, messageFrom(tree, reader));
  if (lost.length === 0) return tree;
  const set = toTree(Object.fromEntries(lost.map((key) => [key, own[key]])), writer);
  const whole = { ...tree, set };
  const [still] = differences(message, messageFrom(whole, reader));
  if (still !== undefined)
    throw new Unstorable(`a ${name} that would come back with another`, [still]);
  return whole;
}

/** The message of a tree. */
export function messageFrom(tree: { readonly [key: string]: Tree }, reader: Reader): BaseMessage {
  const Class = classes.get(nameIn(tree));
  if (Class === undefined)
    throw new Error(`A stored message is of a class that is not known: ${nameIn(tree)}.`);
  const message = new Class(fromTree(tree["fields"] ?? {}, reader) as never); // written by `messageTree`
  if (tree["set"] !== undefined) Object.assign(message, fromTree(tree["set"], reader));
  return message;
}

function nameIn(tree: { readonly [key: string]: Tree }): string {
  return typeof tree["message"] === "string" ? tree["message"] : "none";
}

/** True for what `messageTree` wrote. */
export function isMessageTree(tree: Tree): boolean {
  return (
    typeof tree === "object" &&
    tree !== null &&
    typeof (tree as { readonly message?: Tree }).message === "string"
  );
}

/** A message of its own with the same content; nothing that is changed in one changes in the other. */
export function copyOf(message: BaseMessage): BaseMessage {
  const own = message as unknown as Fields;
  const copy = Object.create(Object.getPrototypeOf(message) as object) as Fields;
  for (const key in own)
    if (key !== "lc_kwargs") copy[key] = key === "lc_namespace" ? own[key] : copyValue(own[key]);
  for (const symbol of symbolsOf(message)) Reflect.set(copy, symbol, Reflect.get(message, symbol));
  const kwargs: Fields = {};
  const made = message.lc_kwargs;
  for (const key in made) kwargs[key] = key in copy ? copy[key] : copyValue(made[key]);
  copy["lc_kwargs"] = kwargs;
  return copy as unknown as BaseMessage;
}

/** By these LangChain tells its messages; every message of a class has the same. */
const symbols = new WeakMap<object, readonly symbol[]>();

function symbolsOf(message: BaseMessage): readonly symbol[] {
  const known = symbols.get(message.constructor);
  if (known !== undefined) return known;
  const found = Object.getOwnPropertySymbols(message);
  symbols.set(message.constructor, found);
  return found;
}

/** True when two messages hold the same; they may be of different copies of LangChain. */
export function isSameMessage(one: BaseMessage, other: BaseMessage): boolean {
  return firstDifference(one, other) === undefined;
}

function nameOf(message: BaseMessage): string {
  const name = (message.constructor as { lc_name?: () => string }).lc_name?.() ?? "";
  const given = message.lc_id.at(-1) ?? name;
  if (!classes.has(given)) throw new Unstorable(`a message of the class ${given}`);
  return given;
}

/** The fields that differ. */
function differences(one: BaseMessage, other: BaseMessage): readonly string[] {
  const differ: string[] = [];
  for (;;) {
    const next = firstDifference(one, other, differ);
    if (next === undefined) return differ;
    differ.push(next);
  }
}

/** A field that differs. Of the fields it was made with only those count that it has no longer. */
function firstDifference(
  one: BaseMessage,
  other: BaseMessage,
  except: readonly string[] = [],
): string | undefined {
  const [a, b] = [one as unknown as Fields, other as unknown as Fields];
  const differs = (key: string, x: unknown, y: unknown): boolean =>
    !(x === y || isSame(x, y)) && !except.includes(key);
  for (const key in a) if (isState(key) && differs(key, a[key], b[key])) return key;
  for (const key in b)
    if (isState(key) && !(key in a) && differs(key, undefined, b[key])) return key;
  const [made, known] = [one.lc_kwargs, other.lc_kwargs];
  for (const key in made) if (!(key in a) && differs(key, made[key], known[key])) return key;
  return undefined;
}

/** LangChain's own marks are no state, but for the one that says what a tool's output is. */
function isState(key: string): boolean {
  return !key.startsWith("lc_") || key === "lc_direct_tool_output";
}

/** Deep and exact, with the order of the keys, for what the codec can carry. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (!isObject(one) || !isObject(other)) return false;
  if (Array.isArray(one)) {
    if (!Array.isArray(other) || one.length !== other.length) return false;
    for (let index = 0; index < one.length; index += 1)
      if (!isSame(one[index], other[index])) return false;
    return true;
  }
  if (isMessage(one)) return isMessage(other) && isSameMessage(one, other);
  if (!isPlain(one)) return isSameSpecial(one, other);
  if (!isPlain(other)) return false;
  const keys = Object.keys(other);
  let at = 0;
  for (const key in one) {
    if (keys[at] !== key || !isSame(one[key], other[key])) return false;
    at += 1;
  }
  return at === keys.length;
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return (
    value === undefined || (isObject(value) && isPlain(value) && Object.keys(value).length === 0)
  );
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Two of what JSON has no word for are the same when they are written the same. */
function isSameSpecial(one: object, other: object): boolean {
  const plain: Writer = { write: () => undefined };
  return (
    Object.getPrototypeOf(one) === Object.getPrototypeOf(other) &&
    JSON.stringify(toTree(one, plain)) === JSON.stringify(toTree(other, plain))
  );
}

function copyValue(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyValue);
  if (isMessage(value)) return copyOf(value);
  if (!isPlain(value)) return copySpecial(value);
  const copy: Fields = {};
  for (const key in value) define(copy, key, copyValue(value[key]));
  return copy;
}

function copySpecial(value: object): unknown {
  const plain: Writer = {
    write: (one) => (isMessage(one) ? messageTree(one, plain, whole) : undefined),
  };
  const whole: Reader = { read: (tree) => ({ value: messageFrom(tree, whole) }) };
  return fromTree(toTree(value, plain), whole);
}

function isPlain(value: object): value is Fields {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
