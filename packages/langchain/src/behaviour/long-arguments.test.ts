import { expect, test } from "vitest";
import { cases, heldAgent, stockAgent, turns } from "./set-up.ts";

const rules = { interruptOn: { a: true } };
const text = "😀".repeat(20_000); // two units each, so that a cut may come between them
const long = turns([{ name: "a", args: { text } }]);
const short = turns([{ name: "a", args: { text: "x" } }]);

async function describedByStock(script: typeof long): Promise<unknown> {
  const stock = stockAgent(rules, { script });
  await stock.ask();
  const { value } = await stock.onlyPending();
  return value["actionRequests"]?.[0]?.["description"];
}

test.each(cases)(
  "the description that nobody wrote quotes the beginning of long arguments, which stand beside it in full ($variant, $mode)",
  async ({ open, mode }) => {
    const ours = heldAgent(await open(), { ...rules, interruptMode: mode }, { script: long });
    await ours.ask();
    const { value } = await ours.onlyPending();
    const [request] = value.actionRequests;
    expect(request?.args).toEqual({ text });
    const description = String(request?.["description"]);
    const [beginning = "", rest] = description.split("…");
    expect(beginning.length).toBeLessThan(5_000);
    expect(beginning.isWellFormed()).toBe(true);
    expect(String(await describedByStock(long)).startsWith(beginning)).toBe(true);
    expect(rest).toBe(
      ` (cut here: the arguments are ${JSON.stringify({ text }, null, 2).length} characters long)`,
    );
    await ours.answer({ type: "approve" });
    expect(ours.ran).toEqual([`a ${JSON.stringify({ text })}`]);
  },
);

test.each(cases)(
  "short ones are quoted as LangChain quotes them, and without our fields so are long ones ($variant, $mode)",
  async ({ open, mode }) => {
    const ours = heldAgent(await open(), { ...rules, interruptMode: mode }, { script: short });
    await ours.ask();
    const { value } = await ours.onlyPending();
    expect(value.actionRequests[0]?.["description"]).toBe(await describedByStock(short));
    const legacy = heldAgent(
      await open(),
      { ...rules, mixedDecisions: "legacy" },
      { script: long },
    );
    await legacy.ask();
    const usual = await legacy.onlyPending();
    expect(usual.value.actionRequests[0]?.["description"]).toBe(await describedByStock(long));
  },
);
