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
import { fromTree, type Reader, toTree, type Tree, type Writer } from "./value-codec.ts";

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

/** A message of its own with the same content; nothing that is changed in one changes in the other. */
export function copyOf(message: BaseMessage): BaseMessage {
  const copy = Object.create(Object.getPrototypeOf(message) as object) as Fields;
  const own = message as unknown as Fields;
  for (const key of Reflect.ownKeys(message) as string[])
    if (key !== "lc_kwargs") copy[key] = copyValue(own[key]);
  const kwargs: Fields = {};
  for (const key of Object.keys(message.lc_kwargs))
    kwargs[key] = key in copy ? copy[key] : copyValue(message.lc_kwargs[key]);
  copy["lc_kwargs"] = kwargs;
  return copy as unknown as BaseMessage;
}

/** True when two messages hold the same; they may be of different copies of LangChain. */
export function isSameMessage(one: BaseMessage, other: BaseMessage): boolean {
  return differences(one, other, 1).length === 0;
}

function nameOf(message: BaseMessage): string {
  const name = (message.constructor as { lc_name?: () => string }).lc_name?.() ?? "";
  const given = message.lc_id.at(-1) ?? name;
  if (!classes.has(given)) throw new Unstorable(`a message of the class ${given}`);
  return given;
}

/** The fields that differ, at most so many. Of the fields it was made with only those count that it has no longer. */
function differences(one: BaseMessage, other: BaseMessage, atMost = Infinity): readonly string[] {
  const [a, b] = [one as unknown as Fields, other as unknown as Fields];
  const differ: string[] = [];
  for (const key of Object.keys(a)) {
    if (key.startsWith("lc_") && key !== "lc_direct_tool_output") continue;
    if (!isSame(a[key], b[key])) differ.push(key);
    if (differ.length >= atMost) return differ;
  }
  for (const key of Object.keys(b))
    if (!key.startsWith("lc_") && b[key] !== undefined && !Object.hasOwn(a, key)) differ.push(key);
  for (const key of Object.keys(one.lc_kwargs))
    if (!(key in a) && !isSame(one.lc_kwargs[key], other.lc_kwargs[key])) differ.push(key);
  return differ;
}

/** Deep and exact, for what the codec can carry. */
function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return false;
  if (Array.isArray(one))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isSame(item, other[index]))
    );
  if (isMessage(one)) return isMessage(other) && isSameMessage(one, other);
  if (isPlain(one)) {
    if (!isPlain(other)) return false;
    const keys = Object.keys(one);
    return (
      keys.length === Object.keys(other).length &&
      keys.every((key) => Object.hasOwn(other, key) && isSame(one[key], other[key]))
    );
  }
  return isSameSpecial(one, other);
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
  for (const key in value) copy[key] = copyValue(value[key]);
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
