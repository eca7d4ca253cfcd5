/**
 * A text in which whatever must not be taken apart (quotations, file names, addresses, links) is
 * replaced by one private-use character each. Rules are then short patterns over words and marks,
 * and nothing a person quoted can be mistaken for a request.
 */
export type MarkedText = {
  readonly text: string;
  readonly marks: ReadonlyMap<string, Mark>;
};

/** What a mark stands for: the text as it was typed, and what it means without quotation marks. */
type Mark = {
  readonly raw: string;
  readonly value: string;
  /** For a file name: the longer name that may be meant just as well. */
  readonly longer?: string | undefined;
};

/** A part of a text to be replaced by a mark, and what it means. */
export type Span = {
  readonly from: number;
  readonly to: number;
  readonly value: string;
  readonly longer?: string | undefined;
};

/** Each kind of mark has a range of private-use characters of its own. */
const RANGES = {
  quote: [0xe000, 0xe7ff],
  path: [0xe800, 0xefff],
  address: [0xf000, 0xf7ff],
  link: [0xf800, 0xf8ff],
} as const;

/** For regular expressions: one quotation, or other content that is taken word for word. */
export const QUOTE = "[\\uE000-\\uE7FF]";
/** For regular expressions: one file name. */
export const PATH = "[\\uE800-\\uEFFF]";
/** For regular expressions: one mail address. */
export const ADDRESS = "[\\uF000-\\uF7FF]";
/** For regular expressions: a quotation or a file name, either of which can be content. */
export const QUOTE_OR_PATH = "[\\uE000-\\uEFFF]";

/** A text without marks. Private-use characters in it are dropped, as they would look like marks. */
export function unmarked(text: string): MarkedText {
  return { text: text.replace(/[\uE000-\uF8FF]/g, ""), marks: new Map() };
}

/** Replaces every span by a mark; spans are in order and do not overlap. */
export function withMarks(
  marked: MarkedText,
  kind: keyof typeof RANGES,
  spans: readonly Span[],
): MarkedText {
  const [first, last] = RANGES[kind];
  const marks = new Map(marked.marks);
  let code = first;
  while (marks.has(String.fromCharCode(code))) code += 1;
  let text = "";
  let done = 0;
  for (const { from, to, value, longer } of spans) {
    // Text beyond the last free mark stays as it is: no sensible message comes near it.
    if (code > last) break;
    const key = String.fromCharCode(code);
    marks.set(key, { raw: restored(marked, marked.text.slice(from, to)), value, longer });
    text += marked.text.slice(done, from) + key;
    done = to;
    code += 1;
  }
  return { text: text + marked.text.slice(done), marks };
}

/** `text` as it was typed, with every mark in it put back. */
export function restored(marked: MarkedText, text: string): string {
  return text.replace(/[\uE000-\uF8FF]/g, (key) => marked.marks.get(key)?.raw ?? "");
}

/** What the marks in `text` mean, in order; only those `pattern` finds. */
export function valuesOf(marked: MarkedText, text: string, pattern: string): string[] {
  return Array.from(text.matchAll(new RegExp(pattern, "gu")), ([key]) => {
    return marked.marks.get(key)?.value ?? "";
  });
}
