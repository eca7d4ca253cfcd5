import { AIMessage } from "@langchain/core/messages";

/** The parts of a model's message that are changed in a copy. */
export type ChangedParts = {
  readonly content?: unknown;
  readonly tool_calls?: unknown;
  readonly additional_kwargs?: Readonly<Record<string, unknown>>;
};

/** A copy of a model's message with other parts, under the same id, that serializes with them. */
export function copyOf(message: AIMessage, changed: ChangedParts): AIMessage {
  const { id, name, content, tool_calls, additional_kwargs } = message;
  const own = { id, name, content, tool_calls, additional_kwargs };
  const fields = { ...message.lc_kwargs, ...own, ...changed };
  return new AIMessage(fields as ConstructorParameters<typeof AIMessage>[0]); // its own fields, other values
}
