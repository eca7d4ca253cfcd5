import { AIMessage } from "@langchain/core/messages";
import { Command, interrupt, isInvalidResume } from "@langchain/langgraph";
import { tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import { resumeThread } from "../index.ts";
import { answerEach, refusalIn } from "./answer-each.ts";
import {
  cases,
  failureOf,
  heldAgent,
  type Place,
  refusalOfFailure,
  sealedAgent,
  stockAgent,
  type TestAgent,
  turns,
  variants,
} from "./set-up.ts";

const card = {
  formType: "refund",
  title: "Refund order 17?",
  context: { customer: "Ada", paid: 120 },
  fields: [
    { name: "amount", label: "Amount", type: "number", required: true, max: 120 },
    { name: "notify", type: "boolean" },
  ],
};

/** The tool a, which shows a card; it notes each start and what it was answered. */
function cardTool(ran: string[], asked: unknown = card) {
  return tool(
    async () => {
      ran.push("started");
      const answer: unknown = interrupt(asked);
      ran.push(`got ${JSON.stringify(answer)}`);
      return "refunded";
    },
    { name: "a", description: "asks", schema: z.looseObject({}) },
  );
}

const script = turns([{ name: "a", args: { x: 1 } }]);

/** The tool is free, or it is held first; in either case its card waits afterwards. */
const ways = [
  { held: false, what: "a free tool" },
  { held: true, what: "an approved tool" },
];
const everywhere = cases.flatMap((one) => ways.map((way) => ({ ...one, ...way })));

async function askCard(
  { open, mode, held }: (typeof everywhere)[number],
  asked: unknown = card,
): Promise<{ readonly ours: TestAgent; readonly ran: string[]; readonly place: Place }> {
  const ran: string[] = [];
  const place = await open();
  const ours = heldAgent(
    place,
    { interruptOn: { a: held }, interruptMode: mode },
    { script, ran, tools: [cardTool(ran, asked)] },
  );
  await ours.ask();
  if (held) await answerEach(ours, () => ({ type: "approve" }));
  expect(ran).toEqual(["started"]);
  return { ours, ran, place };
}

const wrongAnswers: readonly (readonly [string, unknown, string])[] = [
  ["a value of the wrong type", { amount: "120" }, '"amount"'],
  ["a value beyond its bounds", { amount: 121 }, "120"],
  ["a missing field", { notify: true }, "amount"],
  ["a field that the card does not have", { amount: 1, tip: 1 }, "tip"],
  ["a text", "yes", "amount"],
  ["a decision on a call", { decisions: [{ type: "approve" }] }, "respond"],
];

test.each(everywhere.filter(({ variant }) => variant !== "MemorySaver"))(
  "the review of a card says which agent asks, and what the person had asked for ($variant, $mode, $what)",
  async (one) => {
    const { ours, place } = await askCard(one);
    const { id = "" } = (await ours.pending()).at(-1) ?? {};
    const found = await place.holdpoint?.findReviewOfInterrupt("t1", id);
    expect(found).toMatchObject({ agent: "agent", askedFor: "go" });
    expect(found?.actions[0]?.reasonCode).toBe("question");
  },
);

test("stock LangGraph hands a tool whatever the card was answered with", async () => {
  const ran: string[] = [];
  const stock = stockAgent({}, { script, ran, tools: [cardTool(ran)] });
  await stock.ask();
  await stock.resume({ amount: "a lot" });
  expect(ran.at(-1)).toBe('got {"amount":"a lot"}');
});

test.each(everywhere)(
  "a card of $what is answered with its values ($variant, $mode)",
  async (one) => {
    const { ours, ran } = await askCard(one);
    const { id, value } = await ours.onlyPending();
    expect(value).toEqual(card);
    await ours.resume({ [id]: { amount: 5, notify: true } });
    expect(ran).toEqual(["started", "started", 'got {"amount":5,"notify":true}']);
    expect((await ours.toolMessages()).map((result) => result.text)).toEqual(["refunded"]);
  },
);

test.each(everywhere)(
  "a wrong answer to the card of $what changes nothing and says what was expected ($variant, $mode)",
  async (one) => {
    const { ours, ran } = await askCard(one);
    const before = await ours.onlyPending();
    for (const [, answer, says] of wrongAnswers) {
      for (const resume of [{ [before.id]: answer }, answer]) {
        const error = await failureOf(ours.resume(resume));
        expect(isInvalidResume(error)).toBe(true);
        expect(refusalIn(error).message).toContain(says);
        expect(ran).toEqual(["started"]);
        expect(await ours.onlyPending()).toEqual(before);
      }
    }
    await ours.resume({ amount: 5 });
    expect(ran.slice(1)).toEqual(["started", 'got {"amount":5}']);
  },
);

test.each(everywhere)(
  "a decision to respond with a value answers the card of $what too ($variant, $mode)",
  async (one) => {
    const { ours, ran } = await askCard(one);
    const decision = { type: "respond", message: "five is fine", value: { amount: 5 } };
    await ours.resume({ [(await ours.onlyPending()).id]: { decisions: [decision] } });
    expect(ran.at(-1)).toBe('got {"amount":5}');
  },
);

test.each(
  everywhere.flatMap((one) =>
    [true, "the red one", 7, ["a"]].map((answer) => ({ ...one, answer })),
  ),
)(
  "any other question of $what gets the very value that was sent: $answer ($variant, $mode)",
  async ({ answer, ...one }) => {
    const { ours, ran } = await askCard(one, { question: "Which one?" });
    await ours.resume({ [(await ours.onlyPending()).id]: answer });
    expect(ran.at(-1)).toBe(`got ${JSON.stringify(answer)}`);
  },
);

test.each(everywhere.filter(({ variant }) => variant !== "MemorySaver"))(
  "the card of $what is a review that says what its answer must be ($variant, $mode)",
  async (one) => {
    const { ours, place } = await askCard(one);
    const [review] = (await place.holdpoint?.reviews.openOf("t1")) ?? [];
    const { id } = await ours.onlyPending();
    expect(review).toMatchObject({ interruptId: id });
    expect(review?.actions).toMatchObject([
      {
        name: "refund",
        args: card,
        allowedDecisions: ["respond"],
        reasonCode: "question",
        answerSchema: { required: ["amount"], additionalProperties: false },
      },
    ]);
    await ours.resume({ [id]: { amount: 5 } });
    expect(await place.holdpoint?.reviews.openOf("t1")).toEqual([]);
    expect((await place.holdpoint?.reviews.view(review?.id ?? "rev_"))?.actions[0]).toMatchObject({
      outcome: { type: "answered", value: { amount: 5 } },
    });
  },
);

test.each(everywhere.filter(({ variant }) => variant !== "MemorySaver"))(
  "whoever answers the card of $what after somebody else is told so, and the first answer counts ($variant, $mode)",
  async (one) => {
    const { ours, ran, place } = await askCard(one);
    const [review] = (await place.holdpoint?.reviews.openOf("t1")) ?? [];
    const [action] = review?.actions ?? [];
    if (review === undefined || action === undefined) throw new Error("no open review");
    const decision = { type: "respond", value: { amount: 5 } } as const;
    await place.holdpoint?.decide({
      reviewId: review.id,
      decisions: [{ actionId: action.id, decision }],
      reviewer: { id: "anna", name: "Anna" },
    });
    const { id } = await ours.onlyPending();
    await ours.resume({ [id]: { amount: 6 } });
    expect((await ours.onlyPending()).value).toMatchObject({
      formType: "refund",
      conflict: { by: "Anna", decision: "respond" },
    });
    expect(ran).toEqual(["started"]);
    await ours.resume({ [id]: { holdpoint: "recorded" } });
    expect(ran.slice(1)).toEqual(["started", 'got {"amount":5}']);
  },
);

// Without an engine only the pause itself is kept, not that the call before it was approved.
const forgets = ({ variant, held }: (typeof everywhere)[number]) =>
  variant === "MemorySaver" && held;

test.each(everywhere.filter(forgets))(
  "without an engine a process that starts anew asks about the call of $what again, and runs nothing before ($variant, $mode)",
  async (one) => {
    const { ours, ran, place } = await askCard(one);
    const { id } = await ours.onlyPending();
    const again = heldAgent(
      await place.restart(),
      { interruptOn: { a: true }, interruptMode: one.mode },
      { script, ran, tools: [cardTool(ran)] },
    );
    await again.resume({ [id]: { amount: 5 } });
    expect(ran).toEqual(["started"]);
    await answerEach(again, () => ({ type: "approve" }));
    expect((await again.onlyPending()).value).toEqual(card);
    await again.resume({ [(await again.onlyPending()).id]: { amount: 5 } });
    expect(ran.at(-1)).toBe('got {"amount":5}');
  },
);

test.each(everywhere.filter((one) => !forgets(one)))(
  "a process that starts anew checks the answer to the card of $what as well ($variant, $mode)",
  async (one) => {
    const { ours, ran, place } = await askCard(one);
    const { id } = await ours.onlyPending();
    const next = await place.restart();
    const again = heldAgent(
      next,
      { interruptOn: { a: one.held }, interruptMode: one.mode },
      { script, ran, tools: [cardTool(ran)] },
    );
    expect(refusalIn(await failureOf(again.resume({ [id]: { amount: "5" } }))).code).toBe(
      "decision_invalid",
    );
    await again.resume({ [id]: { amount: 5 } });
    expect(ran.at(-1)).toBe('got {"amount":5}');
  },
);

test.each(cases)(
  "of two cards that wait each gets its own answer, and neither tool starts for the other's ($variant, $mode)",
  async ({ open, mode }) => {
    const ran: string[] = [];
    const tools = ["a", "b"].map((name) =>
      tool(
        async () => {
          ran.push(`${name} started`);
          ran.push(`${name} got ${JSON.stringify(interrupt({ ...card, title: name }))}`);
          return name;
        },
        { name, description: "asks", schema: z.looseObject({}) },
      ),
    );
    const both = turns([{ name: "a" }, { name: "b" }]);
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true, b: true }, interruptMode: mode },
      { script: both, ran, tools },
    );
    await ours.ask();
    await answerEach(ours, () => ({ type: "approve" }));
    expect(ran).toEqual(["a started", "b started"]);
    const waiting = new Map((await ours.pending()).map(({ id, value }) => [value["title"], id]));
    const bare = await failureOf(ours.resume({ amount: 1 }));
    expect(refusalIn(bare).code).toBe("decision_invalid");
    await ours.resume({ [waiting.get("b") ?? ""]: { amount: 2 } });
    expect(ran.slice(2)).toEqual(["b started", 'b got {"amount":2}']);
    await ours.resume({ [waiting.get("a") ?? ""]: { amount: 1 } });
    expect(ran.slice(4)).toEqual(["a started", 'a got {"amount":1}']);
    expect((await ours.toolMessages()).map((one) => one.text)).toEqual(["a", "b"]);
  },
);

