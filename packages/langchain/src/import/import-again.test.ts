import { DatabaseSync } from "node:sqlite";
import { StringPromptValue } from "@langchain/core/prompt_values";
import { Annotation, Command, END, START, StateGraph } from "@langchain/langgraph";
import { MemorySaver } from "@langchain/langgraph-checkpoint";
import { newId } from "@holdpoint/engine";
import { expect, onTestFinished, test } from "vitest";
import { checkpointer } from "../checkpoints/checkpointer.ts";
import { asker, at, counter, historyOf } from "../testing/stock-graphs.ts";
import { open, stockSqlite, temporaryFile } from "../testing/stock-savers.ts";
import { importThreads } from "./import-threads.ts";

test("an import that was stopped is completed by the next one", async () => {
  const [stock, threadId] = [stockSqlite(), newId("thread")];
  const graph = counter(stock.saver);
  await graph.invoke({ n: 0 }, at(threadId));
  const path = temporaryFile();
  const engine = await open(`file:${path}`);
  const raw = new DatabaseSync(path, { timeout: 5000 });
  onTestFinished(() => raw.close());
  raw.exec(`CREATE TRIGGER full BEFORE INSERT ON checkpoints
    WHEN (SELECT count(*) FROM checkpoints) >= 3 BEGIN SELECT RAISE(ABORT, 'disk full'); END`);
  await expect(importThreads({ from: stock.address, engine })).rejects.toThrow("disk full");
  raw.exec("DROP TRIGGER full");
  const report = await importThreads({ from: stock.address, engine });
  expect(report).toMatchObject({ threads: 1, checkpoints: 4, known: 3 });
  expect(await historyOf(counter(checkpointer(engine)), threadId)).toEqual(
    await historyOf(graph, threadId),
  );
});

test("what the source has done since is added, and a question that was answered there is closed here", async () => {
  const [stock, engine, threadId] = [stockSqlite(), await open(), newId("thread")];
  const graph = asker(stock.saver);
  await graph.invoke({ n: 1 }, at(threadId));
  await importThreads({ from: stock.address, engine });
  expect(await engine.openReviewsOf(threadId)).toHaveLength(1);
  await graph.invoke(new Command({ resume: "blue" }), at(threadId));
  const report = await importThreads({ from: stock.address, engine });
  expect(report.left).toEqual([]);
  expect(await engine.openReviewsOf(threadId)).toEqual([]);
  expect(await historyOf(asker(checkpointer(engine)), threadId)).toEqual(
    await historyOf(graph, threadId),
  );
});

test("a thread that a server shall run has its agent, and a decision starts its run", async () => {
  const [stock, engine, threadId] = [stockSqlite(), await open(), newId("thread")];
  await asker(stock.saver).invoke({ n: 1 }, at(threadId));
  await importThreads({ from: stock.address, engine, agent: "asker" });
  expect(await engine.runs.thread(threadId)).toMatchObject({ agent: "asker" });
  const [review] = await engine.openReviewsOf(threadId);
  if (review === undefined) throw new Error("it waits");
  const decision = { type: "respond", message: "the red one" } as const;
  const decisions = review.actions.map(({ id }) => ({ actionId: id, decision }));
  await engine.decide({ reviewId: review.id, decisions, reviewer: { id: "anna", name: "Anna" } });
  expect(await engine.runs.active(threadId)).toMatchObject([{ status: "queued" }]);
});

test("a question that was answered before the import is history, and nobody is asked", async () => {
  const [stock, engine, threadId] = [stockSqlite(), await open(), newId("thread")];
  const graph = asker(stock.saver);
  await graph.invoke({ n: 1 }, at(threadId));
  await graph.invoke(new Command({ resume: "blue" }), at(threadId));
  expect(await importThreads({ from: stock.address, engine })).toMatchObject({ reviews: 0 });
  for (const status of ["open", "settled"] as const) {
    const { reviews } = await engine.reviews.list({ status, order: "newest", limit: 10 });
    expect(reviews).toEqual([]);
  }
});

