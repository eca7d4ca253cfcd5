import { expect, test } from "vitest";
import type { Script } from "../testing/scripted-model.ts";
import { answerEach } from "./answer-each.ts";
import {
  callMessage,
  cases,
  heldAgent,
  sealedAgent,
  stockAgent,
  type TestAgent,
  turns,
  variants,
} from "./set-up.ts";

/** A model that never takes no for an answer: the same call again and again. */
const stubborn: Script = (messages) =>
  callMessage([{ name: "a", args: { x: 1 } }], String(messages.length));

const reject = { type: "reject" };

/** Rejects while somebody is asked, at most so many times; says how often that was. */
async function rejectWhileAsked(agent: TestAgent, atMost: number): Promise<number> {
  for (let rejected = 0; rejected < atMost; rejected++) {
    if ((await agent.pending()).length === 0) return rejected;
    await answerEach(agent, () => reject);
  }
  return atMost;
}

test("H26: stock asks again as often as the model repeats a rejected call", async () => {
  const stock = stockAgent({ interruptOn: { a: true } }, { script: stubborn });
  await stock.ask();
  expect(await rejectWhileAsked(stock, 30)).toBe(30);
  expect(await stock.pending()).toHaveLength(1);
});

test.each(cases)(
  "H26, F24: after three rejections nobody is asked again, and one more repeat ends the turn ($variant, $mode)",
  async ({ open, mode }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script: stubborn },
    );
    await ours.ask();
    expect(await rejectWhileAsked(ours, 30)).toBe(3);
    expect(ours.ran).toEqual([]);
    expect(await ours.dangling()).toEqual([]);
    const results = await ours.toolMessages();
    expect(results.map((one) => one.status)).toEqual(results.map(() => "error"));
    // Three that a person rejected, one that was told so, one that ended the turn.
    expect(results.length).toBeLessThanOrEqual(5);
  },
);

test.each(cases)(
  "H26: a new message of the user starts the count anew ($variant, $mode)",
  async ({ open, mode }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode, maxRejections: 1 },
      { script: stubborn },
    );
    await ours.ask();
    expect(await rejectWhileAsked(ours, 9)).toBe(1);
    await ours.ask("try once more");
    expect(await rejectWhileAsked(ours, 9)).toBe(1);
    expect(await ours.dangling()).toEqual([]);
  },
);

test.each(cases)(
  "H26: another call of the same tool is still asked about ($variant, $mode)",
  async ({ open, mode }) => {
    const changing: Script = (messages) =>
      callMessage([{ name: "a", args: { x: messages.length } }], String(messages.length));
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode, maxRejections: 1 },
      { script: changing },
    );
    await ours.ask();
    expect(await rejectWhileAsked(ours, 6)).toBe(6);
  },
);

test.each(variants.slice(-1))(
  "H26: so it is under holdAgent, whose threads survive a restart ($variant)",
  async ({ open }) => {
    const place = await open();
    const build = () => sealedAgent(place, { interruptOn: { a: true } }, { script: stubborn });
    const first = build();
    await first.ask();
    expect(await rejectWhileAsked(first, 2)).toBe(2);
    const second = build();
    expect(await rejectWhileAsked(second, 30)).toBe(1);
    expect(second.ran).toEqual([]);
    expect(await second.dangling()).toEqual([]);
  },
);

test("H26: stock's text does not say whether to try again", async () => {
  const script = turns([{ name: "a" }], [{ name: "a" }]);
  const stock = stockAgent({ interruptOn: { a: true } }, { script });
  await stock.ask();
  await stock.answer(reject);
  expect((await stock.toolMessages())[0]?.text).not.toMatch(/again|retry|adjust/i);
  await stock.answer({ type: "reject", message: "too much" });
  expect((await stock.toolMessages())[1]?.text).toBe("too much");
});

test.each(cases)(
  "H26: a rejection without a reason says not to retry, one with a reason to adjust ($variant, $mode)",
  async ({ open, mode }) => {
    const script = turns([{ name: "a", args: { x: 1 } }], [{ name: "a", args: { x: 2 } }]);
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script },
    );
    await ours.ask();
    await answerEach(ours, () => reject);
    await answerEach(ours, () => ({ type: "reject", message: "too much" }));
    const [without, withReason] = await ours.toolMessages();
    expect(without?.text).toMatch(/Do not (try this call again|retry) unless/);
    expect(withReason?.text).toContain("too much");
    expect(withReason?.text).toContain("Adjust accordingly");
  },
);
