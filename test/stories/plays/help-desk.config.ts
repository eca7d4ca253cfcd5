import { interrupt } from "@langchain/langgraph";
import { holdDeepAgent } from "@holdpoint/langchain/deepagents";
import { ScriptedModel } from "@holdpoint/langchain/testing";
import { defineConfig } from "@holdpoint/server";
import { tool } from "langchain";
import { z } from "zod";
import { callsFor, delegate } from "../../../packages/langchain/src/testing/scripted-tasks.ts";

const askTicket = tool(
  ({ subject }) => {
    const answer: unknown = interrupt({
      formType: "ticket",
      title: "A new ticket",
      context: { subject },
      fields: [
        {
          name: "priority",
          label: "Priority",
          type: "select",
          options: ["low", "high"],
          required: true,
        },
        { name: "hours", label: "Hours", type: "number", min: 1, max: 40 },
        { name: "note", label: "Note", type: "textarea", description: "Seen by the customer." },
      ],
    });
    return `${subject}: ${JSON.stringify(answer)}`;
  },
  {
    name: "ask_ticket",
    description: "Asks a person for the details of a ticket.",
    schema: z.object({ subject: z.string() }),
  },
);

const sendEmail = tool(({ to }) => `Mail to ${to} is sent.`, {
  name: "send_email",
  description: "Sends an e-mail.",
  schema: z.object({ to: z.string(), text: z.string() }),
});

/** A help desk: a tool that asks with a form, and a subagent whose mail is held. The model has a script. */
export default defineConfig({
  agents: {
    desk: {
      title: { en: "Help desk", "zh-CN": "服务台" },
      create: ({ holdpoint }) =>
        holdDeepAgent({
          name: "desk",
          model: new ScriptedModel(
            callsFor({
              "Open a ticket": [{ name: "ask_ticket", args: { subject: "Printer" } }],
              "Thank Ann": [delegate("general-purpose", "Write to Ann")],
              "Write to Ann": [
                { name: "send_email", args: { to: "ann@example.com", text: "Thank you" } },
              ],
            }),
          ),
          tools: [askTicket, sendEmail],
          holdpoint,
          interruptOn: { ask_ticket: false, send_email: true },
        }),
    },
  },
});
