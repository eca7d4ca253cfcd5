import { expect, test } from "vitest";
import { answerEach } from "./answer-each.ts";
import {
  cases,
  failureOf,
  heldAgent,
  sealedAgent,
  stockAgent,
  type TestAgent,
  turns,
  variants,
} from "./set-up.ts";

const script = turns([{ name: "a", args: { x: 1 } }]);
const respond = { type: "respond", message: "Use the blue one." };

async function expectAnswerAsResult(agent: TestAgent) {
  expect(agent.ran).toEqual([]);
  const results = await agent.toolMessages();
  expect(results).toHaveLength(1);
  expect(results[0]).toMatchObject({
    content: "Use the blue one.",
    status: "success",
    name: "a",
    additional_kwargs: { lc_source: "hitl_interrupt_decision", lc_data: { decision: "respond" } },
  });
  expect(await agent.dangling()).toEqual([]);
  expect((await agent.messages()).at(-1)?.text).toBe("done");
}

test("H25: stock throws at the documented respond, and every later answer gets the same error", async () => {
  const stock = stockAgent({ interruptOn: { a: true } }, { script });
  await stock.ask();
  const first = await failureOf(stock.answer(respond));
  expect(first.message).toContain("Decision type 'respond' is not allowed for tool 'a'");
  const second = await failureOf(stock.answer({ type: "approve" }));
  expect(second.message).toBe(first.message);
});

test.each(cases)(
  "H25: respond gives the reviewer's text as the result and runs nothing ($variant, $mode)",
  async ({ open, mode }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script },
    );
    await ours.ask();
    await answerEach(ours, () => respond);
    await expectAnswerAsResult(ours);
  },
);

test.each(cases)(
  "H25: respond must be allowed: where it is not, it is refused and the right answer works ($variant, $mode)",
  async ({ open, mode }) => {
    const interruptOn = { a: { allowedDecisions: ["approve" as const] } };
    const ours = heldAgent(await open(), { interruptOn, interruptMode: mode }, { script });
    await ours.ask();
    const error = await failureOf(answerEach(ours, () => respond));
    expect(error.message).toContain("Decision type 'respond' is not allowed for tool 'a'");
    await answerEach(ours, () => ({ type: "approve" }));
    expect(ours.ran).toEqual(['a {"x":1}']);
  },
);

test.each(variants.slice(-1))("H25: so it is under holdAgent ($variant)", async ({ open }) => {
  const ours = sealedAgent(await open(), { interruptOn: { a: true } }, { script });
  await ours.ask();
  await answerEach(ours, () => respond);
  await expectAnswerAsResult(ours);
});
