import type { BaseMessage } from "@langchain/core/messages";
import { pick } from "../reliability/seeded.ts";
import { isMessage } from "../../packages/langchain/src/checkpoints/messages.ts";
import { below, json, type Random, text } from "./values.ts";

type Open = Record<string, unknown>;

/** Changes something inside a value, as deep as the draws lead; nothing when there is nothing to change. */
export function editInPlace(random: Random, value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if (isMessage(value)) editMessage(random, value);
  else if (value instanceof Map) editMap(random, value as Map<unknown, unknown>);
  else if (value instanceof Set) (value as Set<unknown>).add(text(random));
  else if (value instanceof Uint8Array) value.fill(below(random, 256), 0, 1);
  else if (Array.isArray(value)) editList(random, value as unknown[]);
  else if (Object.getPrototypeOf(value) === Object.prototype) editRecord(random, value as Open);
}

/** Of a message only what it was made with: MemorySaver does not keep anything else. */
function editMessage(random: Random, message: BaseMessage): void {
  const own = message as unknown as Open;
  const deep = ["additional_kwargs", "tool_calls", "response_metadata", "artifact", "content"];
  const inside = deep.filter(
    (key) => key in message.lc_kwargs && typeof own[key] === "object" && own[key] !== null,
  );
  const calls = own["tool_calls"];
  if (Array.isArray(calls) && calls.length > 0 && random() < 0.5)
    editInPlace(random, (pick(random, calls) as Open)["args"]);
  else if (random() < 0.2 && typeof own["content"] === "string") own["content"] = text(random);
  else if (random() < 0.1 && "name" in message.lc_kwargs) own["name"] = text(random);
  else {
    const key = pick(random, inside);
    // A list of calls or blocks stays one: only its elements change.
    if (Array.isArray(own[key])) editInPlace(random, (own[key] as unknown[]).at(-1));
    else editInPlace(random, own[key]);
  }
}

function editMap(random: Random, map: Map<unknown, unknown>): void {
  const [first] = map.entries();
  if (first !== undefined && random() < 0.5) editInPlace(random, first[1]);
  else map.set(text(random), json(random, 1));
}

function editList(random: Random, list: unknown[]): void {
  const deep = list.filter(isDeep);
  if (deep.length > 0 && random() < 0.6) return editInPlace(random, pick(random, deep));
  switch (below(random, list.length === 0 ? 1 : 4)) {
    case 0:
      list.push(json(random, 1));
      break;
    case 1:
      list.pop();
      break;
    case 2:
      list.reverse();
      break;
    default: {
      const index = below(random, list.length);
      if (!isMessage(list[index])) list[index] = json(random, 1);
    }
  }
}

function editRecord(random: Random, record: Open): void {
  const names = Object.keys(record);
  const deep = names.filter((name) => isDeep(record[name]));
  if (deep.length > 0 && random() < 0.7) return editInPlace(random, record[pick(random, deep)]);
  const [first] = names;
  const does = random();
  if (first === undefined || does < 0.4) record["added"] = json(random, 1);
  else if (does < 0.5) delete record[pick(random, names)];
  else if (does < 0.6) moveToEnd(record, first);
  else record[pick(random, names)] = json(random, 1);
}

/** The same keys and values in another order. */
function moveToEnd(record: Open, key: string): void {
  const value = record[key];
  delete record[key];
  record[key] = value;
}

/** True for what has something inside. */
export function isDeep(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}
