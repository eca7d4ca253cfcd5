import { isList, type Tree } from "./value-codec.ts";

/** A tree in two: its keys, with a zero in the place of each value, and the values in the order of the keys. */
export type Folded = { readonly shape: Tree; readonly values: readonly Tree[] };

/** Takes a tree apart. Lists count as values, for their length changes more often than keys do. */
export function fold(tree: Tree): Folded {
  const values: Tree[] = [];
  const shapeOf = (one: Tree): Tree => {
    if (typeof one === "object" && one !== null && !isList(one))
      return Object.fromEntries(Object.entries(one).map(([key, each]) => [key, shapeOf(each)]));
    values.push(one);
    return 0;
  };
  return { shape: shapeOf(tree), values };
}

/** Puts it together again. */
export function unfold({ shape, values }: Folded): Tree {
  let next = 0;
  const treeOf = (one: Tree): Tree => {
    if (typeof one === "object" && one !== null && !isList(one))
      return Object.fromEntries(Object.entries(one).map(([key, each]) => [key, treeOf(each)]));
    next += 1;
    return values[next - 1] ?? null;
  };
  return treeOf(shape);
}
