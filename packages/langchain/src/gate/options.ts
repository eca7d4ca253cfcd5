import {
  type CompiledRules,
  compileInterruptOn,
  type Holdpoint,
  HoldpointError,
  type JsonObject,
  suggestion,
  type Unlisted,
} from "@holdpoint/core";
import type { Guardrail } from "./guardrail.ts";
import type { DescriptionFactory, InterruptOn, WhenRequest } from "./interrupt-on.ts";

/** Options of `humanInTheLoopMiddleware`: LangChain's, and ours. All may be left out. */
export type HumanInTheLoopOptions = {
  /** Which tools are held, by name, glob (`"mcp_*"`) or `"*"`. */
  readonly interruptOn?: InterruptOn | undefined;
  /** First line of descriptions that no rule writes. */
  readonly descriptionPrefix?: string | undefined;
  /**
   * `batched` (as LangChain): one review for each model turn; nothing runs until all of it is decided.
   * `per_call`: one review for each held call; the others run meanwhile.
   */
  readonly interruptMode?: "batched" | "per_call" | undefined;
  /** What happens to tools that `interruptOn` does not list. LangChain lets them run; so does this default. */
  readonly unlisted?: Unlisted | undefined;
  /** The name reviews are asked under. */
  readonly agent?: string | undefined;
  /** The durable heart that keeps the record: `await openEngine({ database })`. Without it this process does. */
  readonly holdpoint?: Holdpoint | undefined;
  /**
   * `run`: what was approved or allowed runs although a sibling was rejected. `legacy`: LangChain's rule
   * before 1.6.1, with its request and its texts as they were.
   */
  readonly mixedDecisions?: "run" | "legacy" | undefined;
  /** Tells the model, in front of the result, that a person changed the call. */
  readonly editNotice?: boolean | undefined;
  /** How often the same call may be rejected after one message of a person before nobody is asked again. */
  readonly maxRejections?: number | undefined;
  /** `named`: an answer has to name its interrupt or its actions; a bare one is refused. */
  readonly answers?: "any" | "named" | undefined;
  /** Lets `context.interruptOn` of one invocation replace the rules, as in LangChain; otherwise it can only hold more. */
  readonly contextMayLoosen?: boolean | undefined;
};

/** The options, checked and compiled once. */
export type Gate = {
  /** What it was made from. */
  readonly options: HumanInTheLoopOptions;
  readonly engine: Holdpoint | undefined;
  readonly rules: CompiledRules<WhenRequest, string | DescriptionFactory>;
  /** Read beside the rules; it can only hold more, and let run what no rule names. */
  readonly guardrail?: Guardrail | undefined;
  readonly descriptionPrefix: string;
  readonly mode: "batched" | "per_call";
  readonly agent: string;
  readonly isLegacy: boolean;
  readonly editNotice: boolean;
  readonly maxRejections: number;
  readonly answers: "any" | "named";
  readonly contextMayLoosen: boolean;
  /**
   * Calls that the rules let run and that are on their way to their tool, with what was judged: the rules are asked once, and again only if the arguments were changed on the way.
   */
  readonly freed: Map<string, string>;
  /** The tools seen so far, by name: from `holdAgent` at once, in the drop-in from the model's requests. */
  readonly tools: Map<string, unknown>;
  /** Their schemas. */
  readonly schemas: Map<string, JsonObject | undefined>;
  /** True when `schemas` holds all tools there are; a call to any other can never run, so nobody is asked about it. */
  readonly isClosed: boolean;
};

const choices = {
  interruptMode: ["batched", "per_call"],
  unlisted: ["allow", "review", "deny"],
  mixedDecisions: ["run", "legacy"],
  answers: ["any", "named"],
  editNotice: [true, false],
  contextMayLoosen: [true, false],
} as const;

const names: ReadonlySet<string> = new Set([
  "interruptOn",
  ...Object.keys(choices),
  "holdpoint",
  "descriptionPrefix",
  "agent",
  "maxRejections",
]);

/** Checks the options; throws `config_invalid` that names the key. */
export function compileGate(options: HumanInTheLoopOptions): Gate {
  checkOptions(options);
  const { unlisted = "allow", interruptMode = "batched" } = options;
  const isLegacy = options.mixedDecisions === "legacy";
  if (isLegacy && interruptMode === "per_call")
    refuse(
      "mixedDecisions",
      '"legacy" is a rule about a whole turn; use it with interruptMode "batched"',
    );
  return {
    options,
    engine: options.holdpoint,
    rules: compileInterruptOn(options.interruptOn ?? {}, unlisted),
    descriptionPrefix: options.descriptionPrefix ?? "Tool execution requires approval",
    mode: interruptMode,
    agent: options.agent ?? "agent",
    isLegacy,
    editNotice: options.editNotice ?? false,
    maxRejections: options.maxRejections ?? 3,
    answers: options.answers ?? "any",
    contextMayLoosen: options.contextMayLoosen ?? false,
    freed: new Map(),
    tools: new Map(),
    schemas: new Map(),
    isClosed: false,
  };
}

function checkOptions(options: HumanInTheLoopOptions): void {
  const stray = Object.keys(options).find((name) => !names.has(name));
  if (stray !== undefined) refuse(stray, `is not known ${suggestion(stray, [...names])}`);
  for (const [name, allowed] of Object.entries(choices)) {
    const value: unknown = options[name as keyof typeof choices]; // its own keys
    if (value !== undefined && !(allowed as readonly unknown[]).includes(value))
      refuse(name, `must be ${allowed.map((one) => JSON.stringify(one)).join(" or ")}`);
  }
  const { maxRejections } = options;
  if (maxRejections !== undefined && !(maxRejections >= 1))
    refuse("maxRejections", "must be 1 or more (Infinity asks every time)");
}

function refuse(key: string, why: string): never {
  throw new HoldpointError("config_invalid", `The option ${key} ${why}.`, { details: { key } });
}
