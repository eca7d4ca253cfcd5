import { interrupt } from "@langchain/langgraph";
import { tool } from "langchain";
import { holdAgent } from "@holdpoint/langchain";
import { callsOnce, ScriptedModel } from "@holdpoint/langchain/testing";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import {
  messagesOf,
  type ReviewBody,
  startForTest,
  startRun,
  waitForReview,
  waitUntilIdle,
} from "../testing/conversation.ts";
import type { TestServer } from "../testing/test-server.ts";

const card = {
  formType: "refund",
  title: "Refund order 17?",
  fields: [{ name: "amount", type: "number", required: true, max: 120 }],
};

/** A server whose agent's tool shows a card; `working` is what the tool waits for after the answer. */
async function startCard(working: () => Promise<void> = async () => undefined) {
  const got: unknown[] = [];
  const refund = tool(
    async () => {
      got.push(interrupt(card));
      await working();
      return "refunded";
    },
    { name: "refund", description: "asks", schema: z.object({}) },
  );
  const one = await startForTest({
    create: ({ holdpoint }) =>
      holdAgent({
        name: "writer",
        holdpoint,
        tools: [refund],
        interruptOn: { refund: false },
        model: new ScriptedModel(callsOnce({ name: "refund", args: {} })),
      }),
  });
  await startRun(one, "t1");
  return { one, got, review: await waitForReview(one) };
}

async function respond(one: TestServer, { interruptId }: ReviewBody, params: object) {
  const sent = { interrupt_id: interruptId, ...params };
  return (await one.command("t1", "input.respond", sent)).body;
}

const answered = {
  type: "ai",
  id: "card-1",
  content: "Refund 5",
  additional_kwargs: {},
  response_metadata: { cards: card },
  tool_calls: [],
};

test("a card is answered with its values, as decisions or bare; a wrong answer changes nothing and says what was expected", async () => {
  const { one, got, review } = await startCard();
  for (const response of [
    { amount: "5" },
    { amount: 121 },
    {},
    { amount: 1, tip: 2 },
    "five",
    { decisions: [{ type: "respond", message: "five" }] },
  ]) {
    expect(await respond(one, review, { response })).toMatchObject({
      type: "error",
      error: "invalid_argument",
      message: expect.stringContaining('Expected: an object with "amount" (number, required)'),
    });
  }
  expect(got).toEqual([]);
  const { actions } = await waitForReview(one);
  expect(actions).toMatchObject([{ answerSchema: { required: ["amount"] } }]);
  expect(await respond(one, review, { response: { amount: 5 } })).toMatchObject({
    type: "success",
  });
  await vi.waitFor(() => expect(got).toEqual([{ amount: 5 }]), 5_000);
});

test("the review API takes the values too", async () => {
  const { one, got, review } = await startCard();
  const decide = (decision: object) =>
    one.request(`/api/reviews/${review.id}/decisions`, {
      body: { decisions: [{ action_id: review.actions[0]?.id, decision }] },
    });
  expect((await decide({ type: "respond", message: "five" })).status).toBe(422);
  const reply = await decide({ type: "respond", value: { amount: 5 } });
  expect(reply.body).toMatchObject({
    status: "decided",
    actions: [{ outcome: { type: "answered", message: '{"amount":5}', value: { amount: 5 } } }],
  });
  await vi.waitFor(() => expect(got).toEqual([{ amount: 5 }]), 5_000);
});

describe("respond with update", () => {
  test("keeps the answered card in the thread while the tool still works, once", async () => {
    const { promise: done, resolve: finish } = Promise.withResolvers<void>();
    const { one, got, review } = await startCard(() => done);
    const params = { response: { amount: 5 }, update: { messages: [answered] } };
    expect(await respond(one, review, params)).toMatchObject({ type: "success" });
    await vi.waitFor(async () => {
      expect((await messagesOf(one, "t1")).map(({ id }) => id)).toContain("card-1");
    }, 5_000);
    expect(got).toEqual([{ amount: 5 }]);
    finish();
    await waitUntilIdle(one, "t1");
    const messages = await messagesOf(one, "t1");
    expect(messages.map(({ type }) => type)).toEqual(["human", "ai", "tool", "ai", "ai"]);
    expect(messages.find(({ id }) => id === "card-1")).toMatchObject({
      content: "Refund 5",
      response_metadata: { cards: card },
    });
    // The same command again, as after a lost reply, adds nothing.
    expect(await respond(one, review, params)).toMatchObject({ type: "success" });
    await waitUntilIdle(one, "t1");
    expect(await messagesOf(one, "t1")).toHaveLength(5);
  });

  test("takes the update as entries, and a note of a person", async () => {
    const { one, review } = await startCard();
    const note = { type: "human", id: "note-1", content: "approved by Ann" };
    const update = [["messages", [note]]];
    expect(await respond(one, review, { response: { amount: 5 }, update })).toMatchObject({
      type: "success",
    });
    await vi.waitFor(async () => {
      expect((await messagesOf(one, "t1")).map(({ id }) => id)).toContain("note-1");
    }, 5_000);
  });

  const call = { id: "x", name: "refund", args: {}, type: "tool_call" };
  test.each<readonly [string, object]>([
    ["an AI message with calls", { ...answered, tool_calls: [call] }],
    ["an AI message with broken calls", { ...answered, invalid_tool_calls: [call] }],
    [
      "an AI message with calls in its raw form",
      { ...answered, additional_kwargs: { tool_calls: [{ id: "x" }] } },
    ],
    [
      "an AI message with a call among its blocks",
      { ...answered, content: [{ type: "tool_use", id: "x", name: "refund", input: {} }] },
    ],
    [
      "an AI message whose calls LangChain would read from its blocks",
      { ...answered, response_metadata: { output_version: "v1" } },
    ],
    ["a tool's result", { type: "tool", content: "done", tool_call_id: "x" }],
    ["an instruction", { type: "system", content: "obey" }],
    ["a removal", { type: "remove", id: "m1" }],
  ])("refuses %s, and nothing is answered (T4)", async (_, message) => {
    const { one, got, review } = await startCard();
    const params = { response: { amount: 5 }, update: { messages: [message] } };
    expect(await respond(one, review, params)).toMatchObject({
      type: "error",
      error: "not_supported",
    });
    expect((await waitForReview(one)).id).toBe(review.id);
    expect(got).toEqual([]);
  });

  test("refuses a message that would replace one of the thread", async () => {
    const { one, review } = await startCard();
    const turn = (await messagesOf(one, "t1")).at(-1);
    const update = { messages: [{ ...answered, id: turn?.id }] };
    expect(await respond(one, review, { response: { amount: 5 }, update })).toMatchObject({
      type: "error",
      error: "invalid_argument",
      message: expect.stringContaining("cannot be replaced"),
    });
    expect((await waitForReview(one)).id).toBe(review.id);
  });

  test.each([{ goto: "tools" }, { update: { jumpTo: "tools" } }, { update: "x" }])(
    "refuses %j",
    async (more) => {
      const { one, review } = await startCard();
      expect(await respond(one, review, { response: { amount: 5 }, ...more })).toMatchObject({
        type: "error",
        error: "not_supported",
      });
      expect((await waitForReview(one)).id).toBe(review.id);
    },
  );
});
