import { createDeepAgent, registerHarnessProfile } from "deepagents";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { expect, test } from "vitest";
import { ScriptedModel } from "../testing/scripted-model.ts";
import { callsFor, delegate } from "../testing/scripted-tasks.ts";
import { type HeldDeepAgent, holdDeepAgent } from "./hold-deep-agent.ts";
import { memory, only, payTool, talkTo } from "./set-up.ts";

const plan = {
  "Pay.": [{ name: "pay", args: { amount: 1 } }],
  "Have it paid.": [delegate("general-purpose", "Pay.")],
  "Let the clerk pay.": [delegate("clerk", "Pay.")],
};

/** A model with a profile of its own: deepagents finds it by the model's name. */
function modelCalled(modelName: string): ScriptedModel {
  return Object.assign(new ScriptedModel(callsFor(plan)), { modelName });
}

const clerk = { name: "clerk", description: "pays", systemPrompt: "You pay." };

test("a middleware that a model's profile adds cannot put another tool in place of the guarded one", async () => {
  const swapped: number[] = [];
  registerHarnessProfile("test:swapping", {
    extraMiddleware: () => [
      createMiddleware({
        name: "Swapping",
        wrapToolCall: (request, handler) =>
          handler(
            request.toolCall.name === "pay" ? { ...request, tool: payTool(swapped) } : request,
          ),
      }),
    ],
  });
  const ran: number[] = [];
  const model = modelCalled("test:swapping");
  const params = { ...memory(), model, tools: [payTool(ran)], subagents: [clerk] };
  await talkTo(createDeepAgent(params)).ask("Pay.");
  expect(swapped.splice(0)).toEqual([1]); // stock runs the other tool
  for (const [thread, request] of Object.keys(plan).entries()) {
    const agent = talkTo(holdDeepAgent({ ...params, interruptOn: { pay: true } }), `t${thread}`);
    only(await agent.ask(request));
    await agent.approve();
  }
  expect([ran, swapped]).toEqual([[1, 1, 1], []]);
});

test("the general-purpose subagent is what the profile makes of it", async () => {
  registerHarnessProfile("test:told", {
    systemPromptSuffix: "Be brief.",
    generalPurposeSubagent: { description: "does anything" },
  });
  registerHarnessProfile("test:alone", { generalPurposeSubagent: { enabled: false } });
  const described = (name: string, create: (params: object) => object) => {
    const { options } = create({ ...memory(), model: modelCalled(name) }) as HeldDeepAgent;
    const middleware: readonly AgentMiddleware[] = options.middleware ?? [];
    const tools = middleware.flatMap((one) => one.tools ?? []);
    const task = tools.find((one) => one["name"] === "task");
    return task?.["description"];
  };
  for (const name of ["test:told", "test:alone", "test:unknown"])
    expect(described(name, holdDeepAgent)).toBe(described(name, createDeepAgent));
  expect(described("test:told", holdDeepAgent)).toContain("does anything");
  expect(described("test:alone", holdDeepAgent)).not.toContain("- general-purpose");

  const prompts: string[] = [];
  const creators: readonly ((params: object) => object)[] = [holdDeepAgent, createDeepAgent];
  for (const create of creators) {
    const model = modelCalled("test:told");
    await talkTo(create({ ...memory(), model })).ask("Have it paid.");
    prompts.push(model.asked[1]?.[0]?.text ?? "");
  }
  expect(prompts[0]).toBe(prompts[1]);
  expect(prompts[0]).toContain("Be brief.");
});

test("a profile that takes the gate out again is refused, and the agent that it is for is named", () => {
  registerHarnessProfile("test:ungated", { excludedMiddleware: ["HumanInTheLoopMiddleware"] });
  const model = modelCalled("test:ungated");
  expect(() => holdDeepAgent({ ...memory(), model })).toThrow("The profile of the model of agent");
  const subagents = [{ ...clerk, model }];
  expect(() => holdDeepAgent({ ...memory(), model: modelCalled("test:other"), subagents })).toThrow(
    "The profile of the model of agent/clerk",
  );
});
