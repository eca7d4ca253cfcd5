import { isPlainJson, type Json, type JsonObject, problemWithArgs } from "@holdpoint/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type FieldShape, shapeOf } from "./field-shape.ts";
import { type FormState, problemsWithTexts, reduceForm, startForm } from "./form-state.ts";
import { listItems } from "./list-items.ts";
import { objectFields } from "./object-fields.ts";
import { isList, isObject, type Path, valueAt } from "./path.ts";
import { readTyped, typedText } from "./typed-value.ts";

/** A schema with a value that fits it. */
type Pair = { readonly schema: JsonObject; readonly value: Json };

const key = fc.oneof(
  fc.constantFrom("to", "amount", "constructor", "toString", "a.b", "a/b", "名称", "", "0", "~1"),
  fc.string({ maxLength: 6 }).filter((name) => name !== "__proto__" && name.isWellFormed()),
);
const text = fc.string({ unit: "binary", maxLength: 12 }).filter((one) => one.isWellFormed());
const number = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .filter((one) => !Object.is(one, -0) && (!Number.isInteger(one) || Number.isSafeInteger(one)));

const anything = fc
  .jsonValue({ maxDepth: 2 })
  .map((value): unknown => JSON.parse(JSON.stringify(value)))
  .filter(isPlainJson);

const pair = fc.letrec<{ pair: Pair; object: Pair }>((tie) => ({
  pair: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    text.map((value): Pair => ({ schema: { type: "string" }, value })),
    number.map((value): Pair => ({ schema: { type: "number" }, value })),
    fc.maxSafeInteger().map((value): Pair => ({ schema: { type: "integer" }, value })),
    fc.boolean().map((value): Pair => ({ schema: { type: "boolean" }, value })),
    text.map((value): Pair => ({ schema: { const: value }, value })),
    fc
      .uniqueArray(fc.oneof(text, fc.integer(), fc.constant(null)), { minLength: 1, maxLength: 4 })
      .map((options): Pair => ({ schema: { enum: options }, value: options[0] ?? null })),
    anything.map((value): Pair => ({ schema: {}, value })),
    tie("pair").map(({ schema }): Pair => ({
      schema: { anyOf: [schema, { type: "null" }] },
      value: null,
    })),
    tie("pair").map(({ schema, value }): Pair => ({
      schema: { anyOf: [schema, { type: "null" }] },
      value,
    })),
    fc.tuple(tie("pair"), tie("pair")).map(([one, two]): Pair => ({
      schema: { oneOf: [one.schema, two.schema] },
      value: two.value,
    })),
    fc.array(tie("pair"), { maxLength: 3 }).map((items): Pair => ({
      schema: { type: "array", prefixItems: items.map((item) => item.schema) },
      value: items.map((item) => item.value),
    })),
    tie("pair").map(({ schema, value }): Pair => ({
      schema: { type: "array", items: schema },
      value: [value, value],
    })),
    tie("object"),
  ),
  object: fc
    .record({
      entries: fc.uniqueArray(fc.tuple(key, tie("pair"), fc.boolean()), {
        selector: ([name]) => name,
        maxLength: 4,
      }),
      absent: fc.uniqueArray(fc.constantFrom("later", "more"), { maxLength: 2 }),
      unknown: fc.dictionary(fc.constantFrom("extra", "other"), fc.integer(), { maxKeys: 2 }),
      map: fc.option(tie("pair")),
    })
    .map(({ entries, absent, unknown, map }): Pair => {
      const properties = Object.fromEntries([
        ...absent.map((name) => [name, { type: "string" }] as const),
        ...entries.map(([name, one]) => [name, one.schema] as const),
      ]);
      const others = map === null ? {} : { additionalProperties: map.schema };
      const rest = map === null ? unknown : { mapped: map.value };
      return {
        schema: {
          type: "object",
          properties,
          required: entries.filter(([, , needed]) => needed).map(([name]) => name),
          ...others,
        },
        value: { ...rest, ...Object.fromEntries(entries.map(([name, one]) => [name, one.value])) },
      };
    }),
})).object;

