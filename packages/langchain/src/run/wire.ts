import { AIMessage, type BaseMessage, isBaseMessage, ToolMessage } from "@langchain/core/messages";
import type { Json, JsonObject } from "@holdpoint/core";

/**
 * Any value of a run as clients read it: messages flat (`{ type, content, id, tool_calls, … }`), not in
 * LangChain's constructor form, and nothing that JSON cannot carry.
 */
export function toWire(value: unknown): Json {
  if (value === null || value === undefined) return null;
  if (isBaseMessage(value)) return messageToWire(value);
  if (Array.isArray(value)) return value.map(toWire);
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      return Number.isFinite(value) ? value : null;
    case "object":
      return objectToWire(value);
    case "bigint":
    case "symbol":
      return value.toString();
    default:
      return null;
  }
}

function objectToWire(value: object): JsonObject {
  const entries = Object.entries(value).filter(
    ([, item]) => item !== undefined && typeof item !== "function",
  );
  return Object.fromEntries(entries.map(([key, item]) => [key, toWire(item)]));
}

function messageToWire(message: BaseMessage): JsonObject {
  const fields: Record<string, Json> = {
    type: message.getType(),
    content: toWire(message.content),
    additional_kwargs: toWire(message.additional_kwargs),
    response_metadata: toWire(message.response_metadata),
  };
  if (message.id !== undefined) fields["id"] = message.id;
  if (message.name !== undefined) fields["name"] = message.name;
  if (AIMessage.isInstance(message)) {
    fields["tool_calls"] = toWire(message.tool_calls ?? []);
    fields["invalid_tool_calls"] = toWire(message.invalid_tool_calls ?? []);
  }
  if (ToolMessage.isInstance(message)) {
    fields["tool_call_id"] = message.tool_call_id;
    fields["status"] = message.status ?? "success";
  }
  return fields;
}
