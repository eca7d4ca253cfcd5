// #region why
import { explainGate } from "@holdpoint/langchain";
// #endregion
import { humanInTheLoopMiddleware } from "@holdpoint/langchain";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { expect, test } from "vitest";
import { modelThatCalls, newThread, question, readInbox, sendEmail } from "./mail-agent.ts";

const lines: string[] = [];
const console = { log: (line: unknown) => lines.push(String(line)) };

test("why a call was not held", async () => {
  const agent = createAgent({
    model: modelThatCalls(),
    tools: [readInbox, sendEmail],
    checkpointer: new MemorySaver(),
    middleware: [humanInTheLoopMiddleware({ interruptOn: { sendEmail: true } })],
  });
  // #region why
  const explanation = await explainGate(agent, {
    name: "send_email",
    args: { to: "bob@example.com", text: "Hello" },
  });
  console.log(explanation.text);
  // #endregion
  expect(explanation.fate).toBe("free");
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("explain-why.txt");
});

test("why this very call is where it is", async () => {
  const agent = createAgent({
    model: modelThatCalls(),
    tools: [readInbox, sendEmail],
    checkpointer: new MemorySaver(),
    middleware: [humanInTheLoopMiddleware({ interruptOn: { "send_*": true } })],
  });
  const thread = newThread();
  await agent.invoke(question, thread);
  const toolCall = { id: "call_1_0", name: "send_email", args: {} };
  const userId = "anna";
  // #region moment
  const { values: state } = await agent.graph.getState(thread);
  const explanation = await explainGate(agent, toolCall, {
    state,
    context: { userId },
    threadId: thread.configurable.thread_id,
  });
  // #endregion
  expect(explanation).toMatchObject({ fate: "recorded", record: { status: "open" } });
});
