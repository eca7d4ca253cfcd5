/** A value that JSON carries without change. */
export type Json =
  string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A JSON object. */
export type JsonObject = { readonly [key: string]: Json };

/** What a value may be at most before it is refused at the gate; sizes are UTF-16 units. */
export const jsonLimits = { depth: 64, keys: 10_000, text: 1_048_576 } as const;

type JsonLimits = { readonly [limit in keyof typeof jsonLimits]: number };
type Budget = { keys: number; text: number; readonly limits: JsonLimits };

/**
 * Says why a value is not plain JSON, or `undefined` when it is: no `undefined`, functions, dates,
 * class instances, hidden keys, lists with gaps, unsafe integers, lone surrogates, `-0`, `__proto__` or
 * `constructor.prototype` keys, and within the limits.
 */
export function problemWithJson(
  value: unknown,
  limits: JsonLimits = jsonLimits,
): string | undefined {
  return problemAt(value, "", 0, { keys: 0, text: 0, limits });
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
  budget: Budget,
): string | undefined {
  const at = path === "" ? "the value" : `"${path}"`;
  const { limits } = budget;
  if (depth > limits.depth) return `${at} is nested deeper than ${limits.depth} levels`;
  switch (typeof value) {
    case "string":
      return problemWithText(value, at, budget);
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
      return problemWithShape(value, at) ?? problemInside(value, path, depth, budget);
    default:
      return `${at} is ${typeof value}, which JSON cannot carry`;
  }
}

function problemWithText(text: string, at: string, budget: Budget): string | undefined {
  budget.text += text.length;
  if (budget.text > budget.limits.text)
    return `the text is longer than ${budget.limits.text} characters`;
  return text.isWellFormed() ? undefined : `${at} has half of a surrogate pair`;
}

/** Whatever a JSON writer would drop, fill in, or ask for its own opinion of itself (`toJSON`). */
function problemWithShape(value: object, at: string): string | undefined {
  const prototype: unknown = Object.getPrototypeOf(value);
  const own = Reflect.ownKeys(value);
  if (Array.isArray(value)) {
    if (prototype !== Array.prototype) return `${at} is a ${classOf(value)}, not a plain list`;
    // Every index in order, then `length`, then any names.
    return own.length === value.length + 1 && own.at(-1) === "length"
      ? undefined
      : `${at} is a list with gaps or with names`;
  }
  if (prototype !== Object.prototype && prototype !== null)
    return `${at} is a ${classOf(value)}, not a plain object`;
  return own.length === Object.keys(value).length ? undefined : `${at} has hidden keys`;
}

function problemInside(
  value: object,
  path: string,
  depth: number,
  budget: Budget,
): string | undefined {
  const entries: [string, unknown][] = Object.entries(value);
  budget.keys += entries.length;
  if (budget.keys > budget.limits.keys) return `the value has more than ${budget.limits.keys} keys`;
  for (const [key, item] of entries) {
    const problem =
      (Array.isArray(value) ? undefined : problemWithKey(key, item, path, budget)) ??
      problemAt(item, path === "" ? key : `${path}.${key}`, depth + 1, budget);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemWithKey(
  key: string,
  item: unknown,
  path: string,
  budget: Budget,
): string | undefined {
  if (key === "__proto__") return `"${key}" is not allowed as a key`;
  if (key === "constructor" && hasPrototype(item))
    return `"constructor.prototype" is not allowed as a key`;
  return problemWithText(key, `a key under "${path}"`, budget);
}

function hasPrototype(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.hasOwn(value, "prototype");
}

function classOf(value: object): string {
  return typeof value.constructor === "function" ? value.constructor.name : "special object";
}
