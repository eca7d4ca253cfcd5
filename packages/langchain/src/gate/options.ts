import type { ToolCall } from "@langchain/core/messages/tool";
import {
  type CompiledRules,
  compileInterruptOn,
  type DecisionType,
  type Digest,
  type Holdpoint,
  HoldpointError,
  type JsonObject,
  suggestion,
  type Unlisted,
} from "@holdpoint/core";

/** What a condition is told about the call. */
export type WhenRequest = {
  readonly toolCall: ToolCall;
  readonly state: unknown;
  readonly runtime: unknown;
};

/** Writes the description of a held call. */
export type DescribeCall = (
  toolCall: ToolCall,
  state: unknown,
  runtime: unknown,
) => string | Promise<string>;

/** How one tool is held. Field names follow LangChain's `InterruptOnConfig`. */
export type InterruptOnConfig = {
  readonly allowedDecisions: readonly DecisionType[];
  readonly description?: string | DescribeCall;
  readonly argsSchema?: JsonObject;
  readonly when?: (request: WhenRequest) => boolean | Promise<boolean>;
};

/** Which tools are held: `true` with all four decisions, `false` not at all, or how. */
export type InterruptOn = Readonly<Record<string, boolean | InterruptOnConfig>>;

/** Options of `humanInTheLoopMiddleware`. */
export type HumanInTheLoopOptions = {
  readonly interruptOn: InterruptOn;
  /** The durable heart that keeps the record: `await openEngine({ database })`. */
  readonly holdpoint: Holdpoint;
  /** First line of descriptions that no rule writes. */
  readonly descriptionPrefix?: string;
  /**
   * `batched` (as LangChain): one review for each model turn; nothing runs until all of it is decided.
   * `per_call`: one review for each held call; the others run meanwhile.
   */
  readonly interruptMode?: "batched" | "per_call";
  /** What happens to tools that `interruptOn` does not list. LangChain lets them run; so does this default. */
  readonly unlisted?: Unlisted;
  /** The name reviews are asked under. */
  readonly agent?: string;
};

/** The options, checked and compiled once. */
export type Gate = {
  readonly holdpoint: Holdpoint;
  readonly rules: CompiledRules<WhenRequest, string | DescribeCall>;
  readonly descriptionPrefix: string;
  readonly mode: "batched" | "per_call";
  readonly agent: string;
  /**
   * Calls that the rules let run and that are on their way to their tool, with the digest of what was
   * judged: the rules are asked once, and again only if the arguments were changed on the way.
   */
  readonly freed: Map<string, Digest>;
  /** The schemas of the tools seen so far, by name: from `holdAgent` at once, in the drop-in from the model's requests. */
  readonly schemas: Map<string, JsonObject | undefined>;
  /** True when `schemas` holds all tools there are; a call to any other can never run, so nobody is asked about it. */
  readonly isClosed: boolean;
};

const modes = new Set(["batched", "per_call"]);
const unlistedModes = new Set(["allow", "review", "deny"]);
const names = new Set([
  "interruptOn",
  "holdpoint",
  "descriptionPrefix",
  "interruptMode",
  "unlisted",
  "agent",
]);

/** Checks the options; throws `config_invalid` that names the key. */
export function compileGate(options: HumanInTheLoopOptions): Gate {
  const { interruptOn, holdpoint, interruptMode = "batched", unlisted = "allow" } = options;
  const stray = Object.keys(options).find((name) => !names.has(name));
  if (stray !== undefined) refuse(stray, `is not known ${suggestion(stray, [...names])}`);
  if (holdpoint === undefined)
    refuse("holdpoint", "is missing; pass await openEngine({ database })");
  if (!modes.has(interruptMode)) refuse("interruptMode", 'must be "batched" or "per_call"');
  if (!unlistedModes.has(unlisted)) refuse("unlisted", 'must be "allow", "review" or "deny"');
  return {
    holdpoint,
    rules: compileInterruptOn(interruptOn, unlisted),
    descriptionPrefix: options.descriptionPrefix ?? "Tool execution requires approval",
    mode: interruptMode,
    agent: options.agent ?? "agent",
    freed: new Map(),
    schemas: new Map(),
    isClosed: false,
  };
}

function refuse(key: string, why: string): never {
  throw new HoldpointError("config_invalid", `The option ${key} ${why}.`, { details: { key } });
}
