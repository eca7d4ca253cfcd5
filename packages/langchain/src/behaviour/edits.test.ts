import { isInvalidResume } from "@langchain/langgraph";
import { expect, test } from "vitest";
import { z } from "zod";
import { answerEach, refusalIn } from "./answer-each.ts";
import {
  cases,
  failureOf,
  heldAgent,
  notingTool,
  type Pending,
  sealedAgent,
  stockAgent,
  type TestAgent,
  turns,
  variants,
} from "./set-up.ts";

const script = turns([{ name: "a", args: { x: 1 } }]);
const approve = { type: "approve" };
const edit = (name: string, args: unknown) => ({ type: "edit", editedAction: { name, args } });
const tools = (ran: string[]) => ["a", "b"].map((name) => notingTool(name, ran, anX));
const anX = z.object({ x: z.number() });

/** An answer that is refused: nothing ran, and the same pause waits for the right one. */
async function expectRefusal(agent: TestAgent, answer: unknown, says: readonly string[]) {
  const before = await agent.onlyPending();
  const error = await failureOf(answerEach(agent, () => answer));
  expect(isInvalidResume(error)).toBe(true);
  const refusal = refusalIn(error);
  expect(refusal.code).toBe("edit_refused");
  for (const part of says) expect(refusal.message).toContain(part);
  expect(agent.ran).toEqual([]);
  expect((await agent.onlyPending()).id).toBe(before.id);
  return refusal;
}

async function expectRightAnswerWorks(agent: TestAgent) {
  await answerEach(agent, () => edit("a", { x: 5 }));
  expect(agent.ran).toEqual(['a {"x":5}']);
  expect(await agent.dangling()).toEqual([]);
}

test("H21: stock lets an edit move a call to a tool for which approval is not even allowed", async () => {
  const interruptOn = { a: true, b: { allowedDecisions: ["reject" as const] } };
  const stock = stockAgent({ interruptOn }, { script });
  await stock.ask();
  await stock.answer(edit("b", { x: 9 }));
  expect(stock.ran).toEqual(['b {"x":9}']);
});

test.each(cases)(
  "H21, F26: an edit to another tool is refused, and the right answer still works ($variant, $mode)",
  async ({ open, mode }) => {
    const interruptOn = { a: true, b: { allowedDecisions: ["reject" as const] } };
    const ours = heldAgent(await open(), { interruptOn, interruptMode: mode }, { script });
    await ours.ask();
    await expectRefusal(ours, edit("b", { x: 9 }), ["a into b"]);
    await expectRightAnswerWorks(ours);
  },
);

test("H22: stock accepts an edit to a tool that does not exist, and only the model hears of it", async () => {
  for (const name of ["nowhere", ""]) {
    const stock = stockAgent({ interruptOn: { a: true } }, { script });
    await stock.ask();
    await stock.answer(edit(name, { x: 9 }));
    expect((await stock.toolMessages())[0]?.text).toBe(
      `Error: ${name} is not a valid tool, try one of [a, b, c].`,
    );
    expect(await stock.pending()).toEqual([]);
  }
});

test.each(cases)(
  "H22: an edit to an unregistered tool is refused and the tools are listed ($variant, $mode)",
  async ({ open, mode }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script },
    );
    await ours.ask();
    await expectRefusal(ours, edit("nowhere", { x: 9 }), ["nowhere", "a, b, c"]);
    await expectRightAnswerWorks(ours);
  },
);

test.each(cases)(
  "H22: an edit without a tool name is refused with the stock text ($variant, $mode)",
  async ({ open, mode }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script },
    );
    await ours.ask();
    const error = await failureOf(
      answerEach(ours, () => ({ type: "edit", editedAction: { args: {} } })),
    );
    expect(isInvalidResume(error)).toBe(true);
    expect(refusalIn(error).message).toContain(
      'Invalid edited action for tool "a": name must be a string',
    );
    await expectRightAnswerWorks(ours);
  },
);

const wrongArgs: readonly (readonly [string, unknown])[] = [
  ["of the wrong type", { x: "nine" }],
  ["with a part missing", {} as Record<string, unknown>],
  ["that are a list", []],
];

test.each(wrongArgs)(
  "H23: stock hands edited args %s to the model, with paths of the server",
  async (_, args) => {
    const stock = stockAgent({ interruptOn: { a: true } }, { script, tools: tools([]) });
    await stock.ask();
    await stock.answer(edit("a", args));
    const [result] = await stock.toolMessages();
    expect(result?.status).toBe("error");
    expect(result?.text).toMatch(/ at .*node_modules/);
    expect(await stock.pending()).toEqual([]);
  },
);

