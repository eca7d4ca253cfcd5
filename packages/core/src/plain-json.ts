/** A value that JSON carries without change. */
export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** What a value may be at most before it is refused at the gate; sizes are UTF-16 units. */
export const jsonLimits = { depth: 64, keys: 10_000, text: 1_048_576 } as const;

const forbiddenKeys = new Set(["__proto__"]);

/**
 * Says why a value is not plain JSON, or `undefined` when it is: no `undefined`, functions, dates,
 * class instances, unsafe integers, lone surrogates, `-0`, `__proto__` keys, and within `jsonLimits`.
 */
export function problemWithJson(value: unknown): string | undefined {
  const budget = { keys: 0, text: 0 };
  return problemAt(value, "", 0, budget);
}

/** True when the value is plain JSON, as `problemWithJson` defines it. */
export function isPlainJson(value: unknown): value is Json {
  return problemWithJson(value) === undefined;
}

/** True when the value is a plain JSON object. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value) && isPlainJson(value);
}

function problemAt(
  value: unknown,
  path: string,
  depth: number,
  budget: { keys: number; text: number },
): string | undefined {
  const at = path === "" ? "the value" : `"${path}"`;
  if (depth > jsonLimits.depth) return `${at} is nested deeper than ${jsonLimits.depth} levels`;
  switch (typeof value) {
    case "string":
      budget.text += value.length;
      if (budget.text > jsonLimits.text)
        return `the text is longer than ${jsonLimits.text} characters`;
      return value.isWellFormed() ? undefined : `${at} has half of a surrogate pair`;
    case "number":
      if (!Number.isFinite(value)) return `${at} is not a finite number`;
      if (Object.is(value, -0)) return `${at} is negative zero`;
      if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
        return `${at} is an integer beyond 2^53, which JSON readers round differently`;
      }
      return undefined;
    case "boolean":
      return undefined;
    case "object":
      if (value === null) return undefined;
      return Array.isArray(value)
        ? firstProblem(
            value.map((item, index) => [String(index), item]),
            path,
            depth,
            budget,
          )
        : problemWithObject(value, path, depth, budget);
    default:
      return `${at} is ${typeof value}, which JSON cannot carry`;
  }
}

function problemWithObject(
  value: object,
  path: string,
  depth: number,
  budget: { keys: number; text: number },
): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    return `${path === "" ? "the value" : `"${path}"`} is a ${value.constructor.name}, not a plain object`;
  }
  for (const key of Object.keys(value)) {
    if (forbiddenKeys.has(key)) return `"${key}" is not allowed as a key`;
    if (!key.isWellFormed()) return `a key under "${path}" has half of a surrogate pair`;
  }
  return firstProblem(Object.entries(value), path, depth, budget);
}

function firstProblem(
  entries: readonly (readonly [string, unknown])[],
  path: string,
  depth: number,
  budget: { keys: number; text: number },
): string | undefined {
  budget.keys += entries.length;
  if (budget.keys > jsonLimits.keys) return `the value has more than ${jsonLimits.keys} keys`;
  for (const [key, item] of entries) {
    const problem = problemAt(item, path === "" ? key : `${path}.${key}`, depth + 1, budget);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
