import { holdAgent } from "@holdpoint/langchain";
import { defineConfig } from "@holdpoint/server";
import { tool } from "langchain";
import { z } from "zod";

const refund = tool(({ order, amount }) => `Paid ${amount} back on order ${order}.`, {
  name: "refund",
  description: "Pays money back on an order.",
  schema: z.object({ order: z.string(), amount: z.number() }),
});

export default defineConfig({
  agents: {
    support: {
      title: { en: "Support", "zh-CN": "客服" },
      create: ({ holdpoint }) =>
        holdAgent({
          name: "support",
          model: "openai:gpt-5",
          tools: [refund],
          interruptOn: { refund: true },
          holdpoint,
        }),
    },
  },
});
