import { expect, test } from "vitest";
import { byteCount, foldAbove, foldedText } from "./fold-text.ts";

test("a text up to the limit is shown whole", () => {
  expect(foldedText("x".repeat(foldAbove))).toBeUndefined();
});

test("a fold never cuts a character in half", () => {
  const folded = foldedText(`x${"😀".repeat(foldAbove)}`);
  expect(folded?.length).toBe(599);
  expect(folded?.isWellFormed()).toBe(true);
});

test("bytes are counted as UTF-8", () => {
  expect(byteCount("é".repeat(1000), "en")).toBe("2,000");
});