const bounded = {
  type: "object",
  properties: { x: { type: "number", maximum: 5 } },
  required: ["x"],
};

test("H23: stock runs an edit that violates argsSchema", async () => {
  const interruptOn = { a: { allowedDecisions: ["edit" as const], argsSchema: bounded } };
  const stock = stockAgent({ interruptOn }, { script });
  await stock.ask();
  await stock.answer(edit("a", { x: 9 }));
  expect(stock.ran).toEqual(['a {"x":9}']);
});

test.each(cases.flatMap((one) => wrongArgs.map(([what, args]) => ({ ...one, what, args }))))(
  "H23: edited args $what are refused, without paths ($variant, $mode)",
  async ({ open, mode, args }) => {
    const ran: string[] = [];
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script, ran, tools: tools(ran) },
    );
    await ours.ask();
    const before = await ours.onlyPending();
    const error = await failureOf(answerEach(ours, () => edit("a", args)));
    expect(isInvalidResume(error)).toBe(true);
    expect(refusalIn(error).message).not.toMatch(/node_modules|file:|\n\s+at /);
    expect(ran).toEqual([]);
    expect((await ours.onlyPending()).id).toBe(before.id);
    await expectRightAnswerWorks(ours);
  },
);

test.each(cases)(
  "H23: an edit that violates argsSchema is refused and the place is named ($variant, $mode)",
  async ({ open, mode }) => {
    const interruptOn = { a: { allowedDecisions: ["edit" as const], argsSchema: bounded } };
    const ours = heldAgent(await open(), { interruptOn, interruptMode: mode }, { script });
    await ours.ask();
    await expectRefusal(ours, edit("a", { x: 9 }), ['"x"', "5"]);
    await expectRightAnswerWorks(ours);
  },
);

test.each(cases)(
  "H23: what fits argsSchema and not the tool's own schema is refused too ($variant, $mode)",
  async ({ open, mode }) => {
    const loose = { type: "object", properties: { x: { maximum: 5 } } };
    const interruptOn = { a: { allowedDecisions: ["edit" as const], argsSchema: loose } };
    const ran: string[] = [];
    const ours = heldAgent(
      await open(),
      { interruptOn, interruptMode: mode },
      { script, ran, tools: tools(ran) },
    );
    await ours.ask();
    await expectRefusal(ours, edit("a", { x: "nine" }), ['"x"']);
    await expectRightAnswerWorks(ours);
  },
);

test.each(cases)(
  "H23: a malformed call of the model itself goes back to it without paths, and nobody is asked ($variant, $mode)",
  async ({ open, mode }) => {
    const ran: string[] = [];
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script: turns([{ name: "a", args: { x: "nine" } }]), ran, tools: tools(ran) },
    );
    await ours.ask();
    expect(await ours.pending()).toEqual([]);
    const [result] = await ours.toolMessages();
    expect(result?.status).toBe("error");
    expect(result?.text).not.toMatch(/node_modules|file:|\n\s+at /);
    expect(ran).toEqual([]);
  },
);

test.each(variants.slice(-1))(
  "H21, H22, H23: under holdAgent such edits are refused too ($variant)",
  async ({ open }) => {
    const ran: string[] = [];
    const ours = sealedAgent(
      await open(),
      { interruptOn: { a: true, b: true } },
      { script, ran, tools: tools(ran) },
    );
    await ours.ask();
    await expectRefusal(ours, edit("b", { x: 9 }), ["a into b"]);
    await expectRefusal(ours, edit("nowhere", { x: 9 }), ["a, b"]);
    await expectRefusal(ours, edit("a", { x: "nine" }), ['"x"']);
    await answerEach(ours, () => approve);
    expect(ran).toEqual(['a {"x":1}']);
  },
);

// The engine's record says what was proposed; without one, the pause itself still does.
test.each(cases)(
  "H23: after a refused edit the pause shows the call as the model proposed it ($variant, $mode)",
  async ({ open, mode }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script },
    );
    await ours.ask();
    await failureOf(answerEach(ours, () => edit("b", { x: 9 })));
    const { value }: Pending = await ours.onlyPending();
    expect(value["actionRequests"]).toMatchObject([{ name: "a", args: { x: 1 } }]);
  },
);
