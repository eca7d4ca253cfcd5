import { interrupt, isInvalidResume, MemorySaver } from "@langchain/langgraph";
import { createMiddleware, tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { errorTable } from "@holdpoint/core";
import { repairThread, resumeThread } from "../index.ts";
import {
  cases,
  failureOf,
  heldAgent,
  refusalOfFailure,
  stockAgent,
  type Surroundings,
  turns,
} from "./set-up.ts";

/** Every kind of wrong answer to one held call of `a`, with the text LangChain gives for it. */
const wrongAnswers = [
  {
    wrong: "a bare list",
    value: [{ type: "approve" }],
    text: "Invalid HITLResponse: decisions must be a non-empty array",
  },
  {
    wrong: "a text",
    value: "yes",
    text: "Invalid HITLResponse: decisions must be a non-empty array",
  },
  { wrong: "true", value: true, text: "Invalid HITLResponse: decisions must be a non-empty array" },
  {
    wrong: "an empty object",
    value: {},
    text: "Invalid HITLResponse: decisions must be a non-empty array",
  },
  {
    wrong: "no decision",
    value: { decisions: [] },
    text: "Number of human decisions (0) does not match number of hanging tool calls (1).",
  },
  {
    wrong: "two decisions for one call",
    value: { decisions: [{ type: "approve" }, { type: "approve" }] },
    text: "Number of human decisions (2) does not match number of hanging tool calls (1).",
  },
  {
    wrong: "an unknown decision",
    value: { decisions: [{ type: "maybe" }] },
    text: `Unexpected human decision: {"type":"maybe"}. Decision type 'maybe' is not allowed for tool 'a'. Expected one of`,
  },
  {
    wrong: "null for a decision",
    value: { decisions: [null] },
    text: "Cannot read properties of null (reading 'type')",
  },
  {
    wrong: "an edit without a name",
    value: { decisions: [{ type: "edit", editedAction: { args: {} } }] },
    text: 'Invalid edited action for tool "a": name must be a string',
  },
  {
    wrong: "an edit without arguments",
    value: { decisions: [{ type: "edit", editedAction: { name: "a" } }] },
    text: 'Invalid edited action for tool "a": args must be an object',
  },
  {
    wrong: "a reason that is no text",
    value: { decisions: [{ type: "reject", message: 7 }] },
    text: 'Tool call response for "a" must be a string, got number',
  },
];

test.each(wrongAnswers)(
  "H1: LangChain's middleware repeats the error of $wrong for ever",
  async ({ value, text }) => {
    const stock = stockAgent({ interruptOn: { a: true } }, { script: turns([{ name: "a" }]) });
    await stock.ask();
    const { id } = await stock.onlyPending();
    const first = await failureOf(stock.resume(value));
    expect(first.message).toContain(text);
    expect(isInvalidResume(first)).toBe(false);
    expect((await failureOf(stock.answer({ type: "approve" }))).message).toContain(text);
    expect((await failureOf(stock.answerById(id, { type: "approve" }))).message).toContain(text);
    const state = await stock.state();
    expect(state.next).toEqual([]);
    expect(state.tasks.flatMap((task) => task.interrupts)).toHaveLength(1);
    expect(stock.ran).toEqual([]);
  },
);

/** LangChain's texts that are errors of JavaScript are not repeated. */
const usualTexts = new Map(
  wrongAnswers.filter(({ text }) => !text.startsWith("Cannot")).map((one) => [one.wrong, one.text]),
);

test.each(cases)(
  "H1: ours refuses a wrong answer, keeps nothing of it, and takes the right one ($variant, $mode)",
  async ({ open, mode }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script: turns([{ name: "a" }]) },
    );
    await ours.ask();
    const { id } = await ours.onlyPending();
    for (const { wrong, value } of wrongAnswers) {
      for (const answer of [value, { [id]: value }]) {
        const failure = await failureOf(ours.resume(answer));
        expect(failure.message, wrong).toContain(usualTexts.get(wrong) ?? "decision");
        expect(isInvalidResume(failure), wrong).toBe(true);
        const { code } = await refusalOfFailure(Promise.reject(failure));
        expect(errorTable[code], wrong).toBe(422);
        expect((await ours.onlyPending()).id, wrong).toBe(id);
      }
    }
    expect(ours.ran).toEqual([]);
    await ours.answer({ type: "approve" });
    expect(ours.ran).toEqual(["a {}"]);
    expect(await ours.dangling()).toEqual([]);
  },
);

test("H1: repairThread frees a thread under LangChain's middleware without asking the model again", async () => {
  const stock = stockAgent({ interruptOn: { a: true } }, { script: turns([{ name: "a" }]) });
  await stock.ask();
  await failureOf(stock.resume("yes"));
  await failureOf(stock.answer({ type: "approve" }));
  expect(await repairThread(stock.agent, stock.config)).toMatchObject({ repaired: true });
  await stock.agent.invoke(null, stock.config);
  expect(await stock.pending()).toHaveLength(1);
  expect(stock.model.asked).toHaveLength(1);
  await stock.answer({ type: "approve" });
  expect(stock.ran).toEqual(["a {}"]);
});

