import { interrupt } from "@langchain/langgraph";
import { tool } from "langchain";
import { holdAgent } from "@holdpoint/langchain";
import { callsOnce, ScriptedModel } from "@holdpoint/langchain/testing";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { startForTest, startRun, waitForReview } from "../testing/conversation.ts";
import type { TestServer } from "../testing/test-server.ts";

/** A server whose agent asks for two writes in one review. */
async function startPair(): Promise<{ one: TestServer; ran: readonly string[] }> {
  const ran: string[] = [];
  const write = tool(
    ({ text }) => {
      ran.push(text);
      return "ok";
    },
    { name: "write", description: "writes", schema: z.object({ text: z.string() }) },
  );
  const calls = ["a", "b"].map((text) => ({ name: "write", args: { text } }));
  const one = await startForTest({
    create: ({ holdpoint }) =>
      holdAgent({
        name: "writer",
        holdpoint,
        tools: [write],
        interruptOn: { write: true },
        interruptMode: "batched",
        model: new ScriptedModel(callsOnce(...calls)),
      }),
  });
  return { one, ran };
}

describe("an answer that names one of its actions", () => {
  test.each(["actionId", "action_id"])(
    "as %s must name all of them, and is never read by position (H1, T21)",
    async (key) => {
      const { one, ran } = await startPair();
      await startRun(one, "t1");
      const { interruptId, actions } = await waitForReview(one);
      const [first, second] = actions.map((action) => action.id);
      const respond = async (decisions: readonly object[]) =>
        (
          await one.command("t1", "input.respond", {
            interrupt_id: interruptId,
            response: { decisions },
          })
        ).body;
      const approve = { type: "approve" };
      const reject = { type: "reject" };
      for (const wrong of [
        [{ ...approve, [key]: second }, reject],
        [
          { ...approve, [key]: second },
          { ...reject, [key]: 7 },
        ],
        [
          { ...approve, [key]: second },
          { ...reject, [key]: "act_unknown" },
        ],
        [
          { ...approve, [key]: second },
          { ...reject, [key]: second },
        ],
        [{ ...approve, [key]: null }, reject],
      ]) {
        expect(await respond(wrong)).toMatchObject({ type: "error", error: "invalid_argument" });
      }
      expect(ran).toEqual([]);
      const right = [
        { ...approve, [key]: second },
        { ...reject, [key]: first },
      ];
      expect(await respond(right)).toMatchObject({ type: "success" });
      await vi.waitFor(() => expect(ran).toEqual(["b"]), 5_000);
    },
  );
});

test("a review of which only a part is decided stays on the pages (M7)", async () => {
  const { one } = await startPair();
  await startRun(one, "t1");
  const review = await waitForReview(one);
  const heard = await listen(one, "t1");
  const decide = (index: number) =>
    one.request(`/api/reviews/${review.id}/decisions`, {
      body: { decisions: [{ actionId: review.actions[index]?.id, decision: { type: "reject" } }] },
    });
  expect((await decide(0)).body).toMatchObject({ status: "open" });
  expect((await decide(1)).body).toMatchObject({ status: "decided" });
  await vi.waitFor(() => expect(heard()).toContain("completed"), 5_000);
  expect(heard().match(/event: input\.answered/g)).toHaveLength(1);
});

test("a question that is decided at once is never shown after its answer (M6)", async () => {
  const one = await startForTest();
  const threads = await Promise.all(
    Array.from({ length: 12 }, async (_, number) => {
      const threadId = `t${number}`;
      const heard = await listen(one, threadId);
      await startRun(one, threadId);
      return { threadId, heard };
    }),
  );
  const decided = new Set<string>();
  await vi.waitFor(
    async () => {
      const { body } = await one.request("/api/reviews?limit=200");
      const reviews = body["reviews"] as { id: string; actions: { id: string }[] }[]; // the route lists them
      for (const { id, actions } of reviews) {
        decided.add(id);
        const decisions = [{ actionId: actions[0]?.id, decision: { type: "approve" } }];
        await one.request(`/api/reviews/${id}/decisions`, { body: { decisions } });
      }
      expect(decided.size).toBe(threads.length);
    },
    { timeout: 8_000, interval: 1 },
  );
  await vi.waitFor(() => expect(one.ran).toHaveLength(threads.length), 5_000);
  await vi.waitFor(() => {
    for (const { heard } of threads) expect(heard()).toContain("completed");
  }, 5_000);
  for (const { heard } of threads) {
    const asked = heard().lastIndexOf("event: input.requested");
    expect(asked).toBeLessThanOrEqual(heard().lastIndexOf("event: input.answered"));
  }
}, 20_000);

test("an answer to a tool's question that no decision may carry is refused in one sentence (M17, T20)", async () => {
  const got: unknown[] = [];
  const ask = tool(
    () => {
      got.push(interrupt("what?"));
      return "got it";
    },
    { name: "ask", description: "asks", schema: z.object({}) },
  );
  const one = await startForTest({
    create: ({ holdpoint }) =>
      holdAgent({
        name: "writer",
        holdpoint,
        tools: [ask],
        interruptOn: { ask: false },
        model: new ScriptedModel(callsOnce({ name: "ask", args: {} })),
      }),
  });
  await startRun(one, "t1");
  const { id, interruptId } = await waitForReview(one);
  const respond = async (answer: object) =>
    (await one.command("t1", "input.respond", { interrupt_id: interruptId, ...answer })).body;
  for (const answer of [
    { response: "" },
    { response: "\ud800" },
    { response: "x".repeat(10_001) },
  ]) {
    expect(await respond(answer)).toMatchObject({
      type: "error",
      error: "invalid_argument",
      message: expect.stringMatching(new RegExp(`^The answer to review ${id} cannot be used: `)),
    });
  }
  expect(await respond({ response: "this" })).toMatchObject({ type: "success" });
  await vi.waitFor(() => expect(got).toEqual(["this"]), 5_000);
});

/** Opens a thread's stream and gives what has been heard on it so far. */
async function listen(one: TestServer, threadId: string): Promise<() => string> {
  const response = await fetch(`${one.server.url}/threads/${threadId}/stream/events`, {
    method: "POST",
    headers: { cookie: one.cookie },
    body: JSON.stringify({ channels: ["input", "lifecycle"], namespaces: [[]], depth: 0 }),
  });
  let text = "";
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  };
  read().catch(() => undefined); // cut when the server closes
  return () => text;
}
