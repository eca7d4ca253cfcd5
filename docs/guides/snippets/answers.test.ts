// #region ask
import type { HITLRequest } from "@holdpoint/langchain";
import type { Interrupt } from "@langchain/langgraph";
// #endregion
// #region by-place
import { Command } from "@langchain/langgraph";
// #endregion
// #region per-call
import { isToolApprovalInterrupt } from "@holdpoint/langchain";
// #endregion
// #region wrong
import { refusalIn } from "@holdpoint/langchain";
// #endregion
// #region resume-thread
import { resumeThread } from "@holdpoint/langchain";
// #endregion
import { humanInTheLoopMiddleware } from "@holdpoint/langchain";
import { MemorySaver } from "@langchain/langgraph";
import { isInvalidResume } from "@langchain/langgraph";
import { createAgent, ToolMessage } from "langchain";
import { format } from "prettier";
import { beforeEach, expect, test } from "vitest";
import { modelThatCalls, newThread, question, readInbox, sendEmail, sent } from "./mail-agent.ts";

const toBob = { name: "send_email", args: { to: "bob@example.com", text: "Hello Bob" } };
const toEve = { name: "send_email", args: { to: "eve@example.com", text: "Hello Eve" } };

function agentWith(
  options: Parameters<typeof humanInTheLoopMiddleware>[0],
  ...calls: (typeof toBob)[]
) {
  return createAgent({
    model: modelThatCalls(...calls),
    tools: [readInbox, sendEmail],
    checkpointer: new MemorySaver(),
    middleware: [humanInTheLoopMiddleware(options)],
  });
}
const rules = { interruptOn: { send_email: true } };
const agent = agentWith(rules, toBob, toEve);
const lines: string[] = [];
const console = { log: (line: unknown) => lines.push(String(line)) };

beforeEach(() => {
  sent.splice(0);
  lines.splice(0);
});

test("the interrupt's value is LangChain's request with more in it", async () => {
  const agent = agentWith(rules, toBob);
  const thread = newThread();
  // #region ask
  const paused = await agent.invoke(question, thread);
  const [interrupt] = paused.__interrupt__ as Interrupt<HITLRequest>[];
  // #endregion
  const shown = JSON.stringify(interrupt, undefined, 2).replaceAll(
    /"([0-9a-f]{32}|(?:rev|act)_\w+|[0-9a-f]{8}-[0-9a-f-]+|thread-\d+)"/g,
    (_, id: string) => `"${id.replace(/[0-9a-f]{8,}.*/, "…")}"`,
  );
  const formatted = await format(shown, { parser: "json", printWidth: 100 });
  await expect(formatted).toMatchFileSnapshot("answers-payload.json");
});

test.each(["place", "name", "id"])("an answer by %s", async (way) => {
  const thread = newThread();
  const paused = await agent.invoke(question, thread);
  const [interrupt] = paused.__interrupt__ as Interrupt<HITLRequest>[];
  const id = interrupt?.id ?? "";
  if (way === "place") {
    // #region by-place
    const decisions = [{ type: "approve" }, { type: "reject", message: "Eve has left" }];
    await agent.invoke(new Command({ resume: { decisions } }), thread);
    // #endregion
  } else if (way === "name") {
    // #region by-name
    const calls = interrupt?.value?.actionRequests ?? [];
    const decisions = calls.map(({ toolCallId, args }) => ({
      toolCallId, // or actionId
      type: args.to === "bob@example.com" ? "approve" : "reject",
    }));
    await agent.invoke(new Command({ resume: { decisions } }), thread);
    // #endregion
  } else {
    const decisions = [{ type: "approve" }, { type: "reject" }];
    // #region by-id
    await agent.invoke(new Command({ resume: { [id]: { decisions } } }), thread);
    // #endregion
  }
  expect(sent).toEqual(["bob@example.com: Hello Bob"]);
});

