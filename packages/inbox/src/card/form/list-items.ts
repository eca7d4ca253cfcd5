import type { Json, JsonObject } from "@holdpoint/core";
import { isList, isObject } from "./path.ts";

/** What the items of a list may be, under its (resolved) schema. */
export type ListItems = {
  /** How many items at the start each have a place and a schema of their own. */
  readonly fixed: number;
  /** The schema of the item at an index; `undefined` when there may be none. */
  readonly schemaAt: (index: number) => Json | undefined;
};

/** Reads `prefixItems` and `items`; the array form of `items`, from older drafts, is the former. */
export function listItems(schema: JsonObject): ListItems {
  const { prefixItems, items, additionalItems } = schema;
  const fixed = isList(prefixItems) ? prefixItems : isList(items) ? items : [];
  const rest = isList(items) ? additionalItems : items;
  const restSchema = isObject(rest) ? rest : rest === false ? undefined : {};
  return { fixed: fixed.length, schemaAt: (index) => fixed[index] ?? restSchema };
}
