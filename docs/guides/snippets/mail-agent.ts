import { ScriptedModel, callsOnce } from "@holdpoint/langchain/testing";
import { tool } from "langchain";
import { z } from "zod";

/** What was really sent, in order. */
export const sent: string[] = [];

/** Reads mail; harmless. */
export const readInbox = tool(async () => "2 new messages", {
  name: "read_inbox",
  description: "Reads the inbox.",
  schema: z.object({}),
});

/** Sends a mail; cannot be undone. */
export const sendEmail = tool(
  async ({ to, text }) => {
    sent.push(`${to}: ${text}`);
    return `sent to ${to}`;
  },
  {
    name: "send_email",
    description: "Sends a mail.",
    schema: z.object({ to: z.string(), text: z.string() }),
    metadata: { risk: "high" },
  },
);

const usual = { name: "send_email", args: { to: "bob@example.com", text: "Hello" } };

/** A model that makes these calls after each message of a person, one to `send_email` unless others are given. */
export function modelThatCalls(
  ...calls: { readonly name: string; readonly args: Record<string, unknown> }[]
): ScriptedModel {
  return new ScriptedModel(callsOnce(...(calls.length === 0 ? [usual] : calls)));
}

/** What a person says first. */
export const question = { messages: [{ role: "user", content: "Write to Bob" }] };

let threads = 0;

/** The config of a thread of its own. */
export function newThread(): { configurable: { thread_id: string } } {
  threads += 1;
  return { configurable: { thread_id: `thread-${threads}` } };
}
