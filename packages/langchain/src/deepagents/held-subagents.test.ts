import { createDeepAgent } from "deepagents";
import { createAgent, createMiddleware, tool } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { humanInTheLoopMiddleware } from "../gate/human-in-the-loop.ts";
import { holdAgent } from "../hold-agent.ts";
import { ScriptedModel } from "../testing/scripted-model.ts";
import { callsFor, delegate } from "../testing/scripted-tasks.ts";
import {
  type AnyHeldSubAgent,
  holdDeepAgent,
  type HoldDeepAgentParams,
} from "./hold-deep-agent.ts";
import {
  memory,
  only,
  openOnDisk,
  payTool,
  type Place,
  places,
  stockGate,
  talkTo,
} from "./set-up.ts";

const script = callsFor({
  "Let the clerk pay.": [delegate("clerk", "pay")],
  pay: [{ name: "pay", args: { amount: 1 } }],
});
const model = new ScriptedModel(script);
const clerk = { name: "clerk", description: "pays", systemPrompt: "You pay." };

function lead(
  place: Place,
  ran: number[],
  subagent: AnyHeldSubAgent,
  params: Partial<HoldDeepAgentParams> = {},
) {
  return talkTo(
    holdDeepAgent({
      ...place,
      model,
      name: "lead",
      tools: [payTool(ran)],
      interruptOn: { pay: true },
      subagents: [subagent],
      ...params,
    }),
  );
}

const refusedFor = (key: string) =>
  expect.objectContaining({ code: "config_invalid", details: { key } });

describe.each(places)("subagents on $place", ({ open }) => {
  test("H33: a subagent that is built already runs free in stock; here it is gated or refused", async () => {
    const free: number[] = [];
    const stock = talkTo(
      createDeepAgent({
        ...memory(),
        model,
        interruptOn: { pay: true },
        subagents: [{ ...clerk, runnable: createAgent({ model, tools: [payTool(free)] }) }],
      }),
    );
    await stock.ask("Let the clerk pay.");
    expect(free).toEqual([1]); // nobody was asked

    const ran: number[] = [];
    const place = await open();
    const built = createAgent({ model, tools: [payTool(ran)] });
    expect(() => lead(place, ran, { ...clerk, runnable: built })).toThrow(
      refusedFor("subagents.clerk"),
    );
    const { holdpoint } = place;
    const gate = humanInTheLoopMiddleware({
      interruptOn: { pay: true },
      ...(holdpoint === undefined ? {} : { holdpoint }),
    });
    const gated = createAgent({ model, tools: [payTool(ran)], middleware: [gate], name: "clerk" });
    const agent = lead(place, ran, { ...clerk, runnable: gated });
    const asked = only(await agent.ask("Let the clerk pay."));
    expect(asked.value).toMatchObject({ agentPath: ["lead", "clerk"] });
    expect(ran).toEqual([]);
    await agent.approve();
    expect(ran).toEqual([1]);
  });

  test("H35: a subagent with a gate of its own clashes in stock; here the two become one", async () => {
    expect(() =>
      createDeepAgent({
        ...memory(),
        model,
        interruptOn: { pay: true },
        subagents: [{ ...clerk, middleware: [stockGate({ pay: true })] }],
      }),
    ).toThrow("defined multiple times");

    for (const interruptOn of [{}, { pay: true }, { pay: false }, { other: true }]) {
      const ran: number[] = [];
      const middleware = [humanInTheLoopMiddleware({ interruptOn })];
      const agent = lead(await open(), ran, { ...clerk, middleware });
      expect(only(await agent.ask("Let the clerk pay.")).value).toMatchObject({ name: "pay" });
      await agent.approve();
      expect(ran).toEqual([1]);
    }
  });

  test("a deep agent of ours inside another one asks through the whole chain", async () => {
    const ran: number[] = [];
    const place = await open();
    const inner = holdDeepAgent({
      ...place,
      name: "office",
      model: new ScriptedModel(
        callsFor({
          go: [delegate("clerk", "pay")],
          pay: [{ name: "pay", args: { amount: 1 } }],
        }),
      ),
      tools: [payTool(ran)],
      interruptOn: { pay: true },
      subagents: [clerk],
    });
    const outer = talkTo(
      holdDeepAgent({
        ...place,
        name: "lead",
        model: new ScriptedModel(callsFor({ "Have it done.": [delegate("back-office", "go")] })),
        subagents: [{ name: "back-office", description: "does it", runnable: inner }],
      }),
    );
    const asked = only(await outer.ask("Have it done."));
    expect(asked.value).toMatchObject({
      agent: "office/clerk",
      agentPath: ["lead", "back-office", "clerk"],
      parentCall: { toolCallId: "go-0", name: "task" },
      askedFor: "Have it done.",
    });
    expect((await outer.approve()).waiting).toEqual([]);
    expect(ran).toEqual([1]);
  });

  test("a subagent's own interruptOn replaces the agent's, as in deepagents; what it leaves out asks as unlisted", async () => {
    const ran: number[] = [];
    const agent = lead(await open(), ran, { ...clerk, interruptOn: { other: true } });
    const asked = only(await agent.ask("Let the clerk pay."));
    expect(asked.value).toMatchObject({ actionRequests: [{ rule: "unlisted" }] });
    const freed = lead(await open(), ran, { ...clerk, interruptOn: { pay: false } });
    expect((await freed.ask("Let the clerk pay.")).waiting).toEqual([]);
    expect(ran).toEqual([1]);
  });

  test("a fork is held by a gate of its own, and the agent's middlewares stay behind it", async () => {
    const ran: number[] = [];
    const swapped: number[] = [];
    const swapping = createMiddleware({
      name: "Swapping",
      wrapToolCall: (request, handler) => handler({ ...request, tool: payTool(swapped) }),
    });
    const agent = lead(await open(), ran, { ...clerk, mode: "fork" }, { middleware: [swapping] });
    const asked = only(await agent.ask("Let the clerk pay."));
    expect(asked.value).toMatchObject({
      agentPath: ["lead", "clerk"],
      askedFor: "Let the clerk pay.",
    });
    await agent.approve();
    expect([ran, swapped]).toEqual([[1], []]);
  });
});

