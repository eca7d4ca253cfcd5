import { type Json, type JsonObject, sameJson } from "@holdpoint/core";
import { branchesOf, fittingBranch, hasType } from "./branches.ts";
import { isList } from "./path.ts";
import { resolveSchema } from "./resolve-schema.ts";

/** The control that a part of the arguments is edited with. `json` is for a part that no schema describes. */
export type FieldShape =
  | { readonly type: "text" }
  | { readonly type: "number"; readonly integer: boolean }
  | { readonly type: "switch" }
  | {
      readonly type: "choice";
      readonly options: readonly Json[];
      /** What the options are called, where the schema says so. */
      readonly titles?: readonly (string | undefined)[];
    }
  | { readonly type: "constant" }
  | { readonly type: "nullable"; readonly inner: JsonObject }
  | { readonly type: "union"; readonly branches: readonly JsonObject[]; readonly picked: number }
  | { readonly type: "object"; readonly schema: JsonObject }
  | { readonly type: "list"; readonly schema: JsonObject }
  | { readonly type: "json" };

/**
 * The shape for a value under a schema. A value that is not of the schema's type is shown as JSON, so
 * that `"5"` and `5` look different and nothing is converted without a word.
 */
export function shapeOf(schema: Json | undefined, value: Json, root: JsonObject): FieldShape {
  const resolved = resolveSchema(schema, root);
  const fixed = resolved["const"];
  if (fixed !== undefined) return { type: sameJson(fixed, value) ? "constant" : "json" };
  const options = resolved["enum"];
  if (isList(options) && options.length > 0) return { type: "choice", options };
  const branches = branchesOf(resolved, root);
  return branches === undefined ? plainShape(resolved, value) : branchShape(branches, value, root);
}

function branchShape(branches: readonly JsonObject[], value: Json, root: JsonObject): FieldShape {
  const options = branches.map(optionsOf);
  if (options.every((some) => some !== undefined)) {
    const titles = branches.flatMap(titlesOf);
    const hasTitles = titles.some((title) => title !== undefined);
    return { type: "choice", options: options.flat(), ...(hasTitles ? { titles } : {}) };
  }
  const others = branches.filter((branch) => branch["type"] !== "null");
  const [inner] = others;
  if (others.length === 1 && inner !== undefined) {
    return branches.length === 1 ? shapeOf(inner, value, root) : { type: "nullable", inner };
  }
  return { type: "union", branches, picked: fittingBranch(branches, value, root) };
}

/** The values of a branch that only allows certain ones. */
function optionsOf(branch: JsonObject): readonly Json[] | undefined {
  if (branch["const"] !== undefined) return [branch["const"]];
  return isList(branch["enum"]) ? branch["enum"] : undefined;
}

/** One for each value of the branch; only a constant has a title of its own. */
function titlesOf(branch: JsonObject): readonly (string | undefined)[] {
  const { title } = branch;
  if (branch["const"] !== undefined) return [typeof title === "string" ? title : undefined];
  return isList(branch["enum"]) ? branch["enum"].map(() => undefined) : [];
}

function plainShape(schema: JsonObject, value: Json): FieldShape {
  const type = schema["type"] ?? typeFromWords(schema);
  if (type === undefined) return shapeFromValue(value);
  if (!hasType(type, value)) return { type: "json" };
  switch (type) {
    case "string":
      return { type: "text" };
    case "number":
    case "integer":
      return { type: "number", integer: type === "integer" };
    case "boolean":
      return { type: "switch" };
    case "null":
      return { type: "constant" };
    case "object":
      return { type: "object", schema };
    case "array":
      return { type: "list", schema };
    default:
      return { type: "json" };
  }
}

function typeFromWords(schema: JsonObject): string | undefined {
  if (schema["properties"] !== undefined) return "object";
  return schema["items"] === undefined && schema["prefixItems"] === undefined ? undefined : "array";
}

/** Without a schema a text stays a text and a number a number; for the rest only JSON says all. */
function shapeFromValue(value: Json): FieldShape {
  switch (typeof value) {
    case "string":
      return { type: "text" };
    case "number":
      return { type: "number", integer: false };
    case "boolean":
      return { type: "switch" };
    default:
      return { type: "json" };
  }
}
