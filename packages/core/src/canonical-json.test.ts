import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson, sameJson } from "./canonical-json.ts";
import { anyJson, withKeysReversed } from "./testing/arbitrary-json.ts";

/** RFC 8785, appendix B: the bits of a number, and its one text. */
const numbers: readonly (readonly [bits: string, text: string])[] = [
  ["0000000000000000", "0"],
  ["0000000000000001", "5e-324"],
  ["8000000000000001", "-5e-324"],
  ["3eb0c6f7a0b5ed8c", "9.999999999999997e-7"],
  ["3eb0c6f7a0b5ed8d", "0.000001"],
  ["41b3de4355555553", "333333333.3333332"],
  ["41b3de4355555554", "333333333.33333325"],
  ["41b3de4355555555", "333333333.3333333"],
  ["41b3de4355555556", "333333333.3333334"],
  ["41b3de4355555557", "333333333.33333343"],
  ["becbf647612f3696", "-0.0000033333333333333333"],
  ["43143ff3c1cb0959", "1424953923781206.2"],
];

/** The rest of appendix B: integers that JSON readers round differently, a zero with a sign, no numbers. */
const refusedNumbers: readonly (readonly [bits: string, problem: string])[] = [
  ["8000000000000000", "negative zero"],
  ["7fefffffffffffff", "an integer beyond 2^53"],
  ["ffefffffffffffff", "an integer beyond 2^53"],
  ["4340000000000000", "an integer beyond 2^53"],
  ["c340000000000000", "an integer beyond 2^53"],
  ["4430000000000000", "an integer beyond 2^53"],
  ["44b52d02c7e14af5", "an integer beyond 2^53"],
  ["44b52d02c7e14af6", "an integer beyond 2^53"],
  ["44b52d02c7e14af7", "an integer beyond 2^53"],
  ["444b1ae4d6e2ef4e", "an integer beyond 2^53"],
  ["444b1ae4d6e2ef4f", "an integer beyond 2^53"],
  ["444b1ae4d6e2ef50", "an integer beyond 2^53"],
  ["7fffffffffffffff", "not a finite number"],
  ["7ff0000000000000", "not a finite number"],
];

function numberOf(bits: string): number {
  const view = new DataView(new ArrayBuffer(8));
  view.setBigUint64(0, BigInt(`0x${bits}`));
  return view.getFloat64(0);
}

describe("canonical JSON", () => {
  test.each(numbers)("writes the number %s of RFC 8785 as %s", (bits, text) => {
    expect(canonicalJson(numberOf(bits))).toBe(text);
    expect(JSON.parse(text)).toBe(numberOf(bits));
  });

  test.each(refusedNumbers)("refuses the number %s of RFC 8785: %s", (bits, problem) => {
    expect(() => canonicalJson(numberOf(bits))).toThrow(problem);
  });

  test("writes the example of RFC 8785, section 3.2.2, but for its number beyond 2^53", () => {
    const text = String.raw`{
      "numbers": [333333333.33333329, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`;
    expect(canonicalJson(JSON.parse(text))).toBe(
      String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,4.5,0.002,1e-27],` +
        String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    );
    expect(() => canonicalJson(JSON.parse("1E30"))).toThrow("beyond 2^53");
  });

  test("sorts keys by UTF-16 units, so an emoji comes before U+FB33 (RFC 8785, section 3.2.3)", () => {
    const keys = ["\u20ac", "\r", "\ufb33", "1", "\u{1F600}", "\u0080", "\u00f6"];
    const written = canonicalJson(Object.fromEntries(keys.map((key) => [key, null])));
    expect(Object.keys(JSON.parse(written)).filter((key) => key !== "1")).toEqual([
      "\r",
      "\u0080",
      "\u00f6",
      "\u20ac",
      "\u{1F600}",
      "\ufb33",
    ]);
    expect(written.startsWith('{"\\r":null,"1":null,')).toBe(true);
  });

  test("escapes only what RFC 8785 says: quotes, backslashes and the C0 controls", () => {
    const short = { "\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r" };
    for (let code = 0; code < 0x20; code += 1) {
      const character = String.fromCharCode(code);
      const long = `\\u${code.toString(16).padStart(4, "0")}`;
      expect(canonicalJson(character)).toBe(
        `"${Object.entries(short).find(([key]) => key === character)?.[1] ?? long}"`,
      );
    }
    expect(canonicalJson('"\\')).toBe(String.raw`"\"\\"`);
    for (const plain of [
      "/",
      "\u007f",
      "\u0080",
      "\u2028",
      "\u2029",
      "\ufeff",
      "é",
      "中",
      "\u{1F600}",
    ]) {
      expect(canonicalJson(plain)).toBe(`"${plain}"`);
    }
  });

  test("keeps é composed and é decomposed apart, because they are different bytes", () => {
    expect(sameJson("\u00e9", "e\u0301")).toBe(false);
  });

  test("1.0 is 1, and types are never mixed up", () => {
    expect(sameJson(JSON.parse("1.0"), 1)).toBe(true);
    expect(sameJson(1, "1")).toBe(false);
    expect(sameJson(null, "null")).toBe(false);
    expect(sameJson([], {})).toBe(false);
    expect(sameJson({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
  });

  test("reads back as the same value, and does not depend on the order of keys", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const text = canonicalJson(value);
        expect(JSON.parse(text)).toEqual(value);
        expect(canonicalJson(withKeysReversed(value))).toBe(text);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
      }),
    );
  });

  test("refuses what is not plain JSON instead of dropping or emptying it", () => {
    expect(() => canonicalJson({ when: new Date(0) } as never)).toThrow('"when" is a Date');
    expect(() => canonicalJson({ a: undefined } as never)).toThrow('"a" is undefined');
  });
});
