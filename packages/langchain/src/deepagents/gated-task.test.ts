import { describe, expect, test } from "vitest";
import { ScriptedModel } from "../testing/scripted-model.ts";
import { callsFor, delegate } from "../testing/scripted-tasks.ts";
import { holdDeepAgent } from "./hold-deep-agent.ts";
import { only, openOnDisk, payTool, type Place, places, talkTo } from "./set-up.ts";

const script = callsFor({
  "Let the clerk pay.": [delegate("clerk", "pay twice")],
  "pay twice": [
    { name: "pay", args: { amount: 1 } },
    { name: "pay", args: { amount: 2 } },
  ],
});

const clerk = { name: "clerk", description: "pays", systemPrompt: "You pay." };

function delegating(place: Place) {
  const ran: number[] = [];
  const model = new ScriptedModel(script);
  const agent = holdDeepAgent({
    ...place,
    name: "lead",
    model,
    tools: [payTool(ran)],
    subagents: [clerk],
    interruptOn: { pay: true, task: { allowedDecisions: ["approve", "reject"] } },
  });
  return { ran, model, ...talkTo(agent) };
}

const approve = { decisions: [{ type: "approve" }] };

describe.each(places)("a held delegation on $place", ({ open }) => {
  test("waits before its subagent starts, and goes on whenever its subagent is answered", async () => {
    const agent = delegating(await open());
    const first = only(await agent.ask("Let the clerk pay."));
    expect(first.value).toMatchObject({ name: "task", agent: "lead" });
    expect(agent.model.asked).toHaveLength(1); // the subagent has not spoken
    const paused = await agent.approve();
    expect(paused.waiting.map(({ value }) => value["agent"])).toEqual(["lead/clerk", "lead/clerk"]);
    const [one, two] = paused.waiting;
    const left = await agent.resume({ [two?.id ?? ""]: approve });
    expect(agent.ran).toEqual([2]);
    const done = await agent.resume({ [only(left).id]: approve });
    expect(only(left).id).toBe(one?.id);
    expect(done.waiting).toEqual([]);
    expect(done.results).toEqual(["done"]);
    expect(agent.ran).toEqual([2, 1]);
  });

  test("a rejected delegation never starts its subagent", async () => {
    const agent = delegating(await open());
    await agent.ask("Let the clerk pay.");
    const { waiting, results } = await agent.resume({
      decisions: [{ type: "reject", message: "do it yourself" }],
    });
    expect(waiting).toEqual([]);
    expect(results[0]).toContain("do it yourself");
    expect(agent.ran).toEqual([]);
  });
});

test("its permit is suspended while the subagent waits, and closed once", async () => {
  const holdpoint = await openOnDisk();
  const agent = delegating({ holdpoint });
  await agent.ask("Let the clerk pay.");
  const permits = async () => {
    const { reviews } = await holdpoint.reviews.list({
      status: "settled",
      order: "oldest",
      limit: 9,
    });
    return reviews.flatMap(({ actions }) => actions.map(({ name, permit }) => [name, permit]));
  };
  const paused = await agent.approve();
  expect(await permits()).toEqual([["task", "suspended"]]);
  const resume = Object.fromEntries(paused.waiting.map(({ id }) => [id, approve]));
  await agent.resume(resume);
  expect(await permits()).toEqual([
    ["task", "succeeded"],
    ["pay", "succeeded"],
    ["pay", "succeeded"],
  ]);
});
