import type { ToolCall } from "@langchain/core/messages/tool";
import type { DecisionType, JsonObject } from "@holdpoint/core";

/** What a condition is told about the call. */
export type WhenRequest = {
  readonly toolCall: ToolCall;
  /** The tool that is called, with its `metadata`; `undefined` with `mixedDecisions: "legacy"`, as in LangChain. */
  readonly tool: unknown;
  readonly state: unknown;
  readonly runtime: unknown;
  /** The whole context that the agent was invoked with. */
  readonly context: unknown;
  /** Which agent asks. */
  readonly agent: { readonly name: string };
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
