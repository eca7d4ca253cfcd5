import { canonicalJson, isPlainJson, type JsonObject } from "@holdpoint/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { changesBetween } from "./changes.ts";
import { textDiff } from "./text-diff.ts";

const args = fc
  .dictionary(fc.constantFrom("a", "b", "constructor"), fc.jsonValue({ maxDepth: 3 }))
  .map((value): unknown => JSON.parse(JSON.stringify(value)))
  .filter((value): value is JsonObject => isPlainJson(value));

describe("the changes of an edit", () => {
  test("are none exactly when both are the same", () => {
    fc.assert(
      fc.property(args, args, (before, after) => {
        const isSame = canonicalJson(before) === canonicalJson(after);
        expect(changesBetween(before, after).length === 0).toBe(isSame);
        expect(changesBetween(before, JSON.parse(JSON.stringify(before)))).toEqual([]);
      }),
    );
  });

  test("tell a text from a number, and null, empty and absent from one another", () => {
    expect(changesBetween({ a: "5", b: "", c: null }, { a: 5, b: null })).toEqual([
      { type: "changed", path: ["a"], before: "5", after: 5 },
      { type: "changed", path: ["b"], before: "", after: null },
      { type: "removed", path: ["c"], before: null },
    ]);
  });

  test("an item taken out of a list is one change", () => {
    expect(changesBetween({ to: ["a", "b", "c"] }, { to: ["a", "c"] })).toEqual([
      { type: "removed", path: ["to", 1], before: "b" },
    ]);
    expect(changesBetween({ to: ["a", "b"] }, { to: ["a", "b", "c"] })).toEqual([
      { type: "added", path: ["to", 2], after: "c" },
    ]);
  });

  test("a change deep inside is shown where it lies", () => {
    const before = { items: [{ n: 1 }, { n: 2 }, { n: 3 }] };
    const after = { items: [{ n: 1 }, { n: 5 }, { n: 3 }] };
    expect(changesBetween(before, after)).toEqual([
      { type: "changed", path: ["items", 1, "n"], before: 2, after: 5 },
    ]);
  });
});

describe("the comparison of two texts", () => {
  const text = fc.string({
    unit: fc.constantFrom("a", "b", " ", "\n", "\r", "改", "。"),
    maxLength: 30,
  });

  test("holds both texts entirely", () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const { parts } = textDiff(before, after);
        const joined = (dropped: string) =>
          parts.flatMap((part) => (part.type === dropped ? [] : [part.text])).join("");
        expect(joined("added")).toBe(before);
        expect(joined("removed")).toBe(after);
      }),
    );
  });

  test("by words, Chinese included, and by lines where a text is long", () => {
    expect(textDiff("退款 5 元给张三", "退款 6 元给张三").parts).toContainEqual({
      type: "added",
      text: "6",
    });
    expect(textDiff("pay 120.50 now", "pay 99.90 now").parts).toEqual([
      { type: "same", text: "pay " },
      { type: "removed", text: "120.50" },
      { type: "added", text: "99.90" },
      { type: "same", text: " now" },
    ]);
    const long = "line\n".repeat(30);
    expect(textDiff(`${long}two words\n`, `${long}2 words\n`)).toEqual({
      type: "lines",
      parts: [
        { type: "same", text: long },
        { type: "removed", text: "two words\n" },
        { type: "added", text: "2 words\n" },
      ],
    });
  });
});
