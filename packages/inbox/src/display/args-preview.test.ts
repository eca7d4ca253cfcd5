import { expect, test } from "vitest";
import { argsPreview } from "./args-preview.ts";
import { oneLine } from "./one-line.ts";

test("arguments become one line", () => {
  expect(argsPreview({ orderId: "A-1", amount: 180, to: ["a", "b"], note: "one\n\ttwo" })).toBe(
    'orderId: A-1, amount: 180, to: ["a","b"], note: one ↵ two',
  );
  expect(argsPreview({})).toBe("");
});

test("characters that a person could not see are shown, in keys too", () => {
  expect(argsPreview({ path: "a\u202Egpj.exe", "\u200Bto": "x" })).toBe(
    "path: a\\u{202E}gpj.exe, \\u{200B}to: x",
  );
});

test("long values and many arguments are cut, and the cut is marked", () => {
  const preview = argsPreview({ body: "x".repeat(100_000), b: 1, c: 1, d: 1, e: 1, f: 1, g: 1 });
  expect(preview).toBe(`body: ${"x".repeat(80)}…, b: 1, c: 1, d: 1, e: 1, f: 1, …`);
});

test("a cut never halves a character", () => {
  expect(oneLine("😀".repeat(20), 10)).toBe(`${"😀".repeat(10)}…`);
  expect(oneLine("😀".repeat(10), 10)).toBe("😀".repeat(10));
});
