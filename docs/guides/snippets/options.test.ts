// #region all
import { humanInTheLoopMiddleware } from "@holdpoint/langchain";
// #endregion
import { explainGate } from "@holdpoint/langchain";
import { openEngine } from "@holdpoint/engine";
import { MemorySaver } from "@langchain/langgraph";
import { createAgent } from "langchain";
import { afterAll, expect, test } from "vitest";
import { modelThatCalls, readInbox, sendEmail } from "./mail-agent.ts";

const holdpoint = await openEngine({ database: ":memory:" });
afterAll(() => holdpoint.close());

// #region all
const gate = humanInTheLoopMiddleware({
  interruptOn: {
    send_email: {
      allowedDecisions: ["approve", "edit", "reject", "respond"],
      description: ({ args }) => `Writes to ${args.to}.`,
      argsSchema: { type: "object", properties: { text: { type: "string", maxLength: 2000 } } },
      when: ({ toolCall }) => !String(toolCall.args.to).endsWith("@example.com"),
    },
    read_inbox: false,
  },
  unlisted: "review",
  interruptMode: "per_call",
  descriptionPrefix: "Please look at this call",
  agent: "secretary",
  answers: "named",
  mixedDecisions: "run",
  editNotice: true,
  maxRejections: 2,
  contextMayLoosen: false,
  holdpoint,
});
// #endregion

test("every option is taken, and does what it says", async () => {
  const agent = createAgent({
    model: modelThatCalls(),
    tools: [readInbox, sendEmail],
    checkpointer: new MemorySaver(),
    middleware: [gate],
  });
  const fateOf = async (to: string) =>
    (await explainGate(agent, { name: "send_email", args: { to, text: "Hello" } })).fate;
  expect(await fateOf("bob@example.com")).toBe("free");
  expect(await fateOf("bob@elsewhere.org")).toBe("held");
  const long = { to: "bob@elsewhere.org", text: "x".repeat(2001) };
  expect(await explainGate(agent, { name: "send_email", args: long })).toMatchObject({
    fate: "returned",
    mode: "per_call",
    unlisted: "review",
    hasEngine: true,
  });
});