test.each(everywhere)(
  "a new message while the card of $what waits withdraws it, and a late answer is told so ($variant, $mode)",
  async (one) => {
    const { ours, ran, place } = await askCard(one);
    const { id } = await ours.onlyPending();
    await ours.ask("never mind");
    const questions = (await place.holdpoint?.openReviewsOf("t1")) ?? [];
    expect(questions.filter((review) => review.interruptId === id)).toEqual([]);
    const late = resumeThread(ours.agent, ours.config, { [id]: { amount: 5 } });
    expect((await refusalOfFailure(late)).code).toBe("review_closed");
    expect(ran.filter((each) => each.startsWith("got"))).toEqual([]);
  },
);

const answered = () =>
  new AIMessage({ id: "card", content: "Refund 5", response_metadata: { card } });

test.each(everywhere)(
  "Command({ resume, update }) keeps the answered card of $what in the history in the same step ($variant, $mode)",
  async (one) => {
    const { ours, ran, place } = await askCard(one);
    const { id } = await ours.onlyPending();
    const seen: string[][] = [];
    const watching = heldAgent(
      place,
      { interruptOn: { a: one.held }, interruptMode: one.mode },
      {
        script,
        ran,
        tools: [
          tool(
            async () => {
              interrupt(card);
              seen.push((await watching.messages()).map((message) => message.id ?? ""));
              return "refunded";
            },
            { name: "a", description: "asks", schema: z.looseObject({}) },
          ),
        ],
      },
    );
    const command = new Command({
      resume: { [id]: { amount: 5 } },
      update: { messages: [answered()] },
    });
    await watching.agent.invoke(command, watching.config);
    expect(seen).toHaveLength(1);
    expect(seen[0]).toContain("card"); // while the tool still works
    const kept = (await watching.messages()).filter((message) => message.id === "card");
    expect(kept).toMatchObject([{ content: "Refund 5", response_metadata: { card } }]);
    expect(await watching.dangling()).toEqual([]);
    expect((await watching.messages()).at(-1)?.text).toBe("done");
  },
);

