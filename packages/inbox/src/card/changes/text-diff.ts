import { type ChangeObject, diffArrays, diffLines } from "diff";

/** A stretch of text that is in both versions or in one of them. */
export type TextDiffPart = {
  readonly type: "same" | "added" | "removed";
  readonly text: string;
};

/** Two texts compared: by words, or by lines where a text is too long to be read word by word. */
export type TextDiff = {
  readonly type: "lines" | "words";
  readonly parts: readonly TextDiffPart[];
};

const readableLines = 20;

/** Beyond this many differences comparing takes long and the result helps nobody. */
const limit = { maxEditLength: 2000 };

/**
 * What stands between spaces is one word, so that an amount or an address is shown whole rather than
 * as changed digits; in scripts without spaces every character is one.
 */
const words =
  /\s|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303F\uFF00-\uFFEF]|[^\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303F\uFF00-\uFFEF]+/gu;

/** Compares two texts exactly: white space counts. */
export function textDiff(before: string, after: string): TextDiff {
  if (lineCount(before) > readableLines || lineCount(after) > readableLines) {
    const parts = diffLines(before, after, limit)?.map(partOf);
    return { type: "lines", parts: parts ?? wholly(before, after) };
  }
  const changes = diffArrays(wordsOf(before), wordsOf(after), limit);
  const parts = changes?.map((change) => partOf({ ...change, value: change.value.join("") }));
  return { type: "words", parts: parts ?? wholly(before, after) };
}

function wordsOf(text: string): string[] {
  return text.match(words) ?? [];
}

function lineCount(text: string): number {
  return text.split("\n").length;
}

function partOf(change: ChangeObject<string>): TextDiffPart {
  return {
    type: change.added ? "added" : change.removed ? "removed" : "same",
    text: change.value,
  };
}

function wholly(before: string, after: string): TextDiffPart[] {
  return [
    { type: "removed", text: before },
    { type: "added", text: after },
  ];
}
