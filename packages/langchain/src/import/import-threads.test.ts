import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Command } from "@langchain/langgraph";
import type { BaseCheckpointSaver } from "@langchain/langgraph-checkpoint";
import { type Engine, newId } from "@holdpoint/engine";
import {
  type AgentMiddleware,
  createAgent,
  humanInTheLoopMiddleware as stockMiddleware,
  tool,
} from "langchain";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { startPostgres, type TestPostgres } from "../../../../test/harness/postgres.ts";
import { checkpointer } from "../checkpoints/checkpointer.ts";
import { humanInTheLoopMiddleware } from "../gate/human-in-the-loop.ts";
import { recordedVote } from "../pause/pause.ts";
import { callsOnce, ScriptedModel } from "../testing/scripted-model.ts";
import { asker, at, counter, historyOf } from "../testing/stock-graphs.ts";
import { open, type Stock, stockPostgres, stockSqlite } from "../testing/stock-savers.ts";
import { importThreads } from "./import-threads.ts";

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.stop());

/** Each stock saver, read as a checkpointer and as tables, into each database. */
const savers = [
  ["SqliteSaver", async () => stockSqlite()],
  ["PostgresSaver", () => stockPostgres(postgres.url)],
] as const;
const ways = savers.flatMap(([name, stock]) =>
  ["its interface", "its tables"].flatMap((by) =>
    ["SQLite", "Postgres"].map((to) => ({
      way: `${name} by ${by} into ${to}`,
      from: stock,
      by: ({ saver, address }: Stock) => (by === "its tables" ? address : saver),
      open: () => (to === "SQLite" ? open() : open(postgres.url)),
    })),
  ),
);

function payTool(ran: number[]) {
  return tool(
    ({ amount }) => {
      ran.push(amount);
      return `paid ${amount}`;
    },
    { name: "pay", description: "pays", schema: z.object({ amount: z.number() }) },
  );
}

const model = () => new ScriptedModel(callsOnce({ name: "pay", args: { amount: 7 } }));
const anna = { id: "anna", name: "Anna" };

function stockAgent(saver: BaseCheckpointSaver, ran: number[]) {
  return createAgent({
    model: model(),
    tools: [payTool(ran)],
    middleware: [stockMiddleware({ interruptOn: { pay: true } } as never) as AgentMiddleware], // LangChain's own types are at odds with each other
    checkpointer: saver,
  });
}

function textsOf(messages: readonly { readonly type: string; readonly text: string }[]) {
  return messages.map(({ type, text }) => `${type}: ${text}`);
}

describe.each(ways)("$way", ({ from, by, open: openTarget }) => {
  test("a paused agent waits in the inbox, and goes on with the answer that it would have got", async () => {
    const [stock, engine, threadId] = [await from(), await openTarget(), newId("thread")];
    const ran: number[] = [];
    await stockAgent(stock.saver, ran).invoke({ messages: [new HumanMessage("go")] }, at(threadId));
    const report = await importThreads({ from: by(stock), engine, threadId });
    expect(report).toMatchObject({ threads: 1, reviews: 1, known: 0, left: [] });
    expect(await engine.openReviewsOf(threadId)).toHaveLength(1);
    expect(ran).toEqual([]);
    const answer = new Command({ resume: { decisions: [{ type: "approve" }] } });
    const ours = await stockAgent(checkpointer(engine), ran).invoke(answer, at(threadId));
    expect(ran).toEqual([7]);
    const stocks = await stockAgent(stock.saver, []).invoke(answer, at(threadId));
    expect(textsOf(ours.messages)).toEqual(textsOf(stocks.messages));
    expect(ours.messages.filter((one) => ToolMessage.isInstance(one))).toHaveLength(1);
  });

  test("a call that our middleware held without an engine is decided in the inbox, and runs once", async () => {
    const [stock, engine, threadId] = [await from(), await openTarget(), newId("thread")];
    const ran: number[] = [];
    const agent = (saver: BaseCheckpointSaver, holdpoint?: Engine) =>
      createAgent({
        model: model(),
        tools: [payTool(ran)],
        middleware: [
          humanInTheLoopMiddleware({ interruptOn: { pay: true }, ...(holdpoint && { holdpoint }) }),
        ],
        checkpointer: saver,
      });
    await agent(stock.saver).invoke({ messages: [new HumanMessage("go")] }, at(threadId));
    await importThreads({ from: by(stock), engine, threadId });
    const [review] = await engine.openReviewsOf(threadId);
    if (review === undefined) throw new Error("it waits");
    const decisions = review.actions.map(({ id }) => ({
      actionId: id,
      decision: { type: "approve" } as const,
    }));
    await engine.decide({ reviewId: review.id, decisions, reviewer: anna });
    const resume = { [review.interruptId]: recordedVote };
    const again = agent(checkpointer(engine), engine);
    const { messages } = await again.invoke(new Command({ resume }), at(threadId));
    expect(ran).toEqual([7]);
    expect(messages.at(-1)?.text).toBe("done");
  });

  test("a long thread with a fork has the history that it had, and so has what is moved twice", async () => {
    const [stock, engine, threadId] = [await from(), await openTarget(), newId("thread")];
    const graph = counter(stock.saver);
    for (let turn = 0; turn < 6; turn += 1) await graph.invoke({ n: 0 }, at(threadId));
    const history: { config: object }[] = [];
    for await (const snapshot of graph.getStateHistory(at(threadId))) history.push(snapshot);
    const past = history[20];
    if (past === undefined) throw new Error("it is long");
    const fork = await graph.updateState(past.config, { said: ["another way"] }, "step");
    await graph.invoke(null, fork);
    const expected = await historyOf(graph, threadId);
    const first = await importThreads({ from: by(stock), engine, threadId });
    expect(first).toMatchObject({ checkpoints: expected.length, known: 0, reviews: 0 });
    const ours = counter(checkpointer(engine));
    expect(await historyOf(ours, threadId)).toEqual(expected);
    const second = await importThreads({ from: by(stock), engine, threadId });
    expect(second).toMatchObject({ checkpoints: 0, writes: 0, known: expected.length });
    expect(await historyOf(ours, threadId)).toEqual(expected);
    // The newest checkpoint is the fork's; what PostgresSaver makes of a fork by itself is its own affair.
    const { said } = (await ours.getState(at(threadId))).values as { said: readonly string[] };
    const more = await ours.invoke({ n: 4 }, at(threadId));
    expect(more).toEqual({ n: 5, said: [...said, expect.stringContaining("step 5") as string] });
  });

  test("a subgraph that waits is asked once, and goes on inside", async () => {
    const [stock, engine, threadId] = [await from(), await openTarget(), newId("thread")];
    await asker(stock.saver).invoke({ n: 1 }, at(threadId));
    await importThreads({ from: by(stock), engine, threadId });
    expect(await engine.openReviewsOf(threadId)).toHaveLength(1);
    const whole = { subgraphs: true };
    const ours = asker(checkpointer(engine));
    expect(await ours.getState(at(threadId), whole)).toEqual(
      await asker(stock.saver).getState(at(threadId), whole),
    );
    const answer = new Command({ resume: "the red one" }) as never; // for any graph
    const state = await ours.invoke(answer, at(threadId));
    expect(state).toMatchObject({ said: ["prepared", "heard the red one"] });
    expect(state).toEqual(await asker(stock.saver).invoke(answer, at(threadId)));
  });
});

test("a schema without the stock tables is refused by name", async () => {
  const elsewhere = { from: postgres.url, schema: "elsewhere", engine: await open() };
  await expect(importThreads(elsewhere)).rejects.toThrow('in its schema "elsewhere"');
});