/** Everything that the form shows a control for, found the way the components find it. */
function fieldsOf(schema: Json, args: Json, root: JsonObject, path: Path = []) {
  const value = valueAt(args, path);
  const fields: { path: Path; shape: FieldShape; removable: boolean }[] = [];
  if (value === undefined) return fields;
  const shape = shapeOf(schema, value, root);
  fields.push({ path, shape, removable: false });
  const inner = (part: Json, step: Path, removable = false) => {
    const [first, ...rest] = fieldsOf(part, args, root, [...path, ...step]);
    if (first !== undefined) fields.push({ ...first, removable }, ...rest);
  };
  switch (shape.type) {
    case "nullable":
      if (value !== null) inner(shape.inner, []);
      break;
    case "union":
      inner(shape.branches[shape.picked] ?? {}, []);
      break;
    case "object":
      if (!isObject(value)) break;
      for (const field of objectFields(shape.schema, value).present) {
        inner(field.schema, [field.key], !field.required);
      }
      break;
    case "list":
      if (!isList(value)) break;
      value.forEach((_, index) => {
        inner(listItems(shape.schema).schemaAt(index) ?? {}, [index], true);
      });
      break;
    default:
  }
  return fields;
}

const asObject = (value: Json): JsonObject => (isObject(value) ? value : {});
const spelled = (state: FormState) => JSON.stringify(state.args); // types and key order included

describe("the form", () => {
  test("an untouched form gives back what it got", () => {
    fc.assert(
      fc.property(pair, ({ value }) => {
        const args = asObject(value);
        expect(startForm(args).args).toBe(args);
        const looked = reduceForm(startForm(args), { type: "compared" });
        expect(reduceForm(looked, { type: "returned" }).args).toBe(args);
      }),
    );
  });

  test("typing what already stands in a field changes nothing", () => {
    fc.assert(
      fc.property(pair, ({ schema, value }) => {
        const args = asObject(value);
        let state = startForm(args);
        for (const { path, shape } of fieldsOf(schema, args, schema)) {
          const part = valueAt(args, path) ?? null;
          if (shape.type === "number" || shape.type === "json") {
            const as = shape.type === "json" ? "json" : shape.integer ? "integer" : "number";
            if (path.length === 0) continue;
            state = reduceForm(state, { type: "typed", path, as, text: typedText(part, as) });
          } else if (path.length > 0) {
            state = reduceForm(state, { type: "set", path, value: part });
          }
        }
        expect(problemsWithTexts(state)).toEqual([]);
        expect(spelled(state)).toBe(JSON.stringify(args));
      }),
    );
  });

  test("setting a value and setting it back gives the original", () => {
    fc.assert(
      fc.property(pair, fc.nat(), anything, ({ schema, value }, pick, other) => {
        const args = asObject(value);
        const fields = fieldsOf(schema, args, schema).filter(({ path }) => path.length > 0);
        const field = fields[pick % Math.max(fields.length, 1)];
        if (field === undefined) return;
        const { path } = field;
        const before = valueAt(args, path) ?? null;
        const changed = reduceForm(startForm(args), { type: "set", path, value: other });
        const back = reduceForm(changed, { type: "set", path, value: before });
        expect(spelled(back)).toBe(JSON.stringify(args));
      }),
    );
  });

  test("removing an optional field and adding it again gives the original, order included", () => {
    fc.assert(
      fc.property(pair, ({ schema, value }) => {
        const args = asObject(value);
        for (const { path, removable } of fieldsOf(schema, args, schema)) {
          if (!removable || typeof path.at(-1) !== "string") continue;
          const removed = reduceForm(startForm(args), { type: "removed", path });
          expect(valueAt(removed.args, path)).toBeUndefined();
          const start = { value: valueAt(args, path) ?? null, blanks: [] };
          const back = reduceForm(removed, { type: "started", path, start });
          expect(spelled(back)).toBe(JSON.stringify(args));
        }
      }),
    );
  });

  test("a value that fits its schema needs no JSON, except where the schema says nothing", () => {
    fc.assert(
      fc.property(pair, ({ schema, value }) => {
        const args = asObject(value);
        fc.pre(problemWithArgs(schema, args) === undefined);
        for (const { path, shape } of fieldsOf(schema, args, schema)) {
          if (shape.type !== "json") continue;
          expect(typeof valueAt(args, path)).toBe("object"); // of a part under `{}`
        }
      }),
    );
  });

  test("every number is read back from its own text, and no other", () => {
    fc.assert(
      fc.property(number, (one) => {
        expect(readTyped(String(one), "number")).toEqual({ type: "value", value: one });
      }),
    );
  });
});
