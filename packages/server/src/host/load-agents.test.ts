import { createAgent } from "langchain";
import { MemorySaver } from "@langchain/langgraph";
import { callsOnce, ScriptedModel } from "@holdpoint/langchain/testing";
import { expect, test } from "vitest";
import type { AgentConfig } from "../config/config.ts";
import { hello, startForTest } from "../testing/conversation.ts";

const model = () => new ScriptedModel(callsOnce());
const forgotten = (() => undefined) as unknown as AgentConfig["create"]; // JavaScript has no types

test.each<readonly [string, AgentConfig["create"], string]>([
  ["whose create() returns nothing", forgotten, "returned no agent"],
  ["without a checkpointer", () => createAgent({ model: model(), tools: [] }), "in Holdpoint"],
  [
    "with another checkpointer",
    () => createAgent({ model: model(), tools: [], checkpointer: new MemorySaver() }),
    "in Holdpoint",
  ],
])(
  "an agent %s is named at the start, and no run waits for it (T9)",
  async (_name, create, why) => {
    const one = await startForTest({ create });
    expect(one.server.problems).toEqual([
      expect.stringMatching(/^The agent "writer" could not be loaded: /),
    ]);
    expect(one.server.problems[0]).toContain(why);
    const refused = await one.command("t1", "run.start", hello("m1"));
    expect(refused.body).toMatchObject({ type: "error", message: one.server.problems[0] });
  },
);
