import type { Json, JsonObject } from "@holdpoint/core";
import { oneLine } from "./one-line.ts";

const valueLimit = 80;
const entryLimit = 6;

/** The arguments of a tool call as one short line that is safe to read; the card shows them in full. */
export function argsPreview(args: JsonObject): string {
  const entries = Object.entries(args);
  const parts = entries
    .slice(0, entryLimit)
    .map(([key, value]) => `${oneLine(key, valueLimit)}: ${oneLine(textOf(value), valueLimit)}`);
  return entries.length > entryLimit ? `${parts.join(", ")}, …` : parts.join(", ");
}

function textOf(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
