import { z } from "zod";
import {
  decisionTypes,
  decisionTypeSchema,
  jsonObjectSchema,
  type DecisionType,
} from "../contract/decision.ts";
import { HoldpointError } from "../contract/errors.ts";
import type { JsonObject } from "../plain-json.ts";

/** What to do with tools that `interruptOn` does not list. */
export type Unlisted = "allow" | "review" | "deny";

/** A rule of `interruptOn`, read and checked. The functions stay what the developer wrote. */
export type ToolRule<Request, Describe> = {
  readonly allowedDecisions: readonly DecisionType[];
  readonly description?: Describe;
  readonly argsSchema?: JsonObject;
  readonly when?: (request: Request) => boolean | Promise<boolean>;
};

/** `interruptOn` compiled: looked up by own tool name only, so a tool may be called `constructor`. */
export type CompiledRules<Request, Describe> = {
  readonly rules: ReadonlyMap<string, ToolRule<Request, Describe> | "allow">;
  readonly unlisted: Unlisted;
};

const ruleSchema = z.strictObject({
  allowedDecisions: z.array(decisionTypeSchema).min(1),
  description: z
    .union([z.string(), z.custom<(...input: never[]) => unknown>(isFunction)])
    .optional(),
  argsSchema: jsonObjectSchema.optional(),
  when: z.custom<(...input: never[]) => unknown>(isFunction).optional(),
});

function isFunction(value: unknown): boolean {
  return typeof value === "function";
}

/**
 * Compiles `interruptOn`: `true` holds with all four decisions, `false` lets run, an object says more.
 * Throws `config_invalid` that names the tool and the key when something is wrong.
 */
export function compileInterruptOn<Request, Describe>(
  interruptOn: Readonly<Record<string, unknown>>,
  unlisted: Unlisted,
): CompiledRules<Request, Describe> {
  const rules = new Map<string, ToolRule<Request, Describe> | "allow">();
  for (const [tool, value] of Object.entries(interruptOn)) {
    rules.set(tool, compileRule<Request, Describe>(tool, value));
  }
  return { rules, unlisted };
}

function compileRule<Request, Describe>(
  tool: string,
  value: unknown,
): ToolRule<Request, Describe> | "allow" {
  if (value === false) return "allow";
  if (value === true) return { allowedDecisions: decisionTypes };
  const read = ruleSchema.safeParse(value);
  // The functions' own types are the caller's; the schema has checked that they are functions.
  if (read.success) return read.data as unknown as ToolRule<Request, Describe>;
  const issue = read.error.issues[0];
  const key = [tool, ...(issue?.path ?? [])].join(".");
  const unknown = issue?.code === "unrecognized_keys" ? ` (${issue.keys.join(", ")})` : "";
  throw new HoldpointError(
    "config_invalid",
    `interruptOn.${key} is not valid: ${issue?.message ?? "unknown problem"}${unknown}. Expected true, false or { allowedDecisions, description, argsSchema, when }.`,
    { details: { key } },
  );
}
