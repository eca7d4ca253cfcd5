import { setTimeout as sleep } from "node:timers/promises";
import { tool } from "langchain";
import type { Engine } from "@holdpoint/engine";
import { type HeldAgent, holdAgent } from "@holdpoint/langchain";
import { z } from "zod";
import { ScriptedModel } from "../../../packages/langchain/src/testing/scripted-model.ts";
import type { Orders } from "../journal.ts";
import { takeEffect } from "../take-effect.ts";
import type { Start } from "./thread-journal.ts";
import { type Mode, scriptOf } from "./thread-plan.ts";

const place = z.object({
  unit: z.number(),
  turn: z.number(),
  step: z.number(),
  index: z.number(),
  edited: z.boolean().optional(),
});

/** One of the agents of all threads: it looks when it wants to, and pays when a person has agreed. */
export function workingAgent(engine: Engine, mode: Mode, { seed, effects }: Orders): HeldAgent {
  const tools = (["pay", "look"] as const).map((name) =>
    tool(
      async ({ unit, index, edited = false }, { toolCallId }: { readonly toolCallId: string }) => {
        takeEffect(effects, { unit, name, toolCallId, edited } satisfies Start);
        await sleep(index); // something else happens meanwhile
        return `did ${name}`;
      },
      { name, description: `It does ${name}.`, schema: place },
    ),
  );
  return holdAgent({
    name: mode,
    model: new ScriptedModel(scriptOf(seed)),
    tools,
    holdpoint: engine,
    interruptMode: mode,
    interruptOn: { pay: true, look: false },
  });
}
