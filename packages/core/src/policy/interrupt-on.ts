import { z } from "zod";
import { decisionTypes, type DecisionType, jsonObjectSchema } from "../contract/decision.ts";
import { HoldpointError } from "../contract/errors.ts";
import type { JsonObject } from "../plain-json.ts";
import { suggestion } from "./closest-name.ts";
import { readDuration } from "./duration.ts";
import { isGlob } from "./tool-name-glob.ts";

/** What to do with tools that no key of `interruptOn` stands for. */
export type Unlisted = "allow" | "review" | "deny";

/** A rule of `interruptOn`, read and checked. The functions stay what the developer wrote. */
export type ToolRule<Request, Describe> = {
  readonly allowedDecisions: readonly DecisionType[];
  readonly description?: Describe;
  readonly argsSchema?: JsonObject;
  readonly when?: (request: Request) => boolean | Promise<boolean>;
  /** How long a person has, in milliseconds. */
  readonly deadline?: number;
};

/** A rule under its key of `interruptOn`: a tool's name, a glob, or `"*"`. */
export type MatchedRule<Request, Describe> = {
  readonly key: string;
  readonly rule: ToolRule<Request, Describe> | "allow";
};

/** `interruptOn` compiled; `ruleFor` looks a tool up. */
export type CompiledRules<Request, Describe> = {
  /** By own name only, so a tool may be called `constructor`. */
  readonly exact: ReadonlyMap<string, MatchedRule<Request, Describe>>;
  /** In the order in which they are written. */
  readonly globs: readonly MatchedRule<Request, Describe>[];
  readonly catchAll: MatchedRule<Request, Describe> | undefined;
  /** What `ruleFor` found for the names it was asked about last, among the globs. */
  readonly remembered: Map<string, MatchedRule<Request, Describe> | undefined>;
  readonly unlisted: Unlisted;
};

const isFunction = (value: unknown): boolean => typeof value === "function";
const functionSchema = z.custom<(...input: never[]) => unknown>(isFunction, "must be a function");
const noDuration =
  'must be how long a person has, at most a year: "90s", "30m", "4h", "7d", or milliseconds';
const decisionSchema = z.enum(decisionTypes, { error: ({ input }) => unknownDecision(input) });

const ruleSchema = z.object({
  allowedDecisions: z
    .array(decisionSchema, "must be a list of decisions")
    .min(1, "must name at least one decision, or nobody could answer"),
  description: z
    .union([z.string(), functionSchema], "must be a text or a function that returns one")
    .optional(),
  argsSchema: jsonObjectSchema.optional(),
  when: functionSchema.optional(),
  deadline: z
    .custom<number | string>((value) => readDuration(value) !== undefined, noDuration)
    .transform(readDuration)
    .optional(),
});

const catchAllKey = "*";
const ruleForm = "true, false or { allowedDecisions, description, argsSchema, when, deadline }";
/** What the decisions were called in LangGraph's Agent Inbox. */
const earlierNames = new Map<string, DecisionType>([
  ["accept", "approve"],
  ["ignore", "reject"],
  ["response", "respond"],
]);

/**
 * Compiles `interruptOn`: `true` holds with all four decisions, `false` lets run, an object says more.
 * Throws `config_invalid` that names the tool and the key when something is wrong.
 */
export function compileInterruptOn<Request, Describe>(
  interruptOn: Readonly<Record<string, unknown>>,
  unlisted: Unlisted,
): CompiledRules<Request, Describe> {
  // A list or a Map has no entries of its own that could be read, and would hold nothing.
  if (Object.prototype.toString.call(interruptOn) !== "[object Object]") {
    throw new HoldpointError(
      "config_invalid",
      `interruptOn is not valid: it must be an object. Expected ${ruleForm} under each tool's name.`,
      { details: { key: "interruptOn" } },
    );
  }
  const all = Object.entries(interruptOn).map(([key, value]) => {
    const problem = problemWithKey(key);
    if (problem !== undefined) refuse(key, problem);
    return { key, rule: compileRule<Request, Describe>(key, value) };
  });
  const globs = all.filter(({ key }) => isGlob(key));
  return {
    exact: new Map(all.filter(({ key }) => !isGlob(key)).map((one) => [one.key, one])),
    globs: globs.filter(({ key }) => key !== catchAllKey),
    catchAll: globs.find(({ key }) => key === catchAllKey),
    remembered: new Map(),
    unlisted,
  };
}

/** A key that cannot stand for the tools its writer had in mind would leave them free in silence. */
function problemWithKey(key: string): string | undefined {
  if (key.trim() !== key || key === "") return "no tool is called so; take the spaces away";
  if (/^\*{2,}$/.test(key)) return 'write "*" for every tool';
  if (/[{}[\]|\\]|^[!^]/.test(key)) return "of patterns, only * and ? are known";
  return undefined;
}

function compileRule<Request, Describe>(
  tool: string,
  value: unknown,
): ToolRule<Request, Describe> | "allow" {
  if (value === false) return "allow";
  if (value === true) return { allowedDecisions: decisionTypes };
  const options = Object.keys(ruleSchema.shape);
  const written = typeof value === "object" && value !== null ? Object.keys(value) : [];
  const stray = Array.isArray(value) ? undefined : written.find((key) => !options.includes(key));
  if (stray !== undefined)
    refuse(`${tool}.${stray}`, `there is no such option ${suggestion(stray, options)}`);
  const read = ruleSchema.safeParse(value);
  // The functions' own types are the caller's; the schema has checked that they are functions.
  if (read.success) return read.data as unknown as ToolRule<Request, Describe>;
  const issue = read.error.issues[0];
  return refuse([tool, ...(issue?.path ?? [])].join("."), issue?.message ?? "unknown problem");
}

function unknownDecision(written: unknown): string {
  if (typeof written !== "string") return `a decision is one of ${decisionTypes.join(", ")}`;
  const meant = earlierNames.get(written);
  const hint =
    meant === undefined ? suggestion(written, decisionTypes) : `(did you mean ${meant}?)`;
  return `"${written}" is not a decision ${hint}`;
}

function refuse(key: string, why: string): never {
  throw new HoldpointError(
    "config_invalid",
    `interruptOn.${key} is not valid: ${why}. Expected ${ruleForm}.`,
    { details: { key } },
  );
}
