import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isJsonObject, isPlainJson, jsonLimits, problemWithJson } from "./plain-json.ts";
import { anyJson } from "./testing/arbitrary-json.ts";

class Account {
  balance = 1;
}

class Sneaky extends Array<number> {
  toJSON() {
    return "something else";
  }
}

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

/** Section 9 of the failures document, as the value looks after `JSON.parse` or in a developer's hands. */
const traps: readonly (readonly [name: string, value: unknown, problem: RegExp])[] = [
  ["an integer that was rounded", JSON.parse("12345678901234567891"), /beyond 2\^53/],
  ["the first unsafe integer", JSON.parse("9007199254740993"), /beyond 2\^53/],
  ["its twin", JSON.parse("9007199254740992"), /beyond 2\^53/],
  ["a negative unsafe integer", -(2 ** 53), /beyond 2\^53/],
  ["negative zero", JSON.parse("-0"), /negative zero/],
  ["a number that overflowed", JSON.parse("1e400"), /not a finite number/],
  ["NaN", Number.NaN, /not a finite number/],
  ["half of a surrogate pair", JSON.parse(String.raw`"\ud800"`), /half of a surrogate pair/],
  ["half of one in a key", JSON.parse(String.raw`{"\udc00":1}`), /half of a surrogate pair/],
  ["undefined", undefined, /undefined, which JSON cannot carry/],
  ["undefined in an object", { a: 1, b: undefined }, /"b" is undefined/],
  ["undefined in a list", [undefined], /"0" is undefined/],
  ["a function", { run: () => 1 }, /"run" is function/],
  ["a symbol", Symbol("x"), /symbol, which JSON cannot carry/],
  ["a BigInt", { amount: 1n }, /"amount" is bigint/],
  ["a Map", { m: new Map([["a", 1]]) }, /"m" is a Map/],
  ["a Set", new Set([1]), /the value is a Set/],
  ["a Date", { at: new Date(0) }, /"at" is a Date/],
  ["a class instance", { account: new Account() }, /"account" is a Account/],
  ["an object made from another one", Object.create({ isAdmin: true }), /not a plain object/],
  ["a __proto__ key", JSON.parse('{"__proto__":{"isAdmin":true}}'), /"__proto__" is not allowed/],
  ["a deep __proto__ key", JSON.parse('{"a":[{"__proto__":1}]}'), /"__proto__" is not allowed/],
  [
    "a constructor.prototype",
    JSON.parse('{"constructor":{"prototype":{}}}'),
    /"constructor.prototype" is not allowed/,
  ],
  ["a value 65 levels deep", nested(65), /nested deeper than 64 levels/],
  [
    "a list 100,000 levels deep",
    JSON.parse("[".repeat(100_000) + "]".repeat(100_000)),
    /nested deeper than 64/,
  ],
  [
    "10,001 keys",
    Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [n, n])),
    /more than 10000 keys/,
  ],
  ["10,001 items", Array.from({ length: 10_001 }, () => 1), /more than 10000 keys/],
  ["too long a text", "x".repeat(jsonLimits.text + 1), /longer than 1048576/],
  ["too much text together", ["x".repeat(jsonLimits.text), "y"], /longer than 1048576/],
];

describe("what is not plain JSON", () => {
  test.each(traps)("%s is refused", (_name, value, problem) => {
    expect(problemWithJson(value)).toMatch(problem);
    expect(isPlainJson(value)).toBe(false);
  });

  test("a value that contains itself is refused", () => {
    const circle: unknown[] = [];
    circle.push(circle);
    expect(problemWithJson(circle)).toMatch(/nested deeper/);
  });

  test("a list with gaps is refused (found by test: it threw)", () => {
    // oxlint-disable-next-line no-sparse-arrays
    for (const gaps of [[, 1], [1, , 2], Array(2)]) {
      expect(problemWithJson(gaps)).toBe("the value is a list with gaps or with names");
    }
    const filled = Object.assign(Array(2), { 0: "a", name: "b" });
    expect(problemWithJson(filled)).toBe("the value is a list with gaps or with names");
  });

  test("a list that writes itself as something else is refused (found by test: its digest was another value's)", () => {
    expect(problemWithJson({ list: new Sneaky(1, 2) })).toBe(
      '"list" is a Sneaky, not a plain list',
    );
    const named = Object.assign([1], { toJSON: () => "something else" });
    expect(problemWithJson(named)).toBe("the value is a list with gaps or with names");
  });

  test("an object with a prototype without a name is refused (found by test: it threw)", () => {
    const nameless = Object.create(Object.create(null));
    expect(problemWithJson(nameless)).toBe("the value is a special object, not a plain object");
  });

  test("keys that JSON would drop are refused (found by test: the digest did not cover them)", () => {
    const hidden = Object.defineProperty({}, "secret", { value: 1, enumerable: false });
    expect(problemWithJson(hidden)).toBe("the value has hidden keys");
    expect(problemWithJson({ [Symbol("secret")]: 1 })).toBe("the value has hidden keys");
  });

  test("a key counts as text (found by test: a key could be of any length)", () => {
    expect(problemWithJson({ ["k".repeat(jsonLimits.text + 1)]: 1 })).toMatch(
      /longer than 1048576/,
    );
  });
});

describe("plain JSON", () => {
  test("is anything that JSON carries unchanged", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(problemWithJson(value)).toBeUndefined();
      }),
    );
  });

  test("has room up to its limits", () => {
    for (const value of [
      nested(64),
      Array.from({ length: 10_000 }, () => 1),
      "x".repeat(jsonLimits.text),
      Number.MAX_SAFE_INTEGER,
      Number.MIN_SAFE_INTEGER,
      JSON.parse("1.0"),
    ]) {
      expect(problemWithJson(value)).toBeUndefined();
    }
  });

  test("may have keys that are names of Object.prototype", () => {
    const value = JSON.parse('{"constructor":"x","toString":1,"hasOwnProperty":null,"valueOf":[]}');
    expect(problemWithJson(value)).toBeUndefined();
    expect(isJsonObject(value)).toBe(true);
    expect(isJsonObject(Object.assign(Object.create(null), { a: 1 }))).toBe(true);
  });

  test("is an object only when it is neither a list nor null", () => {
    expect([[], null, "x", 1, undefined].map(isJsonObject)).toEqual(Array(5).fill(false));
  });
});
