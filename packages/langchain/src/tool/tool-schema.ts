import { type JSONSchema, toJsonSchema } from "@langchain/core/utils/json_schema";
import { isZodSchemaV4 } from "@langchain/core/utils/types";
import { type CompiledRules, isJsonObject, type JsonObject, ruleFor } from "@holdpoint/core";
import { z } from "zod";

/** The schema that a rule of `interruptOn` gives for a tool's arguments. */
export function ruleSchemaOf<Request, Describe>(
  rules: CompiledRules<Request, Describe>,
  tool: string,
): JsonObject | undefined {
  const rule = ruleFor(rules, tool)?.rule;
  return typeof rule === "object" ? rule.argsSchema : undefined;
}

const known = new WeakMap<object, JsonObject | undefined>();

/** The JSON Schema of a tool's arguments as the model and a reviewer fill them in; compiled once for each tool. */
export function schemaOf(tool: unknown): JsonObject | undefined {
  if (typeof tool !== "object" || tool === null || !("schema" in tool)) return undefined;
  const { schema } = tool;
  if (typeof schema !== "object" || schema === null) return undefined;
  if (known.has(schema)) return known.get(schema);
  const compiled = compile(schema);
  known.set(schema, compiled);
  return compiled;
}

function compile(schema: object): JsonObject | undefined {
  // Arguments are input: a field with a default may be absent.
  const json: unknown = isZodSchemaV4(schema)
    ? z.toJSONSchema(schema as z.ZodType, { io: "input", unrepresentable: "any" })
    : toJsonSchema(schema as JSONSchema); // a Zod 3 or JSON schema, as LangChain accepts
  const { $schema: _dialect, ...plain } = JSON.parse(JSON.stringify(json)) as Record<
    string,
    unknown
  >;
  return isJsonObject(plain) ? plain : undefined;
}
