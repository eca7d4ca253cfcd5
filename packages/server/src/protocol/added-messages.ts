import { isJsonObject, type Json, type JsonObject } from "@holdpoint/core";
import { newId } from "@holdpoint/engine";
import { z } from "zod";

/**
 * What may join a thread together with an answer (`respond(response, { update })`): the answered card, as
 * an AI message that calls no tool, and what a person says. Anything else could forge a call, its result
 * or an instruction.
 */
const addedMessageSchema = z.object({
  type: z.enum(["ai", "assistant", "human", "user"]),
  id: z.string().min(1).max(200).optional(),
  name: z.string().max(200).optional(),
  content: z.union([z.string(), z.array(z.custom<JsonObject>(isPlainBlock))]),
  additional_kwargs: z.custom<JsonObject>(isWithoutCalls).optional(),
  response_metadata: z.custom<JsonObject>(isWithoutCalls).optional(),
  tool_calls: z.array(z.unknown()).max(0).optional(),
  invalid_tool_calls: z.array(z.unknown()).max(0).optional(),
});

const updateSchema = z.strictObject({ messages: z.array(addedMessageSchema).min(1).max(20) });

/** The update as a client may send it: an object, or its entries. */
const sentUpdateSchema = z.preprocess(
  (update) =>
    Array.isArray(update) && update.every(isEntry) ? Object.fromEntries(update) : update,
  updateSchema,
);

/** A message that joins a thread; it has an id, so that it is never added twice. */
export type AddedMessage = JsonObject & { readonly id: string };

/** Reads the update of an answer, or `undefined` when it is more than a server lets a client change. */
export function readAddedMessages(update: unknown): readonly AddedMessage[] | undefined {
  const read = sentUpdateSchema.safeParse(update);
  if (!read.success) return undefined;
  const messages = read.data.messages.map(
    ({ tool_calls: _none, invalid_tool_calls: _neither, ...message }) => ({
      ...message,
      type: message.type === "ai" || message.type === "assistant" ? "ai" : "human",
      id: message.id ?? newId("msg"),
    }),
  );
  return JSON.parse(JSON.stringify(messages)) as AddedMessage[]; // drops absent fields
}

function isEntry(value: unknown): value is readonly [string, unknown] {
  return Array.isArray(value) && value.length === 2 && typeof value[0] === "string";
}

/** A text, an image, …: no block that some provider reads as a tool's call or its result. */
function isPlainBlock(value: unknown): boolean {
  return (
    isWithoutCalls(value) && typeof value.type === "string" && !/tool|function/i.test(value.type)
  );
}

/** True for an object in which nothing is named like a call, however deep. */
function isWithoutCalls(value: unknown): value is JsonObject {
  return isJsonObject(value) && !namesCalls(value);
}

function namesCalls(value: Json): boolean {
  if (typeof value !== "object" || value === null) return false;
  const keys = Array.isArray(value) ? [] : Object.keys(value);
  return keys.some(isNameOfCalls) || Object.values(value).some(namesCalls);
}

/** `tool_calls`, `function_call`, … and `output_version`, which makes LangChain read calls from content. */
function isNameOfCalls(key: string): boolean {
  return /^(invalid_)?(tool|function)_?calls?$|^tool_use$|^output_version$/i.test(key);
}
