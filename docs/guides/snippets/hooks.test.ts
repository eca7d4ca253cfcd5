// #region watch
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { createMiddleware } from "langchain";

const lines: string[] = [];

function watch(name: string) {
  const see = (hook: string, what: string) => lines.push(`${hook} of "${name}": ${what}`);
  return createMiddleware({
    name,
    beforeModel: ({ messages }) => void see("beforeModel", callsIn(messages)),
    afterModel: ({ messages }) => void see("afterModel", callsIn(messages)),
    wrapToolCall: (request, handler) => {
      see("wrapToolCall", request.toolCall.name);
      return handler(request);
    },
  });
}

function callsIn(messages: readonly BaseMessage[]): string {
  const last = messages.at(-1);
  const calls = AIMessage.isInstance(last) ? (last.tool_calls ?? []) : [];
  return `${calls.length} tool calls`;
}
// #endregion
import { humanInTheLoopMiddleware } from "@holdpoint/langchain";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { beforeEach, expect, test } from "vitest";
import { modelThatCalls, newThread, question, readInbox, sendEmail } from "./mail-agent.ts";

const model = modelThatCalls(
  { name: "read_inbox", args: {} },
  { name: "send_email", args: { to: "bob@example.com", text: "Hello" } },
);
const tools = [readInbox, sendEmail];
const checkpointer = new MemorySaver();

beforeEach(() => void lines.splice(0));

test("in batched mode the gate pauses in wrapToolCall, for the whole turn", async () => {
  const thread = newThread();
  // #region batched
  const gate = humanInTheLoopMiddleware({ interruptOn: { send_email: true } });
  const agent = createAgent({
    model,
    tools,
    checkpointer,
    middleware: [watch("first"), gate, watch("last")],
  });

  await agent.invoke(question, thread);
  lines.push("— a person approves —");
  await agent.invoke(new Command({ resume: { decisions: [{ type: "approve" }] } }), thread);
  // #endregion
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("hooks-batched.txt");
});

test("in per_call mode the gate pauses in wrapToolCall", async () => {
  const thread = newThread();
  // #region per-call
  const gate = humanInTheLoopMiddleware({
    interruptOn: { send_email: true },
    interruptMode: "per_call",
  });
  // #endregion
  const agent = createAgent({
    model,
    tools,
    checkpointer,
    middleware: [watch("first"), gate, watch("last")],
  });
  await agent.invoke(question, thread);
  lines.push("— a person approves —");
  await agent.invoke(new Command({ resume: { type: "approve" } }), thread);
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("hooks-per-call.txt");
});
