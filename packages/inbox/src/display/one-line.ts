import { visibleText } from "@holdpoint/core";

/** Any text on one line, safe to read, cut to at most `limit` characters before an ellipsis. */
export function oneLine(text: string, limit: number): string {
  // Twice the limit in code units always holds `limit` whole characters.
  const characters = Array.from(text.slice(0, limit * 2).trim());
  const short = characters.slice(0, limit).join("");
  const cut = characters.length > limit || text.trim().length > limit * 2;
  return (
    visibleText(short)
      .replaceAll(/\s*\n\s*/g, " ↵ ")
      .replaceAll("\t", " ") + (cut ? "…" : "")
  );
}
