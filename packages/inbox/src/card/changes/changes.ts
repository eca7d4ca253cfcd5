import { canonicalJson, type Json, type JsonObject } from "@holdpoint/core";
import { diffArrays } from "diff";
import { isList, isObject, type Path } from "../form/path.ts";

/** One difference between the proposed and the edited arguments; paths are those of the side that has the part. */
export type Change =
  | { readonly type: "added"; readonly path: Path; readonly after: Json }
  | { readonly type: "removed"; readonly path: Path; readonly before: Json }
  | { readonly type: "changed"; readonly path: Path; readonly before: Json; readonly after: Json };

/** Every difference, as deep inside as it lies; none exactly when both are the same JSON. */
export function changesBetween(before: JsonObject, after: JsonObject): Change[] {
  return changesAt([], before, after);
}

function changesAt(path: Path, before: Json, after: Json): Change[] {
  if (isObject(before) && isObject(after)) return changesOfObject(path, before, after);
  if (isList(before) && isList(after)) return changesOfList(path, before, after);
  return canonicalJson(before) === canonicalJson(after)
    ? []
    : [{ type: "changed", path, before, after }];
}

function changesOfObject(path: Path, before: JsonObject, after: JsonObject): Change[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => {
    const left = Object.hasOwn(before, key) ? before[key] : undefined;
    const right = Object.hasOwn(after, key) ? after[key] : undefined;
    return changesOfPart([...path, key], left, right);
  });
}

/** Aligns the items first, so that an item taken out does not make all later ones look changed. */
function changesOfList(path: Path, before: readonly Json[], after: readonly Json[]): Change[] {
  const parts = diffArrays(before.map(canonicalJson), after.map(canonicalJson));
  const changes: Change[] = [];
  let left = 0;
  let right = 0;
  let removed = 0;
  for (const part of parts) {
    if (part.removed) {
      removed += part.count; // an addition that follows replaces as many of them as it has items
      continue;
    }
    const added = part.added ? part.count : 0;
    for (let index = 0; index < Math.max(removed, added); index += 1) {
      const old = index < removed ? before[left + index] : undefined;
      const fresh = index < added ? after[right + index] : undefined;
      const at = fresh === undefined ? left + index : right + index;
      changes.push(...changesOfPart([...path, at], old, fresh));
    }
    left += removed + (part.added ? 0 : part.count);
    right += part.count;
    removed = 0;
  }
  for (let index = 0; index < removed; index += 1) {
    changes.push(...changesOfPart([...path, left + index], before[left + index], undefined));
  }
  return changes;
}

function changesOfPart(path: Path, before: Json | undefined, after: Json | undefined): Change[] {
  if (before === undefined) return after === undefined ? [] : [{ type: "added", path, after }];
  return after === undefined ? [{ type: "removed", path, before }] : changesAt(path, before, after);
}
