// #region one-line
// #region import
import { humanInTheLoopMiddleware } from "@holdpoint/langchain"; // was: "langchain"
// #endregion
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
// #endregion
import { beforeEach, expect, test } from "vitest";
import { modelThatCalls, newThread, question, readInbox, sendEmail, sent } from "./mail-agent.ts";

const model = modelThatCalls();

// #region one-line
const agent = createAgent({
  model, // your chat model, as "openai:gpt-5"
  tools: [readInbox, sendEmail], // your tools
  middleware: [humanInTheLoopMiddleware({ interruptOn: { send_email: true } })],
  checkpointer: new MemorySaver(),
});
// #endregion

beforeEach(() => void sent.splice(0));

test("a pause is answered with a command", async () => {
  const shown: unknown[] = [];
  const console = { log: (value: unknown) => shown.push(value) };
  const thread = newThread();
  // #region answer
  const paused = await agent.invoke(question, thread);
  console.log(paused.__interrupt__); // what a person has to decide
  const done = await agent.invoke(
    new Command({ resume: { decisions: [{ type: "approve" }] } }),
    thread,
  );
  // #endregion
  expect(shown).toEqual([paused.__interrupt__]);
  expect(paused.__interrupt__).toHaveLength(1);
  expect(done.messages.at(-1)?.text).toBe("done");
  expect(sent).toEqual(["bob@example.com: Hello"]);
});
