import { holdAgent } from "@holdpoint/langchain";
import { ScriptedModel } from "@holdpoint/langchain/testing";
import { defineConfig } from "@holdpoint/server";
import { tool } from "langchain";
import { z } from "zod";
import { callsFor } from "../../../packages/langchain/src/testing/scripted-tasks.ts";

const refund = tool(({ amount }) => `Refunded ${amount}.`, {
  name: "refund",
  description: "Pays money back.",
  schema: z.object({ amount: z.number() }),
});

/** A shop whose refunds must be decided within some seconds. The model has a script. */
export default defineConfig({
  agents: {
    shop: {
      title: { en: "Shop", "zh-CN": "商店" },
      create: ({ holdpoint }) =>
        holdAgent({
          name: "shop",
          model: new ScriptedModel(
            callsFor({ "Refund order 7": [{ name: "refund", args: { amount: 40 } }] }),
          ),
          tools: [refund],
          holdpoint,
          interruptOn: { refund: { allowedDecisions: ["approve", "reject"], deadline: "4s" } },
        }),
    },
  },
});
