import fc from "fast-check";
import { expect, test } from "vitest";
import { afterTyping, asTextArea } from "./line-endings.ts";

const text = fc.string({ unit: fc.constantFrom("a", "b", "\r\n", "\r", "\n"), maxLength: 12 });

test("a text that is typed over with itself keeps its line endings", () => {
  fc.assert(
    fc.property(text, (before) => {
      expect(afterTyping(before, asTextArea(before))).toBe(before);
    }),
  );
});

test("what was typed is what the text area shows afterwards", () => {
  fc.assert(
    fc.property(text, text.map(asTextArea), (before, typed) => {
      expect(asTextArea(afterTyping(before, typed))).toBe(typed);
    }),
  );
});

test("two endings that come to stand together stay two", () => {
  expect(asTextArea(afterTyping("\ra\n", "\n\n"))).toBe("\n\n");
});

test("changing a word leaves the other lines alone, and new lines end like the first one", () => {
  expect(afterTyping("one\r\ntwo\rthree", "one\n2\n2\nthree")).toBe("one\r\n2\r\n2\rthree");
});
