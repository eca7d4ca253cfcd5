import { isJsonObject } from "@holdpoint/core";
import type { News } from "../hints.ts";

/** A notification takes less than 8,000 bytes; the rest is for the sender's name and punctuation. */
const mostBytes = 7_000;

/** The notifications that carry news; a thread whose id alone is too long for one is left out. */
export function messagesOf(from: string, news: News): readonly string[] {
  const messages: string[] = [];
  let next: { due: string[]; said: string[] } = { due: [], said: [] };
  let size = 0;
  for (const about of ["due", "said"] as const) {
    for (const threadId of news[about]) {
      const bytes = Buffer.byteLength(JSON.stringify(threadId)) + 1;
      if (bytes > mostBytes) continue;
      if (size + bytes > mostBytes) {
        messages.push(JSON.stringify({ from, ...next }));
        next = { due: [], said: [] };
        size = 0;
      }
      next[about].push(threadId);
      size += bytes;
    }
  }
  return size === 0 ? messages : [...messages, JSON.stringify({ from, ...next })];
}

/** What a notification of somebody else says; nothing when it is our own, or no message of Holdpoint. */
export function newsIn(message: string, self: string): News | undefined {
  const read = parse(message);
  if (!isJsonObject(read) || read["from"] === self) return undefined;
  const { due, said } = read;
  return isTexts(due) && isTexts(said) ? { due, said } : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // anybody may notify on any channel
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}
