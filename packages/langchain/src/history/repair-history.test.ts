import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { createAgent, tool } from "langchain";
import { openEngine } from "@holdpoint/engine";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { callsOnce, ScriptedModel } from "../testing/scripted-model.ts";
import { checkpointer } from "../checkpoints/checkpointer.ts";
import { humanInTheLoopMiddleware } from "../gate/human-in-the-loop.ts";
import { recordedVote } from "../pause/pause.ts";
import { isToolApprovalInterrupt } from "../pause/interrupt-payload.ts";

const ask = tool(async () => `answered ${String(interrupt({ question: "which?" }))}`, {
  name: "ask",
  description: "asks a person",
  schema: z.object({}),
});
const write = tool(async ({ path }) => `wrote ${path}`, {
  name: "write",
  description: "writes",
  schema: z.object({ path: z.string() }),
});

const linesOf = (messages: readonly BaseMessage[]) =>
  messages.map((one) => `${one.getType()}: ${one.text}`);

/** Both calls of a turn wait: one asks a person itself, the other is held. */
async function waitingAgent() {
  const model = new ScriptedModel(
    callsOnce({ name: "ask", args: {} }, { name: "write", args: { path: "a" } }),
  );
  const agent = createAgent({
    model,
    tools: [ask, write],
    checkpointer: new MemorySaver(),
    middleware: [
      humanInTheLoopMiddleware({ interruptOn: { write: true }, interruptMode: "per_call" }),
    ],
  });
  const thread = { configurable: { thread_id: "t" } };
  const paused = await agent.invoke({ messages: [new HumanMessage("go")] }, thread);
  const idOf = (isHeld: boolean) =>
    (paused.__interrupt__ ?? []).find(({ value }) => isToolApprovalInterrupt(value) === isHeld)?.id;
  return { model, agent, thread, question: idOf(false) ?? "", held: idOf(true) ?? "" };
}

describe("an answered card that joins the thread with its answer", () => {
  const card = new AIMessage({ id: "card", content: "which? this" });
  const asked = ["human: go", "ai: ", "tool: answered this", "tool: wrote b", "ai: which? this"];

  test("stands behind all results of the turn, for the model and in the thread", async () => {
    const { model, agent, thread, question, held } = await waitingAgent();
    const answer = { resume: { [question]: "this" }, update: { messages: [card] } };
    await agent.invoke(new Command(answer), thread);
    const edit = { type: "edit", editedAction: { name: "write", args: { path: "b" } } };
    const state = await agent.invoke(new Command({ resume: { [held]: edit } }), thread);
    expect(linesOf(model.asked.at(-1) ?? [])).toEqual(asked);
    expect(linesOf(state.messages)).toEqual([...asked, "ai: done"]);
    // And the edit is in the history although a message of the assistant came between.
    expect(JSON.stringify(state.messages[1])).toContain('"path":"b"');
    const next = await agent.invoke({ messages: [new HumanMessage("again")] }, thread);
    expect(linesOf(next.messages).slice(0, 7)).toEqual([...asked, "ai: done", "human: again"]);
  });

  test("leaves the model's message after it its id, also once a stock saver has stored it", async () => {
    const { agent, thread, question, held } = await waitingAgent();
    const answer = { resume: { [question]: "this" }, update: { messages: [card] } };
    await agent.invoke(new Command(answer), thread);
    const resume = { [held]: { decisions: [{ type: "approve" }] } };
    const said = await agent.invoke(new Command({ resume }), thread);
    const stored = await agent.graph.getState(thread);
    const idsOf = ({ messages }: { messages: readonly BaseMessage[] }) =>
      messages.map(({ id }) => id);
    expect(idsOf(stored.values as typeof said)).toEqual(idsOf(said));
  });

  test("hides no call that a new message left waiting", async () => {
    const { model, agent, thread, question } = await waitingAgent();
    const answer = { resume: { [question]: "this" }, update: { messages: [card] } };
    await agent.invoke(new Command(answer), thread);
    await agent.invoke({ messages: [new HumanMessage("never mind")] }, thread);
    const lines = linesOf(model.asked.at(-1) ?? []);
    expect(lines.slice(0, 3)).toEqual(["human: go", "ai: ", "tool: answered this"]);
    expect(lines[3]).toContain("This call to `write` was withdrawn");
    expect(lines.slice(4)).toEqual(["ai: which? this", "human: never mind"]);
  });
});

test("a resume that answers a tool's own question leaves the held call beside it waiting, and is accepted once", async () => {
  const { agent, thread, question, held } = await waitingAgent();
  const state = await agent.invoke(new Command({ resume: { [question]: "this" } }), thread);
  expect(state.__interrupt__?.map(({ id }) => id)).toEqual([held]);
  await expect(
    agent.invoke(new Command({ resume: { [question]: "that" } }), thread),
  ).rejects.toThrow(new RegExp(`was already decided: .*what waits on thread t: ${held}`, "i"));
});

test("a result that was shown stays when a new message ends what waits beside it (found by a soak)", async () => {
  const engine = await openEngine({ database: ":memory:" });
  onTestFinished(() => engine.close());
  const calls = ["a", "b"].map((path) => ({ name: "write", args: { path } }));
  const agent = createAgent({
    model: new ScriptedModel(callsOnce(...calls)),
    tools: [write],
    checkpointer: checkpointer(engine),
    middleware: [humanInTheLoopMiddleware({ interruptOn: { write: true }, holdpoint: engine })],
  });
  const thread = { configurable: { thread_id: "t" } };
  const paused = await agent.invoke({ messages: [new HumanMessage("go")] }, thread);
  const [review] = await engine.openReviewsOf("t");
  // As a process leaves it that dies while it takes in a new message: what waits is withdrawn, the message lost.
  await engine.closeReview(review?.id ?? "rev_none", "The user sent a new message instead.");
  const resume = { [paused.__interrupt__?.[0]?.id ?? ""]: recordedVote };
  const shown = await agent.invoke(new Command({ resume }), thread);
  const results = shown.messages.filter((message) => ToolMessage.isInstance(message));
  expect([results.length, shown.__interrupt__?.length]).toEqual([1, 1]);
  const next = await agent.invoke({ messages: [new HumanMessage("instead")] }, thread);
  const ids = next.messages.map(({ id }) => id);
  for (const { id } of results) expect(ids).toContain(id);
  expect(linesOf(next.messages).slice(0, 5)).toEqual([
    "human: go",
    "ai: ",
    expect.stringMatching(/^tool: .*its review was closed/),
    expect.stringMatching(/^tool: .*new message/),
    "human: instead",
  ]);
});