test.each(cases)(
  "H1: repairThread frees a thread that came with the old middleware ($variant, $mode)",
  async ({ open, mode }) => {
    const place = await open();
    const surroundings: Surroundings = {
      script: turns([{ name: "a" }]),
      saver: place.checkpointer,
    };
    const stock = stockAgent({ interruptOn: { a: true } }, surroundings);
    await stock.ask();
    await failureOf(stock.resume("yes"));
    const ours = heldAgent(place, { interruptOn: { a: true }, interruptMode: mode }, surroundings);
    expect(await repairThread(ours.agent, ours.config)).toMatchObject({ repaired: true });
    await ours.agent.invoke(null, ours.config);
    const { id } = await ours.onlyPending();
    await ours.answerById(id, { type: "approve" });
    expect(ours.ran).toEqual(["a {}"]);
    expect(await ours.dangling()).toEqual([]);
  },
);

/** The way around H1 that people write: ask again until the answer is valid. */
const asksUntilValid = createMiddleware({
  name: "AsksUntilValid",
  afterModel: async () => {
    for (;;) {
      const answer = interrupt("approve?");
      if (answer === "approve") return;
    }
  },
});

test("H2: under LangGraph the id of an earlier round still answers the round that waits", async () => {
  // LangChain's own middleware asks once and never again (H1), so a hook that asks again shows it.
  const stock = stockAgent(
    {},
    { script: turns([{ name: "a" }]), after: [asksUntilValid], saver: new MemorySaver() },
  );
  await stock.ask();
  const first = await stock.onlyPending();
  await stock.resume({ [first.id]: "what?" });
  expect((await stock.onlyPending()).id).not.toBe(first.id);
  await stock.resume({ [first.id]: "approve" });
  expect(stock.ran).toEqual(["a {}"]);
});

test.each(cases)(
  "H2: ours gives an answer under an earlier id to nobody, and names the id that waits ($variant, $mode)",
  async ({ open, mode }) => {
    const answers: unknown[] = [];
    const asking = tool(
      async () => {
        answers.push(interrupt({ question: "which colour?" }));
        return "ok";
      },
      { name: "a", description: "asks", schema: z.object({}) },
    );
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script: turns([{ name: "a" }]), tools: [asking] },
    );
    await ours.ask();
    const held = await ours.onlyPending();
    await ours.answerById(held.id, { type: "approve" });
    const question = await ours.onlyPending();
    expect(question.id).not.toBe(held.id);
    const stale = { [held.id]: { decisions: [{ type: "reject" }] } };
    const refusal = await refusalOfFailure(resumeThread(ours.agent, ours.config, stale));
    expect(refusal.code).toBe("already_decided");
    // LangGraph itself would hand it to the question.
    expect((await refusalOfFailure(ours.resume(stale))).message).toContain(question.id);
    const repeat = { [held.id]: { decisions: [{ type: "approve" }] } };
    expect(await ours.resume(repeat)).toMatchObject({ __interrupt__: [{ id: question.id }] });
    expect(answers).toEqual([]);
    expect((await ours.onlyPending()).id).toBe(question.id);
    await ours.resume({ ...repeat, [question.id]: "blue" });
    expect(answers).toEqual(["blue"]);
    expect(await ours.dangling()).toEqual([]);
  },
);

const twoInARow = turns(
  [{ name: "a", args: { what: "harmless" } }],
  [{ name: "a", args: { what: "DANGEROUS" } }],
);

test("H3: under LangChain's middleware the same approval, sent twice, approves the next action unseen", async () => {
  const stock = stockAgent({ interruptOn: { a: true } }, { script: twoInARow });
  await stock.ask();
  await stock.answer({ type: "approve" });
  expect(stock.ran).toEqual(['a {"what":"harmless"}']);
  await stock.answer({ type: "approve" });
  expect(stock.ran).toEqual(['a {"what":"harmless"}', 'a {"what":"DANGEROUS"}']);
  await stock.answer({ type: "approve" });
  expect(stock.ran).toHaveLength(2);
});

const ways = [
  { way: "actionId", answers: "any" },
  { way: "toolCallId", answers: "any" },
  { way: "interrupt", answers: "any" },
  { way: "actionId", answers: "named" },
  { way: "interrupt", answers: "named" },
] as const;

test.each(cases.flatMap((one) => ways.map((way) => ({ ...one, ...way }))))(
  "H3: ours counts an answer that names its $way for that one alone ($variant, $mode, answers: $answers)",
  async ({ open, mode, way, answers }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode, answers },
      { script: twoInARow },
    );
    await ours.ask();
    const { id, value } = await ours.onlyPending();
    const approve =
      way === "interrupt"
        ? { [id]: { decisions: [{ type: "approve" }] } }
        : { decisions: [{ type: "approve", [way]: value.actionRequests[0]?.[way] }] };
    await ours.resume(approve);
    const next = await ours.onlyPending();
    const repeated = await ours.resume(approve);
    expect(repeated["__interrupt__"]).toMatchObject([{ id: next.id }]);
    expect(ours.ran).toEqual(['a {"what":"harmless"}']);
    expect((await ours.onlyPending()).id).toBe(next.id);
    await ours.answerById(next.id, { type: "approve" });
    expect(ours.ran).toHaveLength(2);
  },
);

test.each(cases)(
  "H3: with answers: named ours refuses an answer by position ($variant, $mode)",
  async ({ open, mode }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode, answers: "named" },
      { script: twoInARow },
    );
    await ours.ask();
    const { id } = await ours.onlyPending();
    const refusal = await refusalOfFailure(ours.answer({ type: "approve" }));
    expect(refusal.code).toBe("decision_invalid");
    expect(refusal.message).toContain(id);
    expect(ours.ran).toEqual([]);
    expect((await ours.onlyPending()).id).toBe(id);
  },
);
