import { createDeepAgent } from "deepagents";
import { tool } from "langchain";
import { z } from "zod";
import { humanInTheLoopMiddleware } from "../gate/human-in-the-loop.ts";
import type { ScriptedModel } from "../testing/scripted-model.ts";

const pay = tool(async ({ amount }) => `paid ${amount}`, {
  name: "pay",
  description: "pays",
  schema: z.object({ amount: z.number() }),
});

/** A stock deep agent behind our drop-in: it files, delegates to a clerk, and pays when a person has approved. */
export function filingAgent(model: ScriptedModel): { readonly graph: object } {
  return createDeepAgent({
    model,
    tools: [pay],
    subagents: [{ name: "clerk", description: "writes", systemPrompt: "You write." }],
    middleware: [humanInTheLoopMiddleware({ interruptOn: { pay: true } })],
  } as unknown as Parameters<typeof createDeepAgent>[0]); // its types do not fit under our compiler settings
}
