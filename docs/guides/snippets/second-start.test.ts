// #region declare
import { idempotencyKeyOf, idempotent, probeable } from "@holdpoint/langchain";
// #endregion
import { humanInTheLoopMiddleware } from "@holdpoint/langchain";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createAgent, tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { modelThatCalls, newThread, question } from "./mail-agent.ts";

const stopped = new AbortController();
const calls: string[] = [];

/** A bank that does one thing for one key, and a mail server that is slow at first. */
const bank = {
  charge: async (amount: number, key: string | undefined) => {
    calls.push(`charge ${amount} ${typeof key}`);
    return "charged";
  },
};
const mailbox = new Map<string, { readonly at: string }>();
const mailServer = {
  send: async (_text: string, id: string | undefined) => {
    calls.push("send");
    mailbox.set(id ?? "", { at: "12:00" });
    setImmediate(() => stopped.abort());
    await new Promise(() => undefined); // its answer never comes
  },
  find: async (id: string) => mailbox.get(id),
};

// #region declare
const charge = idempotent(
  tool(({ amount }, config) => bank.charge(amount, idempotencyKeyOf(config)), {
    name: "charge",
    description: "Charges the card.",
    schema: z.object({ amount: z.number() }),
  }),
);

const sendEmail = probeable(
  tool(({ text }, config) => mailServer.send(text, idempotencyKeyOf(config)), {
    name: "send_email",
    description: "Sends a mail.",
    schema: z.object({ text: z.string() }),
  }),
  async ({ idempotencyKey }) => {
    const mail = await mailServer.find(idempotencyKey);
    return mail === undefined
      ? { status: "not_started" }
      : { status: "succeeded", content: `It was sent at ${mail.at}.` };
  },
);
// #endregion

test("a mail that was sent before the crash is found, and not sent again", async () => {
  const agent = createAgent({
    model: modelThatCalls(
      { name: "charge", args: { amount: 5 } },
      { name: "send_email", args: { text: "Hello" } },
    ),
    tools: [charge, sendEmail],
    checkpointer: new MemorySaver(),
    middleware: [humanInTheLoopMiddleware({ interruptOn: { charge: true, send_email: true } })],
  });
  const thread = newThread();
  await agent.invoke(question, thread);
  const approve = new Command({
    resume: { decisions: [{ type: "approve" }, { type: "approve" }] },
  });
  const stoppedRun = agent.invoke(approve, { ...thread, signal: stopped.signal });
  await expect(stoppedRun).rejects.toThrow();
  expect(calls).toEqual(["charge 5 string", "send"]);
  const { messages } = await agent.invoke(null, thread);
  expect(messages.map(({ text }) => text)).toContain("It was sent at 12:00.");
  expect(calls).toEqual(["charge 5 string", "send"]);
});
