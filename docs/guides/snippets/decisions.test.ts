import { humanInTheLoopMiddleware, refusalIn } from "@holdpoint/langchain";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent, ToolMessage } from "langchain";
import { beforeEach, expect, test } from "vitest";
import { modelThatCalls, newThread, question, readInbox, sendEmail, sent } from "./mail-agent.ts";

const toBob = { name: "send_email", args: { to: "bob@example.com", text: "Hello" } };
const toEve = { name: "send_email", args: { to: "eve@example.com", text: "Hello" } };

function agentOf(gate: ReturnType<typeof humanInTheLoopMiddleware>, ...calls: (typeof toBob)[]) {
  return createAgent({
    model: modelThatCalls(...calls, { name: "read_inbox", args: {} }),
    tools: [readInbox, sendEmail],
    checkpointer: new MemorySaver(),
    middleware: [gate],
  });
}
const usual = humanInTheLoopMiddleware({ interruptOn: { send_email: true } });

/** Every ToolMessage of the thread after these decisions. */
async function resultsAfter(
  decisions: readonly object[],
  agent = agentOf(usual, toBob),
): Promise<string[]> {
  const thread = newThread();
  await agent.invoke(question, thread);
  const state = await agent.invoke(new Command({ resume: { decisions } }), thread);
  return state.messages
    .filter((message) => ToolMessage.isInstance(message))
    .map(({ name, status = "success", text }) => `${name} (${status}): ${text}`);
}

beforeEach(() => void sent.splice(0));

test("what the model reads after each decision", async () => {
  // #region decisions
  const approve = { type: "approve" };
  const edit = {
    type: "edit",
    editedAction: { name: "send_email", args: { to: "bob@example.com", text: "Hello Bob" } },
  };
  const reject = { type: "reject" };
  const rejectWithReason = { type: "reject", message: "Bob is on leave until Monday" };
  const respond = { type: "respond", message: "I have told him on the phone." };
  // #endregion
  const results: string[] = [];
  for (const decision of [approve, edit, reject, rejectWithReason, respond]) {
    results.push(...(await resultsAfter([decision])).filter((one) => one.startsWith("send_email")));
  }
  expect(sent).toEqual(["bob@example.com: Hello", "bob@example.com: Hello Bob"]);
  await expect(`${results.join("\n\n")}\n`).toMatchFileSnapshot("decisions-results.txt");
});

test("a rejection stops neither what was approved nor what is free", async () => {
  const results = await resultsAfter(
    [{ type: "approve" }, { type: "reject" }],
    agentOf(usual, toBob, toEve),
  );
  expect(sent).toEqual(["bob@example.com: Hello"]);
  expect(results.map((one) => one.slice(0, one.indexOf(":")))).toEqual([
    "send_email (success)",
    "send_email (error)",
    "read_inbox (success)",
  ]);
});

test("an edit has to stay on its tool, and fit", async () => {
  const agent = agentOf(usual, toBob);
  const thread = newThread();
  await agent.invoke(question, thread);
  const refusals: string[] = [];
  for (const editedAction of [
    { name: "delete_inbox", args: {} },
    { name: "send_email", args: { to: "bob@example.com" } },
  ]) {
    const resume = { decisions: [{ type: "edit", editedAction }] };
    const failure: unknown = await agent
      .invoke(new Command({ resume }), thread)
      .catch((error: unknown) => error);
    const refusal = refusalIn(failure);
    refusals.push(`${refusal?.code}: ${refusal?.message}`);
  }
  await expect(`${refusals.join("\n\n")}\n`.replaceAll(/_[0-9a-f]{32}/g, "_…")).toMatchFileSnapshot(
    "decisions-refused-edits.txt",
  );
  expect(sent).toEqual([]);
});

test("the model is told of an edit when it should be", async () => {
  // #region edit-notice
  const gate = humanInTheLoopMiddleware({
    interruptOn: { send_email: true },
    editNotice: true, // tells the model that a person changed the call
    maxRejections: 2, // after two rejections of the same call nobody is asked again
  });
  // #endregion
  const agent = agentOf(gate, toBob);
  const edit = { type: "edit", editedAction: { ...toBob, args: { ...toBob.args, text: "Hi" } } };
  const [result] = await resultsAfter([edit], agent);
  expect(result).toContain("Note: a person changed this tool call before it ran");
});

test("LangChain's earlier rule for mixed decisions", async () => {
  // #region legacy
  const gate = humanInTheLoopMiddleware({
    interruptOn: { send_email: true },
    mixedDecisions: "legacy",
  });
  // #endregion
  const agent = agentOf(gate, toBob, toEve);
  const results = await resultsAfter([{ type: "approve" }, { type: "reject" }], agent);
  expect(sent).toEqual([]); // one rejection drops what was approved
  expect(results[0]).toContain("User rejected the tool call for `send_email` with id");
});
