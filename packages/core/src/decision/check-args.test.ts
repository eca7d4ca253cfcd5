import { describe, expect, test } from "vitest";
import type { JsonObject } from "../plain-json.ts";
import { problemWithArgs } from "./check-args.ts";

const order: JsonObject = {
  type: "object",
  properties: {
    customer: {
      type: "object",
      properties: { name: { type: "string", minLength: 2 }, tier: { enum: ["basic", "gold"] } },
      required: ["name"],
    },
    lines: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        properties: { sku: { type: "string" }, count: { type: "integer", minimum: 1 } },
        required: ["sku"],
      },
    },
    note: { anyOf: [{ type: "string" }, { type: "null" }] },
    shipTo: { $ref: "#/$defs/address" },
  },
  required: ["customer"],
  additionalProperties: false,
  $defs: {
    address: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  },
};
const ann = { name: "Ann" };

const wrong: readonly (readonly [args: JsonObject, path: string, message: string])[] = [
  [{}, "", 'Instance does not have required property "customer"'],
  [{ customer: {} }, "customer", '"customer": Instance does not have required property "name"'],
  [
    { customer: { name: 5 } },
    "customer.name",
    '"customer.name": Instance type "number" is invalid. Expected "string"',
  ],
  [{ customer: { name: "x" } }, "customer.name", '"customer.name": String is too short (1 < 2)'],
  [
    { customer: { name: "Ann", tier: "silver" } },
    "customer.tier",
    '"customer.tier": Instance does not match any of ["basic","gold"]',
  ],
  [{ customer: ann, lines: [] }, "lines", '"lines": Array has too few items (0 < 1)'],
  [
    { customer: ann, lines: [{ sku: "a" }, {}] },
    "lines.1",
    '"lines.1": Instance does not have required property "sku"',
  ],
  [
    { customer: ann, lines: [{ sku: "a", count: 1.5 }] },
    "lines.0.count",
    '"lines.0.count": Instance type "number" is invalid. Expected "integer"',
  ],
  [
    { customer: ann, lines: [{ sku: "a", count: 0 }] },
    "lines.0.count",
    '"lines.0.count": 0 is less than 1',
  ],
  [{ customer: ann, note: 5 }, "note", '"note": Instance does not match any subschemas'],
];

describe("arguments against the tool's schema", () => {
  test.each(wrong)("%j is wrong at %j: %s", (args, path, message) => {
    expect(problemWithArgs(order, args)).toEqual({ path, message });
  });

  test("what satisfies the schema has no problem", () => {
    const lines = [{ sku: "a", count: 2 }, { sku: "b" }];
    expect(
      problemWithArgs(order, { customer: ann, lines, note: null, shipTo: { city: "Bern" } }),
    ).toBeUndefined();
    expect(problemWithArgs({}, { anything: [1, "x"] })).toBeUndefined();
  });

  test("a problem behind a reference says what is wrong (found by test: it only said that something was)", () => {
    const args = { customer: ann, shipTo: "Bern" };
    expect(problemWithArgs(order, args)?.message).toBe(
      '"shipTo": Instance type "string" is invalid. Expected "object"',
    );
  });

  test('a field that the schema does not know is named (found by test: it said "False boolean schema")', () => {
    expect(problemWithArgs(order, { customer: ann, vip: true })).toEqual({
      path: "vip",
      message: '"vip": nothing is allowed here',
    });
  });

  test("a schema that cannot be read fits nothing, and nothing is thrown (found by test)", () => {
    const problem = { path: "", message: "the tool's schema cannot be read" };
    expect(problemWithArgs({ $ref: "https://elsewhere.example/schema" }, {})).toEqual(problem);
    expect(problemWithArgs({ properties: { a: { pattern: "(?i)x[" } } }, { a: "x" })).toEqual(
      problem,
    );
    expect(
      problemWithArgs({ $ref: "#/$defs/loop", $defs: { loop: { $ref: "#/$defs/loop" } } }, {}),
    ).toEqual(problem);
  });

  test("the schema is left as it was, also when frozen (found by test: the validator wrote into it)", () => {
    const schema = {
      properties: { a: Object.freeze({ $ref: "#/$defs/b" }) },
      $defs: { b: Object.freeze({ type: "string" }) },
    };
    const frozen = Object.freeze({
      ...schema,
      properties: Object.freeze(schema.properties),
      $defs: Object.freeze(schema.$defs),
    });
    expect(problemWithArgs(frozen, { a: "x" })).toBeUndefined();
    problemWithArgs(order, { customer: ann });
    expect(Reflect.ownKeys(order)).toEqual([
      "type",
      "properties",
      "required",
      "additionalProperties",
      "$defs",
    ]);
  });

  test("fields named like members of Object.prototype are own fields only", () => {
    const schema = {
      type: "object",
      properties: { constructor: { type: "string" }, toString: { type: "string" } },
    };
    expect(problemWithArgs(schema, {})).toBeUndefined();
    expect(problemWithArgs({ required: ["constructor"] }, {})?.message).toContain(
      'required property "constructor"',
    );
    expect(problemWithArgs(schema, { constructor: "x" })).toBeUndefined();
  });
});