test("a tool that the agent's middleware brings into a fork goes by the fork's rules", async () => {
  const ran: number[] = [];
  const middleware = [createMiddleware({ name: "Bringing", tools: [payTool(ran)] })];
  const fork = { ...clerk, mode: "fork" as const, interruptOn: { pay: false } };
  const agent = lead(memory(), [], fork, { tools: [], middleware });
  expect((await agent.ask("Let the clerk pay.")).waiting).toEqual([]);
  expect(ran).toEqual([1]);
});

test("a built subagent of the same engine needs no words; one of another engine is refused", async () => {
  const [holdpoint, other] = [await openOnDisk(), await openOnDisk()];
  const ran: number[] = [];
  const runnable = holdAgent({
    model,
    tools: [payTool(ran)],
    holdpoint,
    interruptOn: { pay: true },
  });
  const agent = lead({ holdpoint }, ran, { ...clerk, runnable });
  await agent.ask("Let the clerk pay.");
  expect(ran).toEqual([]);
  await agent.approve();
  expect(ran).toEqual([1]);
  expect(() => lead({ holdpoint: other }, ran, { ...clerk, runnable })).toThrow(
    refusedFor("subagents.clerk"),
  );
});

test("a built subagent may be said to have its own gate, but only in words", () => {
  const runnable = createAgent({ model, tools: [] });
  const compiled = (ownGate: string) => ({ ...clerk, runnable, ownGate });
  expect(() =>
    lead(memory(), [], compiled("asks in the shop's own app before it pays")),
  ).not.toThrow();
  expect(() => lead(memory(), [], compiled(" "))).toThrow(refusedFor("subagents.clerk.ownGate"));
});

test("LangChain's own middleware is refused, because nobody can read its rules", () => {
  const middleware = [stockGate({ pay: true })];
  expect(() => lead(memory(), [], { ...clerk, middleware })).toThrow(
    refusedFor("subagents.clerk.middleware"),
  );
  expect(() => lead(memory(), [], clerk, { middleware })).toThrow(refusedFor("middleware"));
});

test("a gate among the agent's own middlewares becomes one with the agent's", async () => {
  const ran: number[] = [];
  const middleware = [humanInTheLoopMiddleware({ interruptOn: { pay: true } })];
  const agent = lead(memory(), ran, clerk, { interruptOn: { other: true }, middleware });
  expect(only(await agent.ask("pay")).value).toMatchObject({ name: "pay" });
  await agent.approve();
  expect(ran).toEqual([1]);
});

test("no tool of a held agent runs when somebody calls it outside the agent", async () => {
  const ran: number[] = [];
  const bringing = createMiddleware({ name: "Bringing", tools: [payTool(ran)] });
  const tools = [
    tool(async () => ran.push(0), { name: "note", description: "", schema: z.object({}) }),
  ];
  const { options } = holdDeepAgent({ ...memory(), model, tools, middleware: [bringing] });
  const all = [
    ...(options.tools ?? []),
    ...(options.middleware ?? []).flatMap((one) => one.tools ?? []),
  ];
  for (const name of ["note", "pay"]) {
    const found = all.find((one) => one["name"] === name) as { invoke: (args: object) => unknown };
    await expect(found.invoke({ amount: 1 })).rejects.toThrow("outside its agent");
  }
  expect(ran).toEqual([]);
});
