import { BaseCheckpointSaver } from "@langchain/langgraph";
import { isMessage } from "../../packages/langchain/src/checkpoints/messages.ts";

type Open = Record<string, unknown>;

/**
 * Writes values down as text in which whatever differs looks different, messages and special values included.
 * Ids that are made anew in each run are replaced by the order in which they are met, and times by a word.
 */
export function createWriter(threadPrefix: string): (value: unknown) => string {
  const named = createNaming(threadPrefix);
  return (value) => JSON.stringify(writtenDown(value, named, []));
}

function writtenDown(
  value: unknown,
  named: (text: string) => string,
  above: readonly object[],
): unknown {
  if (value === undefined) return "~undefined";
  if (typeof value === "number") return Number.isFinite(value) ? value : `~${String(value)}`;
  if (typeof value === "function" || typeof value === "symbol") return `~${typeof value}`;
  if (typeof value === "string") return named(withoutQuotes(value));
  if (typeof value !== "object" || value === null) return value;
  if (above.includes(value)) return "~circle";
  const inner = (one: unknown): unknown => writtenDown(one, named, [...above, value]);
  if (isMessage(value)) return { "~": nameOf(value), ...fieldsOf(value, inner) };
  if (Array.isArray(value)) return (value as unknown[]).map(inner);
  if (value instanceof Map) return { "~map": [...(value as Map<unknown, unknown>)].map(inner) };
  if (value instanceof Set) return { "~set": [...(value as Set<unknown>)].map(inner) };
  if (value instanceof RegExp) return { "~": String(value) };
  if (value instanceof Uint8Array) return { "~bytes": [...value] };
  if (value instanceof BaseCheckpointSaver) return "~saver";
  if (value instanceof Error) return { "~error": value.name, message: inner(value.message) };
  const name = nameOf(value);
  const fields = Object.fromEntries(entriesOf(value).map(([key, one]) => [named(key), inner(one)]));
  return name === "Object" ? fields : { "~": name, ...fields };
}

/** The order of keys counts, but not in a `configurable`; and what only says when something was saved is left out. */
function entriesOf(value: object): readonly (readonly [string, unknown])[] {
  const entries = Object.entries(value as Open).filter(([key]) => !times.has(key));
  return "checkpoint_ns" in value
    ? entries.toSorted(([one], [other]) => (one < other ? -1 : 1))
    : entries;
}

const times = new Set(["createdAt", "ts"]);

/** Of a message what is set on it, and the names of what it was made with and writes itself down with. */
function fieldsOf(message: object, inner: (one: unknown) => unknown): Open {
  const own = message as Open;
  const fields: Open = {};
  for (const key of Object.keys(own).toSorted())
    if (!key.startsWith("lc_") && own[key] !== undefined) fields[key] = inner(own[key]);
  const made = (message as { lc_kwargs: Open }).lc_kwargs;
  fields["~made with"] = Object.keys(made)
    .filter((key) => (own[key] ?? made[key]) !== undefined)
    .toSorted();
  return fields;
}

/** Some of LangGraph's errors quote values as JSON, with the fields of a message in the order it was made with. */
function withoutQuotes(text: string): string {
  return text.startsWith("Invalid update") ? text.replace(/ with values .*/su, "") : text;
}

function nameOf(value: object): string {
  const { constructor } = value as { constructor?: { name?: string } };
  return constructor?.name ?? "Object";
}

/** Longer texts are a program's own. */
const longestWithIds = 600;

function createNaming(threadPrefix: string): (text: string) => string {
  const names = new Map<string, string>();
  const made =
    /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|[\da-f]{32}|session_[\da-f]{8}/gu;
  const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/gu;
  const nameOfId = (id: string): string => {
    const name = names.get(id) ?? `#${names.size}`;
    names.set(id, name);
    return name;
  };
  return (text) =>
    text.length < threadPrefix.length || text.length > longestWithIds
      ? text
      : text
          .replaceAll(threadPrefix, "thread-")
          .replaceAll(time, "a time")
          .replaceAll(made, nameOfId);
}