test("pending writes keep the order that the source tells, also where it is not that of the ids", async () => {
  const [saver, engine] = [new MemorySaver(), await open()];
  const names = ["f", "e", "d", "c", "b", "a"] as const;
  const Said = Annotation.Root({
    said: Annotation<string[]>({ default: () => [], reducer: (all, more) => [...all, ...more] }),
  });
  const graph = new StateGraph(Said);
  for (const name of names)
    graph.addNode(name, () => ({ said: [name] })).addEdge(START, name as typeof START);
  await graph.compile({ checkpointer: saver }).invoke({ said: [] }, at("t"));
  await importThreads({ from: saver, engine });
  let sorted = 0;
  for await (const { config, pendingWrites = [] } of saver.list(at("t"))) {
    expect((await checkpointer(engine).getTuple(config))?.pendingWrites).toEqual(pendingWrites);
    const ids = pendingWrites.map(([taskId]) => taskId);
    if (JSON.stringify(ids) === JSON.stringify(ids.toSorted())) sorted += 1;
  }
  expect(sorted).toBeLessThan(3); // else this shows nothing: six ids are in order once in 720 times
});

test("a thread that has gone on here is not mixed with what the source has done since", async () => {
  const [stock, engine, threadId] = [stockSqlite(), await open(), newId("thread")];
  await counter(stock.saver).invoke({ n: 4 }, at(threadId));
  await importThreads({ from: stock.address, engine });
  await counter(checkpointer(engine)).invoke({ n: 3 }, at(threadId));
  const here = await historyOf(counter(checkpointer(engine)), threadId);
  expect(await importThreads({ from: stock.address, engine })).toMatchObject({ left: [] });
  await counter(stock.saver).invoke({ n: 2 }, at(threadId));
  const { left } = await importThreads({ from: stock.address, engine });
  expect(left).toHaveLength(1);
  expect(left[0]?.because).toMatch(/^Thread thread_\S+ stays where it is: here it has gone on/);
  expect(await historyOf(counter(checkpointer(engine)), threadId)).toEqual(here);
});

test("a thread that cannot be moved whole stays, with one sentence, and the others are moved", async () => {
  const engine = await open();
  const saver = new MemorySaver();
  const Odd = Annotation.Root({ odd: Annotation<unknown>() });
  const odd = new StateGraph(Odd)
    .addNode("fine", () => ({}))
    .addNode("make", () => ({ odd: new StringPromptValue("hello") }))
    .addEdge(START, "fine")
    .addEdge("fine", "make")
    .addEdge("make", END)
    .compile({ checkpointer: saver });
  await odd.invoke({ odd: "nothing yet" }, at("odd"));
  await counter(saver).invoke({ n: 0 }, at("even"));
  const report = await importThreads({ from: saver, engine });
  expect(report).toMatchObject({ threads: 1, left: [{ threadId: "odd" }] });
  const id = (await odd.getState(at("odd"))).config.configurable?.["checkpoint_id"] as string;
  expect(report.left[0]?.because).toContain("Thread odd stays where it is: its checkpoint");
  expect(report.left[0]?.because).toContain(id);
  expect(report.left[0]?.because).toContain('channel "odd" holds an instance of StringPromptValue');
  expect(await engine.checkpoints.list({ threadId: "odd" })).toEqual([]);
  expect(await historyOf(counter(checkpointer(engine)), "even")).toEqual(
    await historyOf(counter(saver), "even"),
  );
});

test("what is no database of a stock saver is refused by name", async () => {
  const engine = await open();
  const own = temporaryFile();
  await open(`file:${own}`);
  await expect(importThreads({ from: own, engine })).rejects.toThrow(
    "has no tables of LangGraph's",
  );
  await expect(importThreads({ from: "/nowhere/at/all.db", engine })).rejects.toThrow(
    "There is no database at /nowhere/at/all.db",
  );
});
