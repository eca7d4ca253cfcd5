import { MemorySaver } from "@langchain/langgraph";
import { tool } from "langchain";
import { expect, test, vi } from "vitest";
import { z } from "zod";
import { cases, failureOf, heldAgent, refusalOfFailure, stockAgent, turns } from "./set-up.ts";

const freeAndHeld = turns([{ name: "c" }, { name: "a" }]);

const missing = [
  { lacks: "checkpointer", agent: { checkpointer: undefined }, invocation: {} },
  { lacks: "thread_id", agent: {}, invocation: { configurable: {} } },
];

const stockTexts: Readonly<Record<string, string>> = {
  checkpointer: "No checkpointer set",
  thread_id: 'missing a required "thread_id" field',
};

test.each(missing)(
  "H37: without a $lacks LangChain's middleware fails with an error of LangGraph",
  async ({ lacks, agent, invocation }) => {
    const stock = stockAgent({ interruptOn: { a: true } }, { script: freeAndHeld, agent });
    const failure = await failureOf(stock.ask("go", invocation));
    expect(failure.message).toContain(stockTexts[lacks]);
    expect(failure.message).not.toContain("HumanInTheLoop");
    expect(stock.ran).toEqual([]);
  },
);

test.each(cases.flatMap((one) => missing.map((lack) => ({ ...one, ...lack }))))(
  "H37: without a $lacks ours says what is missing before any tool of the turn runs ($variant, $mode)",
  async ({ open, mode, lacks, agent, invocation }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script: freeAndHeld, agent },
    );
    const refusal = await refusalOfFailure(ours.ask("go", invocation));
    expect(refusal.code).toBe("config_invalid");
    expect(refusal.message).toContain(lacks);
    expect(ours.ran).toEqual([]);
  },
);

test.each(cases)(
  "H37: a turn in which nothing is held needs neither ($variant, $mode)",
  async ({ open, mode }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script: turns([{ name: "c" }]), agent: { checkpointer: undefined } },
    );
    await ours.ask("go", { configurable: {} });
    expect(ours.ran).toEqual(["c {}"]);
  },
);

const tenInARow = turns(...Array.from({ length: 10 }, (_, n) => [{ name: "a", args: { n } }]));

test("H38: with LangChain's middleware what waits is found by reading every checkpoint, and what waited is found too", async () => {
  const saver = new MemorySaver();
  const options = { interruptOn: { a: true } };
  const finished = stockAgent(options, { script: tenInARow, saver, thread: "finished" });
  await finished.ask();
  for (let n = 0; n < 10; n += 1) await finished.answer({ type: "approve" });
  expect(await finished.pending()).toEqual([]);
  const waiting = stockAgent(options, { script: tenInARow, saver, thread: "waiting" });
  await waiting.ask();
  const read: unknown[] = [];
  const found = new Set<string>();
  for await (const { config, pendingWrites = [] } of saver.list({ configurable: {} })) {
    read.push(config);
    if (pendingWrites.some(([, channel]) => channel === "__interrupt__"))
      found.add(String(config.configurable?.["thread_id"]));
  }
  // 34 for the ten approvals, 3 for the thread that waits.
  expect(read).toHaveLength(37);
  expect([...found].toSorted()).toEqual(["finished", "waiting"]);
});

// Without an engine there is no list over all threads.
const withEngine = cases.filter(({ variant }) => variant !== "MemorySaver");

test.each(withEngine)(
  "H38: with ours the record lists what waits, without reading a checkpoint ($variant, $mode)",
  async ({ open, mode }) => {
    const place = await open();
    const options = { interruptOn: { a: true }, interruptMode: mode };
    const finished = heldAgent(place, options, { script: tenInARow, thread: "finished" });
    await finished.ask();
    for (let n = 0; n < 10; n += 1) await finished.answer({ type: "approve" });
    const waiting = heldAgent(place, options, { script: tenInARow, thread: "waiting" });
    await waiting.ask();
    const reads = [vi.spyOn(place.checkpointer, "list"), vi.spyOn(place.checkpointer, "getTuple")];
    const page = await place.holdpoint?.reviews.list({
      status: "open",
      order: "oldest",
      limit: 10,
    });
    expect(page?.reviews.map((review) => review.threadId)).toEqual(["waiting"]);
    for (const one of reads) expect(one).not.toHaveBeenCalled();
  },
);

/** What JSON does not carry unchanged. */
class Money {
  readonly amount: number;
  constructor(amount: number) {
    this.amount = amount;
  }
}
const unsafe = [
  { kind: "a date", value: new Date(0), becomes: {} },
  { kind: "a class instance", value: new Money(1), becomes: { amount: 1 } },
  { kind: "undefined", value: undefined, becomes: undefined },
  { kind: "NaN", value: Number.NaN, becomes: null },
];

/** A tool `a` that keeps its arguments as they are. */
function keepingTool() {
  const got: unknown[] = [];
  const keeping = tool(
    async (args) => {
      got.push(args);
      return "ok";
    },
    { name: "a", description: "keeps", schema: z.looseObject({}) },
  );
  return { got, keeping };
}

