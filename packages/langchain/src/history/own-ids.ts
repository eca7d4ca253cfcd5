import { AIMessage } from "@langchain/core/messages";
import { newId } from "@holdpoint/engine/ids";
import { copyOf } from "./ai-message.ts";

/** A call that gets another id: which of the calls with its old id it is, counted from 0. */
type Renamed = { readonly from: string | undefined; readonly nth: number; readonly to: string };

/**
 * Gives every tool call of the model's message an id of its own: with a missing one, or one that another
 * call of the message has too, one decision would count for two calls.
 */
export function withOwnIds<Response>(response: Response): Response | AIMessage {
  if (!AIMessage.isInstance(response)) return response;
  const calls = response.tool_calls ?? [];
  if (calls.length === 0) return response;
  const known = new Set(calls.map((call) => call.id));
  if (known.size === calls.length && !known.has(undefined) && !known.has("")) return response;
  const nth = counter();
  const renamed = calls.flatMap(({ id }): Renamed[] => {
    const place = nth(id);
    return place === 0 && id !== undefined && id !== ""
      ? []
      : [{ from: id, nth: place, to: newId("call") }];
  });
  const { content, additional_kwargs: kwargs } = response;
  const raw: unknown = kwargs["tool_calls"];
  return copyOf(response, {
    tool_calls: rename(calls, renamed),
    content: Array.isArray(content) ? rename(content, renamed) : content,
    additional_kwargs: Array.isArray(raw)
      ? { ...kwargs, tool_calls: rename(raw, renamed) }
      : kwargs,
  });
}

/** One of the places where a message carries its calls; they stand in the same order everywhere. */
function rename(items: readonly unknown[], renamed: readonly Renamed[]): readonly unknown[] {
  const nth = counter();
  return items.map((item) => {
    if (typeof item !== "object" || item === null || !isCall(item)) return item;
    const place = nth(item.id);
    const change = renamed.find((one) => one.from === item.id && one.nth === place);
    return change === undefined ? item : { ...item, id: change.to };
  });
}

function isCall(item: object): item is { readonly id?: unknown } {
  const type = "type" in item ? item.type : "tool_call";
  return type === "tool_use" || type === "tool_call" || type === "function";
}

/** Counts how often a value was seen before. */
function counter(): (value: unknown) => number {
  const counts = new Map<unknown, number>();
  return (value) => {
    const before = counts.get(value) ?? 0;
    counts.set(value, before + 1);
    return before;
  };
}
