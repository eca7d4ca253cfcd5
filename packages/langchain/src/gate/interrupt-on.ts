import type { ToolCall } from "@langchain/core/messages/tool";
import type { DecisionType } from "@holdpoint/core";
import type { Runtime, ToolCallRequest } from "langchain";

/**
 * What a condition is told about the call: LangChain's request, and more. `tool` is the tool that is
 * called, with its `metadata`; with `mixedDecisions: "legacy"` it is `undefined`, as in LangChain.
 */
export type WhenRequest = ToolCallRequest & {
  readonly tool: { readonly metadata?: Record<string, unknown> | undefined } | undefined;
  /** The whole context that the agent was invoked with. */
  readonly context: unknown;
  /** Which agent asks, and the names from the outermost agent to it. */
  readonly agent: { readonly name: string; readonly path: readonly string[] };
};

/** Says whether a call is held. One that throws, or answers neither true nor false, holds it. */
export type WhenPredicate = (request: WhenRequest) => boolean | Promise<boolean>;

/** Writes the description of a held call. */
export type DescriptionFactory = (
  toolCall: ToolCall,
  state: ToolCallRequest["state"],
  runtime: Runtime<unknown>,
) => string | Promise<string>;

/** How one tool is held. Field names and types follow LangChain's `InterruptOnConfig`. */
export type InterruptOnConfig = {
  readonly allowedDecisions: readonly DecisionType[];
  readonly description?: string | DescriptionFactory | undefined;
  readonly argsSchema?: ToolCall["args"] | undefined;
  readonly when?: WhenPredicate | undefined;
  /**
   * How long a person has to decide: `"90s"`, `"30m"`, `"4h"`, `"7d"`, or milliseconds. Then the call is
   * rejected. In `batched` mode the earliest deadline of a turn holds for all that is held of it.
   */
  readonly deadline?: string | number | undefined;
};

/** Which tools are held, by name, glob or `"*"`: `true` with all four decisions, `false` not at all, or how. */
export type InterruptOn = Readonly<Record<string, boolean | InterruptOnConfig>>;
