// #region engine
import { openEngine } from "@holdpoint/engine";
import { checkpointer, humanInTheLoopMiddleware } from "@holdpoint/langchain";
import { createAgent } from "langchain";
// #endregion
// #region hold-agent
import { holdAgent } from "@holdpoint/langchain";
// #endregion
// #region list
import { recordedVote } from "@holdpoint/langchain";
import { Command } from "@langchain/langgraph";
// #endregion
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { modelThatCalls, newThread, question, readInbox, sendEmail, sent } from "./mail-agent.ts";

const model = modelThatCalls();
const tools = [readInbox, sendEmail];
process.chdir(mkdtempSync(join(tmpdir(), "holdpoint-guide-")));

// #region engine
const holdpoint = await openEngine({ database: "file:holdpoint.db" });
const agent = createAgent({
  model,
  tools,
  middleware: [humanInTheLoopMiddleware({ interruptOn: { send_email: true }, holdpoint })],
  checkpointer: checkpointer(holdpoint), // or the one you have
});
// #endregion

beforeEach(() => void sent.splice(0));
afterAll(() => holdpoint.close());

test("what waits is a record that another process can list and decide", async () => {
  const thread = newThread();
  await agent.invoke(question, thread);
  const anna = { id: "anna@example.com", name: "Anna" };
  // #region list
  const { reviews } = await holdpoint.reviews.list({ status: "open", order: "oldest", limit: 20 });
  for (const { id, actions, interruptId } of reviews) {
    const decisions = actions.map((action) => ({
      actionId: action.id,
      decision: { type: "approve" } as const,
    }));
    const result = await holdpoint.decide({ reviewId: id, decisions, reviewer: anna });
    if (result.type === "refused") console.log(result.refusal.message); // somebody was faster
    await agent.invoke(new Command({ resume: { [interruptId]: recordedVote } }), thread);
  }
  // #endregion
  expect(sent).toEqual(["bob@example.com: Hello"]);
});

test("holdAgent", async () => {
  // #region hold-agent
  const held = holdAgent({
    model,
    tools,
    interruptOn: { read_inbox: false, send_email: true },
    holdpoint,
  });
  // #endregion
  const thread = newThread();
  const paused = await held.invoke(question, thread);
  expect((paused as { __interrupt__?: unknown[] }).__interrupt__).toHaveLength(1);
});