test("in per_call mode each held call is a review of its own", async () => {
  const agent = agentWith({ ...rules, interruptMode: "per_call" }, toBob, toEve);
  const thread = newThread();
  // #region per-call
  const paused = await agent.invoke(question, thread);
  for (const { id, value } of paused.__interrupt__ ?? []) {
    if (id === undefined || !isToolApprovalInterrupt(value)) continue;
    const decision = { type: value.args.to === "bob@example.com" ? "approve" : "reject" };
    await agent.invoke(new Command({ resume: { [id]: decision } }), thread);
  }
  // #endregion
  expect(paused.__interrupt__).toHaveLength(2);
  expect(sent).toEqual(["bob@example.com: Hello Bob"]);
});

test("a wrong answer changes nothing, and the right one works afterwards", async () => {
  const thread = newThread();
  await agent.invoke(question, thread);
  const answer = { decisions: [{ type: "approve" }] }; // two calls wait
  // #region wrong
  try {
    await agent.invoke(new Command({ resume: answer }), thread);
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal === undefined) throw error; // not about the answer
    console.log(`${refusal.code}: ${refusal.message}`);
  }
  // #endregion
  await expect(`${lines.join("\n")}\n`.replaceAll(/_[0-9a-f]{32}/g, "_…")).toMatchFileSnapshot(
    "answers-wrong.txt",
  );
  await agent.invoke(
    new Command({ resume: { decisions: [{ type: "approve" }, { type: "approve" }] } }),
    thread,
  );
  expect(sent).toHaveLength(2);
});

test("a refused answer is LangGraph's invalid resume", async () => {
  const thread = newThread();
  await agent.invoke(question, thread);
  const failure: unknown = await agent
    .invoke(new Command({ resume: "yes" }), thread)
    .catch((error: unknown) => error);
  expect(isInvalidResume(failure)).toBe(true);
});

test("resumeThread says what LangGraph would not", async () => {
  const thread = newThread();
  const paused = await agent.invoke(question, thread);
  const id = paused.__interrupt__?.[0]?.id ?? "";
  const answer = { decisions: [{ type: "approve" }, { type: "approve" }] };
  // #region resume-thread
  const state = await resumeThread(agent, thread, { [id]: answer });
  // #endregion
  expect(state.messages.at(-1)?.text).toBe("done");
  const codes = [
    resumeThread(agent, thread, { [id]: { decisions: [{ type: "reject" }, { type: "reject" }] } }),
    resumeThread(agent, thread, { ["0".repeat(32)]: answer }),
    resumeThread(agent, newThread(), { [id]: answer }),
  ].map(async (promise) => refusalIn(await promise.catch((error: unknown) => error))?.code);
  expect(await Promise.all(codes)).toEqual([
    "already_decided",
    "decision_invalid",
    "thread_not_found",
  ]);
  // The same decision again is no error, and nothing runs twice.
  await resumeThread(agent, thread, { [id]: answer });
  expect(sent).toHaveLength(2);
});

test("whoever comes second gets the same interrupt with who decided", async () => {
  const agent = agentWith(rules, toBob);
  const thread = newThread();
  await agent.invoke(question, thread);
  const [first, second] = await Promise.all(
    [{ type: "approve" }, { type: "reject" }].map((decision) =>
      agent.invoke(new Command({ resume: { decisions: [decision] } }), thread),
    ),
  );
  expect(first?.__interrupt__ ?? []).toEqual([]);
  expect(sent).toHaveLength(1);
  // #region conflict
  const [interrupt] = (second?.__interrupt__ ?? []) as Interrupt<HITLRequest>[];
  console.log(interrupt?.value?.conflict?.decision); // "approve"; also by and at
  // #endregion
  expect(lines).toEqual(["approve"]);
});

test("a message while a call waits withdraws it", async () => {
  const agent = agentWith(rules, toBob);
  const thread = newThread();
  const paused = await agent.invoke(question, thread);
  const id = paused.__interrupt__?.[0]?.id ?? "";
  const state = await agent.invoke(question, thread);
  const result = state.messages.find((one) => ToolMessage.isInstance(one));
  await expect(`${result?.text}\n`).toMatchFileSnapshot("answers-withdrawn.txt");
  const late = resumeThread(agent, thread, { [id]: { decisions: [{ type: "approve" }] } });
  expect(refusalIn(await late.catch((error: unknown) => error))?.code).toBe("review_closed");
  expect(sent).toEqual([]);
});
