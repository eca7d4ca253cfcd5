import type { Json, JsonObject } from "@holdpoint/core";
import { describe, expect, test } from "vitest";
import { shapeOf } from "./field-shape.ts";
import { objectFields, schemaFromArgs } from "./object-fields.ts";
import { resolveSchema } from "./resolve-schema.ts";
import { startingValue } from "./starting-value.ts";

/** As zod's `toJSONSchema` writes it. */
const payment: JsonObject = {
  oneOf: [
    {
      type: "object",
      properties: { kind: { type: "string", const: "card" }, last4: { type: "string" } },
      required: ["kind", "last4"],
      additionalProperties: false,
    },
    {
      type: "object",
      properties: { kind: { type: "string", const: "bank" }, iban: { type: "string" } },
      required: ["kind", "iban"],
      additionalProperties: false,
    },
  ],
};
const root: JsonObject = {
  type: "object",
  properties: { node: { $ref: "#/$defs/node", description: "The first one" } },
  $defs: {
    node: {
      type: "object",
      description: "A node",
      properties: {
        name: { type: "string" },
        children: { type: "array", items: { $ref: "#/$defs/node" } },
      },
      required: ["name", "children"],
    },
    "a/b": { type: "boolean" },
    loop: { $ref: "#/$defs/loop" },
  },
};
const typeOf = (schema: JsonObject, value: Json) => shapeOf(schema, value, root).type;

describe("the shape of a field", () => {
  test("follows references, also through escapes and in circles", () => {
    expect(typeOf({ $ref: "#/$defs/node" }, { name: "a", children: [] })).toBe("object");
    expect(typeOf({ $ref: "#/$defs/a~1b" }, true)).toBe("switch");
    expect(typeOf({ $ref: "#" }, {})).toBe("object");
    expect(typeOf({ $ref: "#/$defs/loop" }, { any: 1 })).toBe("json");
    expect(typeOf({ $ref: "https://elsewhere/schema" }, "x")).toBe("text");
  });

  test("the words beside a reference win over the referenced ones", () => {
    const node = resolveSchema({ $ref: "#/$defs/node", description: "Mine" }, root);
    expect(node["description"]).toBe("Mine");
  });

  test("an intersection is one form with the fields of both", () => {
    const both = resolveSchema(
      {
        allOf: [
          { type: "object", properties: { a: {} }, required: ["a"] },
          { type: "object", properties: { b: {} }, required: ["b"] },
        ],
      },
      root,
    );
    expect(objectFields(both, {}).absent).toMatchObject([
      { key: "b", required: true },
      { key: "a", required: true },
    ]);
  });

  test("nullable is spelled in three ways", () => {
    expect(typeOf({ type: ["string", "null"] }, null)).toBe("nullable");
    expect(typeOf({ anyOf: [{ type: "null" }, { type: "number" }] }, 3)).toBe("nullable");
    expect(typeOf({ enum: ["a", null] }, null)).toBe("choice");
  });

  test("a union picks the branch that the value fits", () => {
    expect(shapeOf(payment, { kind: "bank", iban: "DE1" }, root)).toMatchObject({ picked: 1 });
    expect(shapeOf(payment, { kind: "cash" }, root)).toMatchObject({ picked: -1 });
    expect(shapeOf({ type: ["string", "number"] }, 5, root)).toMatchObject({ picked: 1 });
  });

  test("a union of constants is a choice", () => {
    const schema = { anyOf: [{ type: "string", const: "a" }, { enum: ["b", 3] }] };
    expect(shapeOf(schema, "b", root)).toEqual({ type: "choice", options: ["a", "b", 3] });
  });

  test("alternatives that only add conditions are no choice between forms", () => {
    const schema = {
      type: "object",
      properties: { id: { type: "string" }, email: { type: "string" } },
      anyOf: [{ required: ["id"] }, { required: ["email"] }],
    };
    expect(typeOf(schema, { id: "1" })).toBe("object");
  });

  test("a value of another type than the schema's is shown as JSON, never converted", () => {
    expect(typeOf({ type: "integer" }, "5")).toBe("json");
    expect(typeOf({ type: "string" }, 5)).toBe("json");
    expect(typeOf({ type: "integer" }, 1.5)).toBe("json");
    expect(typeOf({ const: "a" }, "b")).toBe("json");
    expect(typeOf({ type: "array", items: {} }, "[]")).toBe("json");
  });

  test("without a schema a text stays a text, and an object is JSON", () => {
    expect(typeOf({}, "5")).toBe("text");
    expect(typeOf({}, 5)).toBe("number");
    expect(typeOf({}, { a: 1 })).toBe("json");
  });
});

describe("the fields of an object", () => {
  test("absent, present and unknown keys are told apart by own property only", () => {
    const schema = { properties: { to: { type: "string" }, constructor: { type: "string" } } };
    const fields = objectFields(schema, { to: "", toString: 1 });
    expect(fields.present.map((field) => field.key)).toEqual(["to"]);
    expect(fields.absent.map((field) => field.key)).toEqual(["constructor"]);
    expect(fields.unknown).toEqual(["toString"]);
  });

  test("a map takes any key; an object that merely tolerates others does not offer them", () => {
    const map = { type: "object", additionalProperties: { type: "number" } };
    expect(objectFields(map, { a: 1 })).toMatchObject({ unknown: [], others: { type: "number" } });
    const loose = { properties: { a: {} }, additionalProperties: {} };
    expect(objectFields(loose, { b: 1 })).toMatchObject({ unknown: ["b"], others: undefined });
  });

  test("a tool without a schema gets a field for every argument", () => {
    const args = { text: "hi", deep: { a: 1 } };
    const fields = objectFields(schemaFromArgs(args), args);
    expect(fields.present.map((field) => field.key)).toEqual(["text", "deep"]);
    expect(fields.unknown).toEqual([]);
  });
});

describe("a starting value", () => {
  test("is the default, or empty, with numbers left for a person to fill in", () => {
    expect(startingValue({ type: "integer", default: 3 }, root)).toEqual({ value: 3, blanks: [] });
    expect(startingValue(payment, root).value).toEqual({ kind: "card", last4: "" });
    const order = {
      type: "object",
      properties: { cents: { type: "integer" }, note: { type: "string" } },
      required: ["cents"],
    };
    expect(startingValue(order, root)).toEqual({ value: { cents: 0 }, blanks: [["cents"]] });
  });

  test("a schema that contains itself ends somewhere", () => {
    const endless = {
      type: "object",
      properties: { next: { $ref: "#" } },
      required: ["next"],
    };
    expect(JSON.stringify(startingValue(endless, endless).value)).toContain("null");
  });
});
