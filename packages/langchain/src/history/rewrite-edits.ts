import { type AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { type Call, isJsonObject, rewriteCall, sameJson } from "@holdpoint/core";
import { copyOf } from "./ai-message.ts";
import type { LastTurn } from "../turn/turns.ts";

/** The turn's message with its edited calls as they ran, or `undefined` when none ran otherwise. */
export function rewriteEdits({ message, results }: LastTurn): AIMessage | undefined {
  const edits = editsIn(results.values());
  return edits.size === 0 ? undefined : rewriteMessage(message, edits);
}

function editsIn(results: Iterable<BaseMessage>): ReadonlyMap<string, Call> {
  const edits = new Map<string, Call>();
  for (const message of results) {
    if (!ToolMessage.isInstance(message)) continue;
    const note = message.additional_kwargs["holdpoint"];
    const call = isJsonObject(note) ? note.ranInstead : undefined;
    if (isJsonObject(call) && typeof call.name === "string" && isJsonObject(call.args)) {
      edits.set(message.tool_call_id, { name: call.name, args: call.args });
    }
  }
  return edits;
}

function rewriteMessage(
  message: AIMessage,
  edits: ReadonlyMap<string, Call>,
): AIMessage | undefined {
  const calls = message.tool_calls ?? [];
  let carrier = {
    content: message.content as unknown, // blocks of any provider
    toolCalls: calls,
    additionalKwargs: message.additional_kwargs,
  };
  let isChanged = false;
  for (const call of calls) {
    const edit = edits.get(call.id ?? "");
    if (edit === undefined || isSame(call, edit)) continue;
    carrier = { ...carrier, ...rewriteCall(carrier, call.id ?? "", edit) };
    isChanged = true;
  }
  if (!isChanged) return undefined;
  return copyOf(message, {
    content: carrier.content,
    tool_calls: carrier.toolCalls,
    additional_kwargs: carrier.additionalKwargs,
  });
}

function isSame(call: { readonly name: string; readonly args: unknown }, edit: Call): boolean {
  return call.name === edit.name && isJsonObject(call.args) && sameJson(call.args, edit.args);
}
