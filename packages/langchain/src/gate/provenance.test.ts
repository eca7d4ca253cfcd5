import { MemorySaver } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import { createAgent, tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { memory, only, payTool, talkTo } from "../deepagents/set-up.ts";
import { ScriptedModel } from "../testing/scripted-model.ts";
import { callsFor, delegate } from "../testing/scripted-tasks.ts";
import { humanInTheLoopMiddleware } from "./human-in-the-loop.ts";
import type { WhenRequest } from "./interrupt-on.ts";

const plan = {
  "Ask the clerk.": [{ name: "ask_clerk", args: { what: "pay" } }],
  "Delegate.": [delegate("clerk", "pay")],
  pay: [{ name: "pay", args: { amount: 1 } }],
};
const model = new ScriptedModel(callsFor(plan));

test("an agent that is a tool of another one says through which call it was asked", async () => {
  const ran: number[] = [];
  const clerk = createAgent({
    model,
    name: "clerk",
    tools: [payTool(ran)],
    middleware: [humanInTheLoopMiddleware({ interruptOn: { pay: true }, agent: "clerk" })],
  });
  const askClerk = tool(
    async ({ what }, config) => {
      const { messages } = await clerk.invoke({ messages: [["human", what]] } as never, config);
      return messages.at(-1)?.text ?? "";
    },
    { name: "ask_clerk", description: "asks", schema: z.object({ what: z.string() }) },
  );
  for (const interruptMode of ["batched", "per_call"] as const) {
    const agent = createAgent({
      model,
      name: "lead",
      tools: [askClerk],
      checkpointer: new MemorySaver(),
      middleware: [humanInTheLoopMiddleware({ interruptMode, agent: "lead" })],
    });
    const talk = talkTo(agent);
    expect(only(await talk.ask("Ask the clerk.")).value).toMatchObject({
      agent: "clerk",
      agentPath: ["lead", "clerk"],
      parentCall: { toolCallId: "Ask the clerk.-0", name: "ask_clerk" },
      askedFor: "Ask the clerk.",
    });
    await talk.approve();
  }
  expect(ran).toEqual([1, 1]);
});

test("a subagent of deepagents goes by its name there, whatever its gate is called", async () => {
  const asked: WhenRequest["agent"][] = [];
  const when = ({ agent }: WhenRequest): boolean => {
    asked.push(agent);
    return true;
  };
  const gate = (agent?: string) =>
    humanInTheLoopMiddleware({
      interruptOn: { pay: { allowedDecisions: ["approve"], when } },
      ...(agent === undefined ? {} : { agent }),
    });
  const clerk = { name: "clerk", description: "pays", systemPrompt: "", middleware: [gate()] };
  const agent = createDeepAgent({
    ...memory(),
    model,
    name: "lead",
    tools: [payTool([])],
    middleware: [gate("lead")],
    subagents: [clerk],
  });
  const value = only(await talkTo(agent).ask("Delegate.")).value;
  expect(value).toMatchObject({ agentPath: ["lead", "clerk"], parentCall: { name: "task" } });
  expect(asked).toEqual([{ name: "agent", path: ["lead", "clerk"] }]);
});

test("two threads at once do not see each other's calls", async () => {
  const agent = createDeepAgent({
    ...memory(),
    model,
    tools: [payTool([])],
    middleware: [humanInTheLoopMiddleware({ interruptOn: { pay: true } })],
    subagents: [
      {
        name: "clerk",
        description: "pays",
        systemPrompt: "",
        middleware: [humanInTheLoopMiddleware({ interruptOn: { pay: true } })],
      },
    ],
  });
  const [inside, alone] = await Promise.all([
    talkTo(agent, "one").ask("Delegate."),
    talkTo(agent, "two").ask("pay"),
  ]);
  expect(only(inside).value).toHaveProperty("parentCall");
  expect(only(alone).value).not.toHaveProperty("parentCall");
  expect(only(alone).value).not.toHaveProperty("agentPath");
});
