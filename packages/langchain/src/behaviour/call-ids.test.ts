import { AIMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { answerEach, heldCalls, type Request } from "./answer-each.ts";
import {
  cases,
  heldAgent,
  sealedAgent,
  stockAgent,
  type ScriptedCall,
  type TestAgent,
  turns,
  variants,
} from "./set-up.ts";

const call = (x: number, id: string | undefined): ScriptedCall => ({ name: "a", args: { x }, id });
const twins = turns([call(1, "1"), call(2, "1")]);
const nameless = turns([call(1, undefined), call(2, undefined)]);
const second = ({ args }: Request) => ({ type: args["x"] === 2 ? "reject" : "approve" });

async function callIds(agent: TestAgent): Promise<(string | undefined)[]> {
  const turn = (await agent.messages()).find((one) => AIMessage.isInstance(one));
  return (turn?.tool_calls ?? []).map((one) => one.id);
}

test("H27: stock gives two calls with one id one rejection, and runs neither", async () => {
  const stock = stockAgent({ interruptOn: { a: true } }, { script: twins });
  await stock.ask();
  await answerEach(stock, second);
  expect(stock.ran).toEqual([]);
  expect((await stock.toolMessages()).map((one) => one.tool_call_id)).toEqual(["1"]);
});

test('H27: stock answers a call without an id "with id undefined"', async () => {
  const stock = stockAgent({ interruptOn: { a: true } }, { script: nameless });
  await stock.ask();
  await answerEach(stock, () => ({ type: "reject" }));
  const [result] = await stock.toolMessages();
  expect(result?.text).toContain("with id undefined");
  expect(result?.tool_call_id).toBeUndefined();
});

const bad = [
  { kind: "the same id", script: twins },
  { kind: "no id", script: nameless },
];

test.each(cases.flatMap((one) => bad.map((each) => ({ ...one, ...each }))))(
  "H27: calls with $kind are asked about, decided and answered apart ($variant, $mode)",
  async ({ open, mode, script }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script },
    );
    await ours.ask();
    const held = await heldCalls(ours);
    expect(held.map(({ args }) => args["x"])).toEqual([1, 2]);
    expect(new Set(held.map(({ toolCallId }) => toolCallId)).size).toBe(2);
    await answerEach(ours, second);
    await expectApart(ours);
  },
);

async function expectApart(agent: TestAgent) {
  expect(agent.ran).toEqual(['a {"x":1}']);
  const ids = await callIds(agent);
  expect(ids.every((id) => typeof id === "string" && id !== "")).toBe(true);
  expect(new Set(ids).size).toBe(2);
  const results = await agent.toolMessages();
  expect(results.map((one) => one.tool_call_id)).toEqual(ids);
  expect(results.map((one) => one.status)).toEqual(["success", "error"]);
}

test.each(cases)(
  "H27: an id that an earlier turn has used names another call ($variant, $mode)",
  async ({ open, mode }) => {
    const script = turns([call(1, "1")], [call(2, "1")]);
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script },
    );
    await ours.ask();
    await answerEach(ours, second);
    expect(await heldCalls(ours)).toMatchObject([{ args: { x: 2 } }]);
    await answerEach(ours, second);
    expect(ours.ran).toEqual(['a {"x":1}']);
    const results = await ours.toolMessages();
    expect(results.map((one) => one.status)).toEqual(["success", "error"]);
  },
);

test.each(variants.slice(-1).flatMap((one) => bad.map((each) => ({ ...one, ...each }))))(
  "H27: so it is under holdAgent, with $kind ($variant)",
  async ({ open, script }) => {
    const ours = sealedAgent(await open(), { interruptOn: { a: true } }, { script });
    await ours.ask();
    await answerEach(ours, second);
    await expectApart(ours);
  },
);
