import type { Json, JsonObject } from "@holdpoint/core";
import { type FieldShape, shapeOf } from "./field-shape.ts";
import { listItems } from "./list-items.ts";
import { objectFields } from "./object-fields.ts";
import { isObject, type Path, valueAt } from "./path.ts";

/** The shape of a part of the arguments; `undefined` where the schema says nothing about it. */
export function shapeAt(root: JsonObject, args: JsonObject, path: Path): FieldShape | undefined {
  let schema: Json | undefined = root;
  for (let depth = 0; depth < path.length; depth += 1) {
    const step = path[depth];
    const value = valueAt(args, path.slice(0, depth));
    if (schema === undefined || value === undefined || step === undefined) return undefined;
    schema = schemaOfPart(innermost(schema, value, root), value, step);
  }
  const value = valueAt(args, path);
  return schema === undefined || value === undefined ? undefined : innermost(schema, value, root);
}

/** Behind "a value or nothing" and behind the branch that the value fits. */
function innermost(schema: Json, value: Json, root: JsonObject): FieldShape {
  const shape = shapeOf(schema, value, root);
  if (shape.type === "nullable" && value !== null) return innermost(shape.inner, value, root);
  const branch = shape.type === "union" ? shape.branches[shape.picked] : undefined;
  return branch === undefined ? shape : innermost(branch, value, root);
}

function schemaOfPart(shape: FieldShape, value: Json, step: Path[number]): Json | undefined {
  if (shape.type === "list" && typeof step === "number") {
    return listItems(shape.schema).schemaAt(step);
  }
  if (shape.type !== "object" || !isObject(value)) return undefined;
  return objectFields(shape.schema, value).present.find(({ key }) => key === step)?.schema;
}
