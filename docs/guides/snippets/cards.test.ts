// #region card
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { AIMessage, createAgent, tool } from "langchain";
import { z } from "zod";

const answerSchema = z.object({ priority: z.enum(["low", "high"]), note: z.string().optional() });

const askTicket = tool(
  async ({ subject }) => {
    const answer: unknown = interrupt({
      formType: "ticket",
      title: "New ticket",
      context: { subject },
      fields: [
        { name: "priority", type: "select", options: ["low", "high"], required: true },
        { name: "note", type: "textarea" },
      ],
    });
    const { priority, note = "" } = answerSchema.parse(answer);
    return `${subject}: ${priority} ${note}`.trim();
  },
  {
    name: "ask_ticket",
    description: "Asks a person for the details of a ticket.",
    schema: z.object({ subject: z.string() }),
  },
);
// #endregion
import { humanInTheLoopMiddleware, refusalIn } from "@holdpoint/langchain";
import { expect, test } from "vitest";
import { modelThatCalls, newThread, question } from "./mail-agent.ts";

const model = modelThatCalls({ name: "ask_ticket", args: { subject: "Printer" } });
const agent = createAgent({
  model,
  tools: [askTicket],
  checkpointer: new MemorySaver(),
  middleware: [humanInTheLoopMiddleware({ interruptOn: { ask_ticket: false } })],
});

test("a card is answered, and stays in the conversation", async () => {
  const thread = newThread();
  const paused = await agent.invoke(question, thread);
  const id = paused.__interrupt__?.[0]?.id ?? "";
  const wrong = new Command({ resume: { [id]: { priority: "urgent" } } });
  const failure: unknown = await agent.invoke(wrong, thread).catch((error: unknown) => error);
  expect(refusalIn(failure)?.message).toContain("priority");
  // #region answer
  const card = new AIMessage({
    id: `card_${id}`,
    content: "New ticket: high",
    additional_kwargs: { card: { formType: "ticket", answer: { priority: "high" } } },
  });
  const state = await agent.invoke(
    new Command({ resume: { [id]: { priority: "high" } }, update: { messages: [card] } }),
    thread,
  );
  // #endregion
  const said = (messages: readonly { readonly text: string }[]) =>
    messages.map(({ text }) => text).filter((text) => text !== "");
  const conversation = ["Write to Bob", "Printer: high", "New ticket: high", "done"];
  expect(said(state.messages)).toEqual(conversation);
  // The model reads the result right behind its call, as providers want it.
  expect(said(model.asked.at(-1) ?? [])).toEqual(conversation.slice(0, -1));
});
