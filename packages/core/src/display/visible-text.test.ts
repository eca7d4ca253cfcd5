import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  hasHiddenCharacters,
  type HiddenKind,
  visiblePieces,
  visibleText,
} from "./visible-text.ts";

/** Section 10 of the failures document, written down independently of the code. */
const dangerous =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}\p{Default_Ignorable_Code_Point}\p{Zs}\u2800]/u;
const harmless = new Set(["\n", "\t", " "]);

/** What may stay although it is invisible: inside an emoji, and beside Chinese or Japanese. */
const ordinary = [
  /(?<=\p{Extended_Pictographic})\uFE0F/gu,
  /(?<=[0-9#*])\uFE0F(?=\u20E3)/gu,
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier})\u200D(?=\p{Extended_Pictographic})/gu,
  /(?<=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3001-\u303F\uFF01-\uFF60])\u3000/gu,
  /\u3000(?=[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\u3001-\u303F\uFF01-\uFF60])/gu,
];

function dangersIn(text: string): string[] {
  const rest = ordinary.reduce((left, pattern) => left.replaceAll(pattern, ""), text);
  return Array.from(rest).filter((one) => dangerous.test(one) && !harmless.has(one));
}

function escapeOf(codePoint: number): string {
  return `\\u{${codePoint.toString(16).toUpperCase().padStart(4, "0")}}`;
}

const nasty = fc.constantFrom(
  ...Array.from(
    "\u202E\u200D\uFE0F\uFE0E\u3000\u00A0\u00AD\u2066\u{E0061}\u{1F600}\u2764\u{1F3FD}1\u20E3中ひa\n\t\r\u001B\uD800\uDC00",
  ),
);
const anyString = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.string({ unit: nasty }),
  fc.string({ unit: fc.nat({ max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
);

describe("text that is shown to a person", () => {
  test("every single code point that section 10 lists is escaped, and no other one", () => {
    const wrong: string[] = [];
    for (let codePoint = 0; codePoint <= 0x10ffff; codePoint += 1) {
      const character = String.fromCodePoint(codePoint);
      const mustEscape = dangerous.test(character) && !harmless.has(character);
      const shown = visibleText(character);
      if (shown !== (mustEscape ? escapeOf(codePoint) : character)) wrong.push(escapeOf(codePoint));
    }
    expect(wrong).toEqual([]);
  });

  test.each<readonly [HiddenKind, readonly number[]]>([
    [
      "bidirectional",
      [
        0x061c, 0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068,
        0x2069,
      ],
    ],
    ["space", [0x00a0, 0x1680, 0x2000, 0x2007, 0x200a, 0x202f, 0x205f, 0x3000, 0x2800]],
    ["control", [0x00, 0x07, 0x08, 0x0b, 0x0d, 0x1b, 0x7f, 0x80, 0x9b, 0x9f]],
    [
      "invisible",
      [
        0x034f, 0x115f, 0x1160, 0x17b4, 0x180b, 0x180d, 0x200b, 0x200c, 0x200d, 0x2028, 0x2029,
        0x2060, 0x3164, 0xfe00, 0xfe0f, 0xfeff, 0xffa0, 0x00ad, 0xd800, 0xdfff, 0xe000, 0xffff,
        0xe0001, 0xe0061, 0xe007f, 0xe0100, 0xe01ef, 0x10ffff,
      ],
    ],
  ])("names what is hidden: %s", (kind, codePoints) => {
    for (const codePoint of codePoints) {
      expect(visiblePieces(`a${String.fromCodePoint(codePoint)}b`)).toEqual([
        { type: "plain", text: "a" },
        { type: "hidden", text: escapeOf(codePoint), kind },
        { type: "plain", text: "b" },
      ]);
    }
  });

  test("any string at all comes out without anything invisible, and nothing is dropped", () => {
    fc.assert(
      fc.property(anyString, (text) => {
        const shown = visibleText(text);
        expect(dangersIn(shown)).toEqual([]);
        expect(hasHiddenCharacters(text)).toBe(shown !== text);
        if (text.includes("\\")) return;
        const unescaped = shown.replaceAll(/\\u\{([0-9A-F]+)\}/g, (_, hex: string) =>
          String.fromCodePoint(Number.parseInt(hex, 16)),
        );
        expect(Array.from(unescaped)).toEqual(Array.from(text));
      }),
      { numRuns: 1000 },
    );
  });

  test("the property catches a display that only knows \\p{Cf}, and one that drops", () => {
    const onlyFormat = (text: string) =>
      text.replaceAll(/\p{Cf}/gu, (one) => escapeOf(one.codePointAt(0) ?? 0));
    const holds = (show: (text: string) => string) =>
      fc.property(anyString, (text) => dangersIn(show(text)).length === 0);
    expect(() => fc.assert(holds(onlyFormat), { seed: 1 })).toThrow("Property failed");
    expect(visibleText("a\u{E0100}b")).not.toBe("ab");
  });

  test.each([
    "你好，世界！请审批这封邮件。",
    "第一章　总则",
    "ひらがな　カタカナ　漢字",
    "résumé, re\u0301sume\u0301, naïve, Zürich, Ελλάδα, Привет",
    "👍 ❤️ ☎️ ©️ 🇩🇪 👩🏽‍💻 👨‍👩‍👧‍👦 🏳️‍🌈 🏴‍☠️ ❤️‍🔥 👁️‍🗨️ 1️⃣ #️⃣ 🧑🏿‍🚀",
    "a line\nand a\ttab",
    '{"to": "a@b.c", "n": 1}',
  ])("ordinary text stays as it is: %j", (text) => {
    expect(visiblePieces(text)).toEqual([{ type: "plain", text }]);
    expect(hasHiddenCharacters(text)).toBe(false);
  });

  test("nothing is nothing", () => {
    expect(visiblePieces("")).toEqual([]);
    expect(visibleText("")).toBe("");
  });

  test("a selector after a digit is no emoji (found by test: 1\uFE0F00 looked like 100)", () => {
    expect(visibleText("1\uFE0F00")).toBe("1\\u{FE0F}00");
    expect(visibleText("a\uFE0F")).toBe("a\\u{FE0F}");
  });

  test("a joiner is part of an emoji only between two pictures (found by test)", () => {
    expect(visibleText("pay\u200D👍")).toBe("pay\\u{200D}👍");
    expect(visibleText("\u200D👍")).toBe("\\u{200D}👍");
    expect(visibleText("👍\u200D")).toBe("👍\\u{200D}");
    expect(visibleText("👍\u200D\u200D👍")).toBe("👍\\u{200D}\\u{200D}👍");
  });

  test("an ideographic space between Latin letters is shown", () => {
    expect(visibleText("pay\u3000all")).toBe("pay\\u{3000}all");
  });

  test("known attacks show themselves", () => {
    expect(visibleText("gpj.\u202Eexe")).toBe("gpj.\\u{202E}exe");
    expect(visibleText("\u001B]52;c;cm0gLXJm\u0007")).toBe("\\u{001B}]52;c;cm0gLXJm\\u{0007}");
    expect(visibleText("ok\u{E0064}\u{E0065}\u{E006C}")).toBe("ok\\u{E0064}\\u{E0065}\\u{E006C}");
    expect(visibleText("a\r\nb")).toBe("a\\u{000D}\nb");
  });
});