test.each(unsafe)(
  "H39: under LangChain's middleware $kind in the arguments changes over a pause",
  async ({ value, becomes }) => {
    const { got, keeping } = keepingTool();
    const surroundings = { script: turns([{ name: "a", args: { value } }]), tools: [keeping] };
    await stockAgent({}, surroundings).ask();
    const stock = stockAgent({ interruptOn: { a: true } }, surroundings);
    await stock.ask();
    await stock.answer({ type: "approve" });
    expect(got).toEqual([{ value }, becomes === undefined ? {} : { value: becomes }]);
  },
);

test.each(unsafe)(
  "H39: under LangChain's middleware an edit with $kind runs as one thing and is remembered as another",
  async ({ value, becomes }) => {
    const { got, keeping } = keepingTool();
    const stock = stockAgent(
      { interruptOn: { a: true } },
      { script: turns([{ name: "a" }]), tools: [keeping] },
    );
    await stock.ask();
    await stock.answer({ type: "edit", editedAction: { name: "a", args: { value } } });
    expect(got).toEqual([{ value }]);
    expect((await stock.messages())[1]).toMatchObject({
      tool_calls: [{ args: becomes === undefined ? {} : { value: becomes } }],
    });
  },
);

const bigNumber = { kind: "a BigInt", value: 1n };

test("H39: under LangChain's middleware a BigInt in the arguments ends the run", async () => {
  const script = turns([{ name: "a", args: { value: bigNumber.value } }]);
  const stock = stockAgent({ interruptOn: { a: true } }, { script });
  expect((await failureOf(stock.ask())).message).toBe("Do not know how to serialize a BigInt");
});

const unsafeCases = cases.flatMap((one) =>
  [...unsafe, bigNumber].map((each) => ({ ...one, kind: each.kind, value: each.value })),
);

/** Our checkpointer stores what is not JSON, but for instances of classes that it does not know. */
const isStorable = ({ variant, value }: (typeof unsafeCases)[number]): boolean =>
  variant !== "our checkpointer" || !(value instanceof Money);
const storableCases = unsafeCases.filter(isStorable);

test.each(unsafeCases.filter((one) => !isStorable(one)))(
  "H39: our checkpointer refuses a state with $kind and names the channel and the place in it ($mode)",
  async ({ open, mode, value }) => {
    const { got, keeping } = keepingTool();
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script: turns([{ name: "a", args: { value } }]), tools: [keeping] },
    );
    expect((await failureOf(ours.ask())).message).toContain(
      'channel "messages" holds an instance of Money',
    );
    expect(got).toEqual([]);
  },
);

test.each(storableCases)(
  "H39: ours asks nobody about a call with $kind, and names the field to the model ($variant, $mode)",
  async ({ open, mode, value }) => {
    const { got, keeping } = keepingTool();
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script: turns([{ name: "a", args: { value } }]), tools: [keeping] },
    );
    // Read from the reply: a MemorySaver cannot give back a thread with a BigInt in it.
    const { messages, __interrupt__: asked } = await ours.ask();
    expect(got).toEqual([]);
    expect(asked).toBeUndefined();
    expect(messages[2]).toMatchObject({
      status: "error",
      content: expect.stringContaining('"value"'),
    });
  },
);

const freeCases = storableCases.filter(({ variant }) => variant !== "MemorySaver with an engine");

test.each(freeCases)(
  "H39: under ours a call that nobody holds runs with $kind, as it does without a gate ($variant, $mode)",
  async ({ open, mode, value }) => {
    const { got, keeping } = keepingTool();
    const ours = heldAgent(
      await open(),
      { interruptOn: { b: true }, interruptMode: mode },
      { script: turns([{ name: "a", args: { value } }]), tools: [keeping] },
    );
    await ours.ask();
    expect(got).toEqual([{ value }]);
  },
);

test.each(unsafeCases)(
  "H39: ours refuses an edit with $kind and names the field ($variant, $mode)",
  async ({ open, mode, value }) => {
    const { got, keeping } = keepingTool();
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script: turns([{ name: "a" }]), tools: [keeping] },
    );
    await ours.ask();
    const edit = { type: "edit", editedAction: { name: "a", args: { value } } };
    const refusal = await refusalOfFailure(ours.answer(edit));
    expect(refusal.message).toContain("value");
    expect(got).toEqual([]);
    await ours.answer({ type: "approve" });
    expect(got).toEqual([{}]);
  },
);

test.each(cases)(
  "H39: under ours the tool gets what the reviewer saw, to the letter ($variant, $mode)",
  async ({ open, mode }) => {
    const args = {
      text: "é\u0301\u200b",
      list: [1.5, null, { deep: { at: "1970-01-01T00:00:00.000Z" } }],
    };
    const place = await open();
    const { got, keeping } = keepingTool();
    const surroundings = { script: turns([{ name: "a", args }]), tools: [keeping] };
    const options = { interruptOn: { a: true }, interruptMode: mode };
    const before = heldAgent(place, options, surroundings);
    await before.ask();
    expect((await before.onlyPending()).value.actionRequests[0]?.["args"]).toEqual(args);
    const after = heldAgent(await place.restart(), options, surroundings);
    await after.answer({ type: "approve" });
    expect(got).toEqual([args]);
  },
);
