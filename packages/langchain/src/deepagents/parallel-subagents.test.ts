import { createDeepAgent } from "deepagents";
import { describe, expect, test } from "vitest";
import { ScriptedModel } from "../testing/scripted-model.ts";
import { callsFor, delegate } from "../testing/scripted-tasks.ts";
import { holdDeepAgent } from "./hold-deep-agent.ts";
import { memory, payTool, type Place, places, talkTo, type Turn } from "./set-up.ts";

const script = callsFor({
  "Pay both.": [delegate("clerk", "pay 1"), delegate("general-purpose", "pay 2")],
  "pay 1": [{ name: "pay", args: { amount: 1 } }],
  "pay 2": [{ name: "pay", args: { amount: 2 } }],
});

const clerk = { name: "clerk", description: "pays", systemPrompt: "You pay." };

function two(place: Place) {
  const ran: number[] = [];
  const model = new ScriptedModel(script);
  const agent = holdDeepAgent({
    ...place,
    name: "lead",
    model,
    tools: [payTool(ran)],
    subagents: [clerk],
    interruptOn: { pay: true },
  });
  return { ran, model, ...talkTo(agent) };
}

/** The interrupt that a subagent waits at. */
function waitingOf({ waiting }: Turn, subagent: string): string {
  const found = waiting.find(({ value }) =>
    (value["agentPath"] as string[] | undefined)?.includes(subagent),
  );
  if (found === undefined) throw new Error(`${subagent} does not wait`);
  return found.id;
}

const approve = { decisions: [{ type: "approve" }] };
const reject = { decisions: [{ type: "reject", message: "no" }] };

describe.each(places)("two subagents at once on $place", ({ open }) => {
  test("each is answered by its id, one after the other, and says which call it runs in", async () => {
    const agent = two(await open());
    const both = await agent.ask("Pay both.");
    expect(both.waiting.map(({ value }) => value["parentCall"])).toEqual([
      { toolCallId: "Pay both.-0", name: "task" },
      { toolCallId: "Pay both.-1", name: "task" },
    ]);
    const left = await agent.resume({ [waitingOf(both, "general-purpose")]: approve });
    expect(agent.ran).toEqual([2]);
    expect(left.waiting.map(({ id }) => id)).toEqual([waitingOf(both, "clerk")]);
    const done = await agent.resume({ [waitingOf(both, "clerk")]: reject });
    expect(done.waiting).toEqual([]);
    expect(done.results).toEqual(["done", "done"]);
    expect(agent.ran).toEqual([2]);
  });

  test("both are answered in one resume, each by its id", async () => {
    const agent = two(await open());
    const both = await agent.ask("Pay both.");
    const done = await agent.resume({
      [waitingOf(both, "clerk")]: approve,
      [waitingOf(both, "general-purpose")]: approve,
    });
    expect(done.waiting).toEqual([]);
    expect(agent.ran.toSorted((a, b) => a - b)).toEqual([1, 2]);
  });

  test("one answer without an id answers neither; stock runs both on it", async () => {
    const paid: number[] = [];
    const stock = talkTo(
      createDeepAgent({
        ...memory(),
        model: new ScriptedModel(script),
        tools: [payTool(paid)],
        subagents: [clerk],
        interruptOn: { pay: true },
      }),
    );
    await stock.ask("Pay both.");
    await stock.approve();
    expect(paid.toSorted((a, b) => a - b)).toEqual([1, 2]);

    const agent = two(await open());
    const both = await agent.ask("Pay both.");
    await expect(agent.resume(approve)).rejects.toThrow("answers none of them");
    expect(agent.ran).toEqual([]);
    await agent.resume({ [waitingOf(both, "clerk")]: approve });
    expect(agent.ran).toEqual([1]);
  });

  test("what a subagent did before it waited is not done again while it waits", async () => {
    const agent = two(await open());
    const both = await agent.ask("Pay both.");
    const asked = agent.model.asked.length;
    await agent.resume({ [waitingOf(both, "clerk")]: approve });
    // Only the answered subagent's model has spoken.
    expect(agent.model.asked.length - asked).toBe(1);
  });
});
