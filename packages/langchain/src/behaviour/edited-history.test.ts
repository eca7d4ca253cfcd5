import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import { expect, test } from "vitest";
import { answerEach } from "./answer-each.ts";
import { cases, heldAgent, sealedAgent, stockAgent, variants } from "./set-up.ts";
import type { Script } from "../testing/scripted-model.ts";

/** A model of a provider with content blocks: it says each call three times in one message. */
const inBlocks: Script = (messages) =>
  messages.at(-1)?.getType() === "human"
    ? new AIMessage({
        content: [
          { type: "text", text: "I do it." },
          { type: "tool_use", id: "call_1", name: "a", input: { x: 1 } },
        ],
        tool_calls: [{ type: "tool_call", id: "call_1", name: "a", args: { x: 1 } }],
        additional_kwargs: {
          tool_calls: [
            { id: "call_1", type: "function", function: { name: "a", arguments: '{"x":1}' } },
          ],
        },
      })
    : new AIMessage("done");

const edited = { type: "edit", editedAction: { name: "a", args: { x: 9 } } };

/** The arguments of the call in every place where the message carries it. */
function argsIn(messages: readonly BaseMessage[] | undefined): Record<string, unknown> {
  const turn = messages?.find((one) => AIMessage.isInstance(one));
  const inContent = Array.isArray(turn?.content)
    ? turn.content.find((one) => one["type"] === "tool_use")
    : undefined;
  const inKwargs = turn?.additional_kwargs.tool_calls?.[0]?.function.arguments;
  const block = turn?.contentBlocks.find((one) => one.type === "tool_call");
  return {
    toolCalls: turn?.tool_calls?.[0]?.args,
    content: inContent?.["input"],
    kwargs: inKwargs === undefined ? undefined : JSON.parse(inKwargs),
    // A standard block where the provider is known to LangChain, else the provider's own.
    blocks: block?.args ?? inContent?.["input"],
  };
}

const everywhere = (args: unknown) => ({
  toolCalls: args,
  content: args,
  kwargs: args,
  blocks: args,
});

test("H24: stock changes an edited call in one place, and the model reads the old arguments in the others", async () => {
  const stock = stockAgent({ interruptOn: { a: true } }, { script: inBlocks });
  await stock.ask();
  await answerEach(stock, () => edited);
  expect(stock.ran).toEqual(['a {"x":9}']);
  const half = { ...everywhere({ x: 1 }), toolCalls: { x: 9 } };
  expect(argsIn(await stock.messages())).toEqual(half);
  expect(argsIn(stock.model.asked.at(-1))).toEqual(half);
});

test.each(cases)(
  "H24: after an edit every place agrees, in history and for the model ($variant, $mode)",
  async ({ open, mode }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode },
      { script: inBlocks },
    );
    await ours.ask();
    await answerEach(ours, () => edited);
    expect(ours.ran).toEqual(['a {"x":9}']);
    expect(argsIn(await ours.messages())).toEqual(everywhere({ x: 9 }));
    expect(argsIn(ours.model.asked.at(-1))).toEqual(everywhere({ x: 9 }));
    expect((await ours.toolMessages()).map((one) => one.text)).toEqual(["ok"]);
  },
);

test.each(cases)(
  "H24: editNotice tells the model that a person changed the call ($variant, $mode)",
  async ({ open, mode }) => {
    const ours = heldAgent(
      await open(),
      { interruptOn: { a: true }, interruptMode: mode, editNotice: true },
      { script: inBlocks },
    );
    await ours.ask();
    await answerEach(ours, () => edited);
    const [result] = await ours.toolMessages();
    expect(result?.text).toMatch(/person|reviewer/);
    expect(result?.text).toMatch(/changed/);
    expect(result?.text).toMatch(/ok$/);
  },
);

// Without an engine the record is the message itself, which then holds what ran.
test.each(cases.filter(({ variant }) => variant !== "MemorySaver"))(
  "H24: the call as the model proposed it stays in the record ($variant, $mode)",
  async ({ open, mode }) => {
    const place = await open();
    const ours = heldAgent(
      place,
      { interruptOn: { a: true }, interruptMode: mode },
      { script: inBlocks },
    );
    await ours.ask();
    await answerEach(ours, () => edited);
    const settled = await place.holdpoint?.reviews.list({
      status: "settled",
      order: "newest",
      limit: 1,
    });
    const action = settled?.reviews[0]?.actions[0];
    expect(action?.args).toEqual({ x: 1 });
    expect(action?.outcome).toMatchObject({ edited: true, call: { args: { x: 9 } } });
  },
);

test.each(variants.slice(-1))("H24: so it is under holdAgent ($variant)", async ({ open }) => {
  const ours = sealedAgent(await open(), { interruptOn: { a: true } }, { script: inBlocks });
  await ours.ask();
  await answerEach(ours, () => edited);
  expect(argsIn(await ours.messages())).toEqual(everywhere({ x: 9 }));
  expect(argsIn(ours.model.asked.at(-1))).toEqual(everywhere({ x: 9 }));
});
