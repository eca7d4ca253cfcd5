import { interrupt } from "@langchain/langgraph";
import { tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { ScriptedModel } from "../testing/scripted-model.ts";
import { callsFor, delegate } from "../testing/scripted-tasks.ts";
import { holdDeepAgent } from "./hold-deep-agent.ts";
import { only, places, talkTo } from "./set-up.ts";

const model = new ScriptedModel(
  callsFor({
    "Let the clerk ask.": [delegate("clerk", "ask")],
    ask: [{ name: "ask", args: {} }],
  }),
);

test.each(places.filter(({ place }) => place !== "MemorySaver"))(
  "what a subagent's tool asks by itself says which agent asks, and through which call ($place)",
  async ({ open }) => {
    const place = await open();
    const ask = tool(() => `answered ${String(interrupt("Which colour?"))}`, {
      name: "ask",
      description: "asks",
      schema: z.object({}),
    });
    const agent = holdDeepAgent({
      ...place,
      model,
      name: "lead",
      tools: [ask],
      interruptOn: { ask: false },
      subagents: [{ name: "clerk", description: "asks", systemPrompt: "You ask." }],
    });
    const { id } = only(await talkTo(agent).ask("Let the clerk ask."));
    expect(await place.holdpoint?.findReviewOfInterrupt("t1", id)).toMatchObject({
      agentPath: ["lead", "clerk"],
      parentCall: { name: "task" },
      askedFor: "Let the clerk ask.",
      actions: [{ reasonCode: "question" }],
    });
  },
);