test.each(everywhere)(
  "the model reads each result right after its call, wherever the card of $what stands ($variant, $mode)",
  async (one) => {
    const { ours } = await askCard(one);
    const { id } = await ours.onlyPending();
    const command = new Command({
      resume: { [id]: { amount: 5 } },
      update: { messages: [answered()] },
    });
    await ours.agent.invoke(command, ours.config);
    const types = ours.model.asked.at(-1)?.map((message) => message.getType());
    expect(types).toEqual(["human", "ai", "tool", "ai"]);
  },
);

test.each(variants.slice(-1).flatMap((one) => ways.map((way) => ({ ...one, ...way }))))(
  "under holdAgent the card of $what is checked and answered too ($variant)",
  async ({ open, held }) => {
    const ran: string[] = [];
    const ours = sealedAgent(
      await open(),
      { interruptOn: { a: held } },
      { script, ran, tools: [cardTool(ran)] },
    );
    await ours.ask();
    if (held) await answerEach(ours, () => ({ type: "approve" }));
    const { id } = await ours.onlyPending();
    expect(refusalIn(await failureOf(ours.resume({ [id]: { amount: "5" } }))).code).toBe(
      "decision_invalid",
    );
    await ours.resume({ [id]: { amount: 5 } });
    expect(ran).toEqual(["started", "started", 'got {"amount":5}']);
  },
);

test.each(cases)(
  "an approval whose update adds an answered card runs the call ($variant, $mode)",
  async ({ open, mode }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script },
    );
    await ours.ask();
    const { id } = await ours.onlyPending();
    const command = new Command({
      resume: { [id]: { decisions: [{ type: "approve" }] } },
      update: { messages: [answered()] },
    });
    await ours.agent.invoke(command, ours.config);
    expect(ours.ran).toEqual(['a {"x":1}']);
    expect((await ours.messages()).filter((message) => message.id === "card")).toHaveLength(1);
    expect(await ours.dangling()).toEqual([]);
    const read = ours.model.asked.at(-1) ?? [];
    const result = read.findIndex((message) => message.getType() === "tool");
    expect(read[result - 1]).toMatchObject({ tool_calls: [{ name: "a" }] });
  },
);
