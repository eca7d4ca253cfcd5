import { isInvalidResume } from "@langchain/langgraph";
import { createDeepAgent } from "deepagents";
import { describe, expect, test } from "vitest";
import { refusalOf } from "@holdpoint/core";
import { ScriptedModel } from "../testing/scripted-model.ts";
import { callsFor, delegate } from "../testing/scripted-tasks.ts";
import { holdDeepAgent, type HoldDeepAgentParams } from "./hold-deep-agent.ts";
import { memory, only, payTool, type Place, places, talkTo } from "./set-up.ts";

const plan = {
  "Pay Ann.": [{ name: "pay", args: { amount: 1 } }],
  "Have it paid.": [delegate("general-purpose", "pay 2")],
  "Let the clerk pay.": [delegate("clerk", "pay 3")],
  "pay 2": [{ name: "pay", args: { amount: 2 } }],
  "pay 3": [{ name: "pay", args: { amount: 3 } }],
};

const clerk = { name: "clerk", description: "pays", systemPrompt: "You pay." };

function payer(place: Place, params: Partial<HoldDeepAgentParams> = {}) {
  const ran: number[] = [];
  const agent = holdDeepAgent({
    ...place,
    name: "lead",
    model: new ScriptedModel(callsFor(plan)),
    tools: [payTool(ran)],
    subagents: [clerk],
    interruptOn: { pay: true },
    ...params,
  });
  return { ran, ...talkTo(agent) };
}

const edit = { type: "edit", editedAction: { name: "pay", args: { amount: 9 } } };

/** The error under the errors that LangChain wraps around it. */
function rootOf(error: unknown): unknown {
  let root = error;
  while (refusalOf(root) === undefined && root instanceof Error && root.cause !== undefined)
    root = root.cause;
  return root;
}

describe.each(places)("a deep agent on $place", ({ open }) => {
  test.each([
    ["per_call", { name: "pay" }],
    ["batched", { actionRequests: [{ name: "pay" }] }],
  ] as const)(
    "%s: the agent, its general-purpose subagent and a declarative one are held alike",
    async (interruptMode, asked) => {
      for (const request of ["Pay Ann.", "Have it paid.", "Let the clerk pay."]) {
        const agent = payer(await open(), { interruptMode });
        expect(only(await agent.ask(request)).value).toMatchObject(asked);
        expect(agent.ran).toEqual([]);
        const { waiting } = await agent.approve();
        expect(waiting).toEqual([]);
        expect(agent.ran).toHaveLength(1);
      }
    },
  );

  test.each([
    ["approve", { type: "approve" }, [3]],
    ["edit", edit, [9]],
    ["reject", { type: "reject", message: "too much" }, []],
    ["respond", { type: "respond", message: "paid by hand" }, []],
  ])(
    "one answer at the top resumes the whole chain: %s inside a subagent",
    async (_name, decision, ran) => {
      const agent = payer(await open());
      await agent.ask("Let the clerk pay.");
      const { waiting, results } = await agent.resume({ decisions: [decision] });
      expect(waiting).toEqual([]);
      expect(agent.ran).toEqual(ran);
      expect(results).toEqual(["done"]);
    },
  );

  test("H36: an interrupt inside a subagent says which agent asks, through which call, on which thread", async () => {
    const stock = talkTo(
      createDeepAgent({
        ...memory(),
        name: "lead",
        model: new ScriptedModel(callsFor(plan)),
        tools: [payTool([])],
        subagents: [clerk],
        interruptOn: { pay: true },
      }),
    );
    const anonymous = only(await stock.ask("Let the clerk pay."));
    expect(JSON.stringify(anonymous.value)).not.toMatch(/clerk|lead|task|t1|"pay 3-0"/);

    const agent = payer(await open());
    const asked = only(await agent.ask("Let the clerk pay."));
    expect(asked.value).toMatchObject({
      agent: "lead/clerk",
      agentPath: ["lead", "clerk"],
      parentCall: { toolCallId: "Let the clerk pay.-0", name: "task" },
      toolCallId: "pay 3-0",
      threadId: "t1",
      askedFor: "Let the clerk pay.",
      actionRequests: [{ actionId: expect.stringMatching(/^act_/), toolCallId: "pay 3-0" }],
    });
    const main = payer(await open());
    expect(only(await main.ask("Pay Ann.")).value).not.toHaveProperty("agentPath");
  });

  test("a wrong answer inside a subagent changes nothing, and the right one still works", async () => {
    const stock = talkTo(
      createDeepAgent({
        ...memory(),
        model: new ScriptedModel(callsFor(plan)),
        tools: [payTool([])],
        subagents: [clerk],
        interruptOn: { pay: true },
      }),
    );
    await stock.ask("Let the clerk pay.");
    await expect(stock.resume({ type: "approve" })).rejects.toThrow("Invalid HITLResponse");
    await expect(stock.approve()).rejects.toThrow("Invalid HITLResponse"); // poisoned

    const agent = payer(await open());
    const asked = only(await agent.ask("Let the clerk pay."));
    const error = await agent.resume({ decisions: "yes" }).catch((reason: unknown) => reason);
    expect(isInvalidResume(error)).toBe(true);
    expect(refusalOf(rootOf(error))?.code).toBe("decision_invalid");
    expect(agent.ran).toEqual([]);
    const { waiting } = await agent.resume({ [asked.id]: { decisions: [{ type: "approve" }] } });
    expect(waiting).toEqual([]);
    expect(agent.ran).toEqual([3]);
  });
});

test("without a checkpointer the run fails before any tool has run, inside a subagent too", async () => {
  for (const request of ["Pay Ann.", "Have it paid.", "Let the clerk pay."]) {
    const agent = payer({});
    const error = await agent.ask(request).catch((reason: unknown) => reason);
    expect(refusalOf(rootOf(error))?.code).toBe("config_invalid");
    expect(agent.ran).toEqual([]);
  }
});

test("a resume of a thread that never ran, or of what was decided before, is refused at the top", async () => {
  const agent = payer(memory());
  const asked = only(await agent.ask("Let the clerk pay."));
  await agent.resume({ [asked.id]: { decisions: [{ type: "approve" }] } });
  await expect(
    agent.resume({ [asked.id]: { decisions: [{ type: "reject" }] } }),
  ).rejects.toMatchObject({ code: "already_decided" });
  await expect(payer(memory()).approve()).rejects.toMatchObject({ code: "thread_not_found" });
});
