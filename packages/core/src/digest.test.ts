import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { digestCall, digestJson, digestText } from "./digest.ts";
import { jsonLimits, problemWithJson, type JsonObject } from "./plain-json.ts";
import {
  anyJson,
  anyJsonObject,
  singleChanges,
  withKeysReversed,
} from "./testing/arbitrary-json.ts";

describe("a digest", () => {
  test("is the SHA-256 of the UTF-8 bytes (FIPS 180-4 examples)", () => {
    expect(digestText("")).toBe(
      "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    );
    expect(digestText("abc")).toBe(
      "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
    );
    expect(digestText("你好")).toBe(
      "sha256:670d9743542cae3ea7ebe36af56bd53648b0a1126162e78d81a32934a711302e",
    );
  });

  test("stays the same for ever: stored permits are bound to it", () => {
    const call = {
      name: "send_email",
      args: { to: "a@b.c", n: 1.5 },
      argsSchema: { type: "object" },
    };
    expect(digestCall(call)).toBe(
      digestText('{"args":{"n":1.5,"to":"a@b.c"},"name":"send_email","schema":{"type":"object"}}'),
    );
    expect(digestCall({ ...call, argsSchema: undefined })).toBe(
      digestText('{"args":{"n":1.5,"to":"a@b.c"},"name":"send_email","schema":null}'),
    );
  });

  test("does not change with the order of keys", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        expect(digestJson(withKeysReversed(value))).toBe(digestJson(value));
      }),
    );
  });

  test("changes with any single change of a value", () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const original = digestJson(value);
        for (const changed of singleChanges(value)) expect(digestJson(changed)).not.toBe(original);
      }),
    );
  });

  test("of a call changes with its name, its arguments and its schema", () => {
    fc.assert(
      fc.property(anyJsonObject, anyJsonObject, (args, argsSchema) => {
        const call = { name: "tool", args, argsSchema };
        const original = digestCall(call);
        expect(digestCall({ ...call, name: "other" })).not.toBe(original);
        expect(digestCall({ ...call, argsSchema: undefined })).not.toBe(original);
        for (const changed of singleChanges(args) as JsonObject[]) {
          expect(digestCall({ ...call, args: changed })).not.toBe(original);
        }
      }),
      { numRuns: 50 },
    );
  });

  test("arguments at the very limit of the gate still have one (found by test: they threw)", () => {
    let deep: JsonObject = { end: true };
    for (let depth = 1; depth < jsonLimits.depth; depth += 1) deep = { inner: deep };
    const long = { text: "x".repeat(jsonLimits.text - "text".length) };
    for (const args of [deep, long]) {
      expect(problemWithJson(args)).toBeUndefined();
      expect(digestCall({ name: "tool", args, argsSchema: args })).toMatch(/^sha256:[0-9a-f]{64}$/);
    }
  });
});
