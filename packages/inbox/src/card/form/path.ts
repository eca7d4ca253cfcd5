import type { Json, JsonObject } from "@holdpoint/core";

/** The way to a part of a JSON value: keys of objects and indexes of arrays. */
export type Path = readonly (string | number)[];

/** True for a JSON array. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** True for a JSON object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** A path as one dotted text, for labels and test ids; not for looking anything up. */
export function dotted(path: Path): string {
  return path.join(".");
}

/** True when both name the same part. */
export function samePath(left: Path, right: Path): boolean {
  return left.length === right.length && isWithin(right, left);
}

/** True when `path` names the part at `parent`, or a part of it. */
export function isWithin(path: Path, parent: Path): boolean {
  return parent.every((step, index) => path[index] === step);
}

/** The part at a path; `undefined` when there is none. Only own keys are looked at. */
export function valueAt(root: Json, path: Path): Json | undefined {
  let value: Json | undefined = root;
  for (const step of path) {
    if (isList(value) && typeof step === "number") value = value[step];
    else if (isObject(value) && Object.hasOwn(value, step)) value = value[step];
    else return undefined;
  }
  return value;
}

/**
 * The value with one part replaced, or added to the object that holds it. Everything else is the same
 * value as before, and keys keep their order; a new key goes before the first one that follows it in `order`.
 */
export function setAt(root: Json, path: Path, part: Json, order: readonly string[] = []): Json {
  const [step, ...rest] = path;
  if (step === undefined) return part;
  if (isList(root) && typeof step === "number" && step < root.length) {
    return root.map((item, index) => (index === step ? setAt(item, rest, part, order) : item));
  }
  if (isList(root) && step === root.length && rest.length === 0) return [...root, part];
  if (isObject(root) && typeof step === "string") {
    if (rest.length === 0) return withKey(root, step, part, order);
    const inner = valueAt(root, [step]);
    if (inner !== undefined) return withKey(root, step, setAt(inner, rest, part, order), order);
  }
  throw new TypeError(`Nothing can be set at "${dotted(path)}".`);
}

/** The value without one part; later items of an array move up. */
export function removeAt(root: Json, path: Path): Json {
  const parent = valueAt(root, path.slice(0, -1));
  const last = path.at(-1);
  if (isList(parent)) {
    return setAt(
      root,
      path.slice(0, -1),
      parent.filter((_, index) => index !== last),
    );
  }
  if (isObject(parent)) {
    const kept = Object.entries(parent).filter(([key]) => key !== last);
    return setAt(root, path.slice(0, -1), Object.fromEntries(kept));
  }
  throw new TypeError(`Nothing can be removed at "${dotted(path)}".`);
}

function withKey(
  object: JsonObject,
  key: string,
  part: Json,
  order: readonly string[],
): JsonObject {
  const entries = Object.entries(object);
  const present = entries.findIndex(([name]) => name === key);
  if (present !== -1) return Object.fromEntries(entries.with(present, [key, part]));
  const following = new Set(order.includes(key) ? order.slice(order.indexOf(key) + 1) : []);
  const before = entries.findIndex(([name]) => following.has(name));
  return Object.fromEntries(
    entries.toSpliced(before === -1 ? entries.length : before, 0, [key, part]),
  );
}
