import { AIMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { answerEach, type Request } from "./answer-each.ts";
import {
  cases,
  heldAgent,
  sealedAgent,
  stockAgent,
  type TestAgent,
  turns,
  variants,
} from "./set-up.ts";

const approve = { type: "approve" };
const reject = { type: "reject" };
const edit = { type: "edit", editedAction: { name: "a", args: { x: 9 } } };

const mixed = turns([
  { name: "c", args: { x: 1 } },
  { name: "a", args: { x: 2 } },
  { name: "b", args: { x: 3 } },
  { name: "a", args: { x: 4 } },
]);
const rules = { a: true, b: true };
const decideMixed = ({ name, args }: Request) =>
  name === "b" ? reject : args["x"] === 4 ? edit : approve;

/** The calls of the turn as they stand in history. */
async function callsIn(agent: TestAgent) {
  const turn = (await agent.messages()).find((one) => AIMessage.isInstance(one));
  return turn?.tool_calls ?? [];
}

async function expectEachCallToCount(agent: TestAgent) {
  const calls = await callsIn(agent);
  expect(calls.map((call) => call.name)).toEqual(["c", "a", "b", "a"]);
  const results = await agent.toolMessages();
  expect(results.map((one) => one.tool_call_id)).toEqual(calls.map((call) => call.id));
  expect(results.map((one) => one.status)).toEqual(["success", "success", "error", "success"]);
  expect(agent.ran.toSorted()).toEqual(['a {"x":2}', 'a {"x":9}', 'c {"x":1}']);
  expect(await agent.dangling()).toEqual([]);
  expect(await agent.pending()).toEqual([]);
}

test("H19: stock drops approved and edited calls beside a rejected one and leaves the free one dangling", async () => {
  const stock = stockAgent({ interruptOn: rules }, { script: mixed });
  await stock.ask();
  await answerEach(stock, decideMixed);
  expect(stock.ran).toEqual([]);
  expect((await callsIn(stock)).map((call) => call.name)).toEqual(["c", "b"]);
  expect(await stock.dangling()).toEqual([(await callsIn(stock))[0]?.id]);
});

test.each(cases)(
  "H19, F23: approved, edited and free calls run beside a rejected one, each with one result ($variant, $mode)",
  async ({ open, mode }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: rules, interruptMode: mode },
      { script: mixed },
    );
    await ours.ask();
    await answerEach(ours, decideMixed);
    await expectEachCallToCount(ours);
  },
);

test.each(variants.slice(-1))("H19: so it is under holdAgent ($variant)", async ({ open }) => {
  const interruptOn = { ...rules, c: false };
  const ours = sealedAgent(await open(), { interruptOn }, { script: mixed });
  await ours.ask();
  await answerEach(ours, decideMixed);
  await expectEachCallToCount(ours);
});

test.each(variants)(
  "H19: mixedDecisions legacy drops the siblings of a rejected call as stock does ($variant)",
  async ({ open }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: rules, mixedDecisions: "legacy" },
      { script: mixed },
    );
    await ours.ask();
    await answerEach(ours, decideMixed);
    expect(ours.ran).toEqual([]);
    expect((await callsIn(ours)).map((call) => call.name)).toEqual(["c", "b"]);
  },
);

const inOrder = turns([
  { name: "c", args: { x: 1 } },
  { name: "a", args: { x: 2 } },
  { name: "c", args: { x: 3 } },
  { name: "b", args: { x: 4 } },
]);

test("H20: stock puts the free calls first, in the message, in execution and in the results", async () => {
  const stock = stockAgent({ interruptOn: rules }, { script: inOrder });
  await stock.ask();
  await answerEach(stock, () => approve);
  const moved = ["c", "c", "a", "b"];
  expect((await callsIn(stock)).map((call) => call.name)).toEqual(moved);
  expect(stock.ran.map((one) => one[0])).toEqual(moved);
  expect((await stock.toolMessages()).map((one) => one.name)).toEqual(moved);
});

const modelsOrder = ["c", "a", "c", "b"];

test.each(cases)(
  "H20: the model's order stays in the message and in the results ($variant, $mode)",
  async ({ open, mode }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: rules, interruptMode: mode },
      { script: inOrder },
    );
    await ours.ask();
    await answerEach(ours, () => approve);
    expect((await callsIn(ours)).map((call) => call.name)).toEqual(modelsOrder);
    expect((await ours.toolMessages()).map((one) => one.name)).toEqual(modelsOrder);
    expect(ours.ran).toHaveLength(4);
  },
);

// In per_call mode a free call does not wait for the held one before it: that is what the mode is for.
test.each(variants)(
  "H20: batched calls start in the model's order ($variant)",
  async ({ open }) => {
    const ours = heldAgent(await open(), { interruptOn: rules }, { script: inOrder });
    await ours.ask();
    await answerEach(ours, () => approve);
    expect(ours.ran.map((one) => one[0])).toEqual(modelsOrder);
  },
);
