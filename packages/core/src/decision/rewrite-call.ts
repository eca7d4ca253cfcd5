import type { JsonObject } from "../plain-json.ts";
import type { Call } from "../review/review.ts";

/** The places where an AI message may carry a tool call. */
export type CallCarrier = {
  readonly content: unknown;
  readonly toolCalls: readonly {
    readonly id?: string;
    readonly name: string;
    readonly args: JsonObject;
  }[];
  readonly additionalKwargs: Readonly<Record<string, unknown>>;
};

/**
 * Replaces one tool call everywhere a message carries it: the tool calls, the content blocks
 * (`tool_use` of Anthropic, `tool_call` of the standard blocks) and OpenAI's `additional_kwargs.tool_calls`.
 * Order, ids and everything else stay.
 */
export function rewriteCall<Carrier extends CallCarrier>(
  message: Carrier,
  toolCallId: string,
  call: Call,
): Carrier {
  const toolCalls = message.toolCalls.map((one) =>
    one.id === toolCallId ? { ...one, ...call } : one,
  );
  const content = Array.isArray(message.content)
    ? message.content.map((block: unknown) => rewriteBlock(block, toolCallId, call))
    : message.content;
  const raw = message.additionalKwargs["tool_calls"];
  const additionalKwargs = Array.isArray(raw)
    ? {
        ...message.additionalKwargs,
        tool_calls: raw.map((one: unknown) => rewriteRawCall(one, toolCallId, call)),
      }
    : message.additionalKwargs;
  return { ...message, toolCalls, content, additionalKwargs };
}

function rewriteBlock(block: unknown, toolCallId: string, call: Call): unknown {
  if (!isRecord(block) || block.id !== toolCallId) return block;
  switch (block.type) {
    case "tool_use":
      return { ...block, name: call.name, input: call.args };
    case "tool_call":
      return { ...block, name: call.name, args: call.args };
    default:
      return block;
  }
}

function rewriteRawCall(raw: unknown, toolCallId: string, call: Call): unknown {
  if (!isRecord(raw) || raw.id !== toolCallId || !isRecord(raw.function)) return raw;
  return {
    ...raw,
    function: { ...raw.function, name: call.name, arguments: JSON.stringify(call.args) },
  };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
