import { describe, expect, test } from "vitest";
import { rewriteCall } from "./rewrite-call.ts";

const edited = { name: "send_email", args: { to: "other@b.c" } };

function aMessage() {
  return {
    content: [
      { type: "text", text: "I will write two mails." },
      {
        type: "tool_use",
        id: "call-1",
        name: "send_email",
        input: { to: "a@b.c" },
        cache_control: { type: "ephemeral" },
      },
      { type: "tool_call", id: "call-1", name: "send_email", args: { to: "a@b.c" } },
      { type: "tool_use", id: "call-2", name: "send_email", input: { to: "b@b.c" } },
      { type: "tool_result", id: "call-1", content: "an id of something else" },
      "call-1",
      null,
    ] as unknown,
    toolCalls: [
      { id: "call-1", name: "send_email", args: { to: "a@b.c" }, type: "tool_call" as const },
      { id: "call-2", name: "send_email", args: { to: "b@b.c" }, type: "tool_call" as const },
      { name: "without_id", args: {} },
    ],
    additionalKwargs: {
      refusal: null,
      tool_calls: [
        {
          id: "call-1",
          type: "function",
          function: { name: "send_email", arguments: '{"to":"a@b.c"}' },
          index: 0,
        },
        {
          id: "call-2",
          type: "function",
          function: { name: "send_email", arguments: '{"to":"b@b.c"}' },
        },
        { id: "call-1", type: "custom" },
      ],
    } as Record<string, unknown>,
    usage: { tokens: 5 },
  };
}

describe("rewriting a call in a message", () => {
  test("changes it in the tool calls, Anthropic's and the standard blocks, and OpenAI's raw calls", () => {
    const next = rewriteCall(aMessage(), "call-1", edited);
    expect(next.toolCalls[0]).toEqual({ id: "call-1", type: "tool_call", ...edited });
    expect(next.content).toMatchObject({
      1: {
        type: "tool_use",
        id: "call-1",
        name: "send_email",
        input: edited.args,
        cache_control: { type: "ephemeral" },
      },
      2: { type: "tool_call", id: "call-1", name: "send_email", args: edited.args },
    });
    expect(next.additionalKwargs["tool_calls"]).toMatchObject({
      0: {
        id: "call-1",
        type: "function",
        index: 0,
        function: { name: "send_email", arguments: '{"to":"other@b.c"}' },
      },
    });
  });

  test("leaves its siblings, their order and everything else untouched", () => {
    const message = aMessage();
    const next = rewriteCall(message, "call-1", edited);
    expect(message).toEqual(aMessage());
    expect(next.usage).toBe(message.usage);
    expect(next.toolCalls.slice(1)).toEqual(message.toolCalls.slice(1));
    const blocks = (one: { content: unknown }) => (one.content as unknown[]).toSpliced(1, 2);
    expect(blocks(next)).toEqual(blocks(message));
    const raw = (one: { additionalKwargs: Record<string, unknown> }) =>
      (one.additionalKwargs["tool_calls"] as unknown[]).slice(1);
    expect(raw(next)).toEqual(raw(message));
    expect(next.additionalKwargs["refusal"]).toBeNull();
  });

  test("changes nothing when no call has the id", () => {
    expect(rewriteCall(aMessage(), "call-9", edited)).toEqual(aMessage());
    expect(rewriteCall(aMessage(), "", edited)).toEqual(aMessage());
  });

  test("copes with text content and without raw calls", () => {
    const message = { content: "text", toolCalls: aMessage().toolCalls, additionalKwargs: {} };
    const next = rewriteCall(message, "call-2", edited);
    expect(next.content).toBe("text");
    expect(next.additionalKwargs).toEqual({});
    expect(next.toolCalls.map((call) => call.args)).toEqual([{ to: "a@b.c" }, edited.args, {}]);
  });
});
