import fc from "fast-check";
import type { Json, JsonObject } from "../plain-json.ts";

/** Any text that has an UTF-8, from every plane. */
export const anyText = fc.string({ unit: "binary", maxLength: 12 });

const anyKey = fc
  .oneof(fc.constantFrom("constructor", "toString", "length", "", "a.b", "名称"), anyText)
  .filter((key) => key !== "__proto__");

const anyNumber = fc.oneof(
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => {
    if (Object.is(value, -0)) return 0;
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? value / 2 ** 1023 : value;
  }),
);

const trees = fc.letrec<{ value: Json; list: Json[]; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(anyText, anyNumber, fc.boolean(), fc.constant(null)),
    tie("list"),
    tie("object"),
  ),
  list: fc.array(tie("value"), { maxLength: 4 }),
  object: fc.dictionary(anyKey, tie("value"), { maxKeys: 4, noNullPrototype: true }),
}));

/** Any plain JSON value within the limits. */
export const anyJson: fc.Arbitrary<Json> = trees.value.filter((value) => !Object.is(value, -0));

/** Any plain JSON object within the limits. */
export const anyJsonObject: fc.Arbitrary<JsonObject> = trees.object;

/** The same value with the keys of every object in the opposite order. */
export function withKeysReversed(value: Json): Json {
  if (isList(value)) return value.map(withKeysReversed);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(
    ([key, item]) => [key, withKeysReversed(item)] as const,
  );
  return Object.fromEntries(entries.toReversed());
}

/** Every value that differs from this one in a single place: a leaf, a missing part, or a new one. */
export function singleChanges(value: Json): Json[] {
  if (isList(value)) {
    const inside = value.flatMap((item, index) =>
      singleChanges(item).map((changed) => value.with(index, changed)),
    );
    const shorter = value.map((_, index) => value.toSpliced(index, 1));
    return [...inside, ...shorter, [...value, null]];
  }
  if (typeof value === "object" && value !== null) {
    const inside = Object.entries(value).flatMap(([key, item]) =>
      singleChanges(item).map((changed) => ({ ...value, [key]: changed })),
    );
    const smaller = Object.keys(value).map((removed) =>
      Object.fromEntries(Object.entries(value).filter(([key]) => key !== removed)),
    );
    return [...inside, ...smaller, { ...value, [`${Object.keys(value).join("")}+`]: null }];
  }
  return otherLeaves(value);
}

function otherLeaves(value: string | number | boolean | null): Json[] {
  switch (typeof value) {
    case "string":
      return [`${value} `, [value], null];
    case "number":
      return [String(value), [value], value === 1 ? 2 : 1];
    default:
      return [String(value), [value], value === true ? false : true];
  }
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}
