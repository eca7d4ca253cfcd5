import { StateSchema } from "@langchain/langgraph";
import { FilesystemBackend } from "deepagents";
import { createMiddleware, toolStrategy } from "langchain";
import { expect, expectTypeOf, test } from "vitest";
import { z } from "zod";
import { resumeThread } from "../run/resume-thread.ts";
import { ScriptedModel } from "../testing/scripted-model.ts";
import { callsFor } from "../testing/scripted-tasks.ts";
import { type HeldPermission, holdDeepAgent } from "./hold-deep-agent.ts";
import { memory, payTool } from "./set-up.ts";

const model = new ScriptedModel(callsFor({}));
const config = { configurable: { thread_id: "t" } };

test("what somebody writes for createDeepAgent compiles, and keeps its types", async () => {
  const agent = holdDeepAgent({
    ...memory(),
    model,
    name: "lead",
    tools: [payTool([])],
    systemPrompt: "You pay.",
    backend: new FilesystemBackend({ rootDir: ".", virtualMode: true }),
    stateSchema: new StateSchema({ author: z.string().default("me") }),
    contextSchema: z.object({ userId: z.string() }),
    responseFormat: toolStrategy(z.object({ paid: z.boolean() })),
    middleware: [createMiddleware({ name: "Mine", beforeModel: () => undefined })],
    interruptOn: { pay: { allowedDecisions: ["approve", "reject"], description: "Money." } },
    permissions: [{ operations: ["read", "write"], paths: ["/secrets/**"], mode: "deny" }],
    subagents: [{ name: "clerk", description: "pays", systemPrompt: "You pay.", tools: [] }],
  });
  const turn = () =>
    agent.invoke({ messages: [["human", "hi"]] }, { ...config, context: { userId: "ann" } });
  expectTypeOf<Awaited<ReturnType<typeof turn>>["structuredResponse"]>().toEqualTypeOf<{
    paid: boolean;
  }>();
  const { messages } = await turn();
  expectTypeOf(messages[0]?.text).toEqualTypeOf<string | undefined>();
  expect(messages.at(-1)?.text).toBe("done");
});

test("an agent without a schema needs no context, and is resumed with its own type of state", async () => {
  const agent = holdDeepAgent({ ...memory(), model });
  const { messages } = await agent.invoke({ messages: [["human", "hi"]] }, config);
  expect(messages.at(-1)?.text).toBe("done");
  const resumed = () => resumeThread(agent, config, {});
  expectTypeOf<Awaited<ReturnType<typeof resumed>>["messages"]>().toEqualTypeOf<typeof messages>();
});

test("wrong names and modes do not compile", () => {
  const ask = { operations: ["write" as const], paths: ["/x"], mode: "ask" as const };
  // @ts-expect-error there is no such mode
  const permission: HeldPermission = ask;
  expect(() => holdDeepAgent({ ...memory(), model, permissions: [permission] })).toThrow("mode");
  expect(() =>
    // @ts-expect-error it is called interruptOn
    holdDeepAgent({ ...memory(), model, interrupt_on: { pay: true } }),
  ).toThrow("did you mean interruptOn?");
  expect(() =>
    // @ts-expect-error there is no such mode of the gate
    holdDeepAgent({ ...memory(), model, interruptMode: "batch" }),
  ).toThrow("interruptMode");
});
