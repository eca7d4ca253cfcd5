import { type MarkedText, withMarks } from "./marked-text.ts";

/**
 * Everything that counts as quotation marks. An apostrophe is one only where a word cannot go on
 * ("don't", "what's in"); the first to open wins, so quotations inside quotations stay inside.
 */
const QUOTATION = new RegExp(
  [
    /```[^\n`]*\n([\s\S]*?)\n?```/,
    /`([^`\n]+)`/,
    /"((?:\\"|[^"])*)"/,
    /[“”]([^“”]*)[“”]/,
    /「([^」]*)」/,
    /『([^』]*)』/,
    /«([^»]*)»/,
    /‘((?:[^’]|’(?=[A-Za-z]))*)’/,
    /(?<![A-Za-z0-9])'(?=\S)((?:[^'\n]|'(?=[A-Za-z]))*)'(?![A-Za-z0-9])/,
  ]
    .map(({ source }) => source)
    .join("|"),
  "g",
);

/** Marks quoted text: "…", '…', “…”, ‘…’, 「…」, 『…』, «…», `…` and fenced blocks. */
export function markQuotations(marked: MarkedText): MarkedText {
  const spans = Array.from(marked.text.matchAll(QUOTATION), (match) => {
    const [raw, ...inside] = match;
    const value = inside.find((text) => text !== undefined) ?? "";
    return { from: match.index, to: match.index + raw.length, value: value.replaceAll('\\"', '"') };
  });
  return withMarks(marked, "quote", spans);
}
