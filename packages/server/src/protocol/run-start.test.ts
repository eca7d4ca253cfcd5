import { AIMessage } from "@langchain/core/messages";
import { expect, test, vi } from "vitest";
import {
  hello,
  messagesOf,
  startForTest,
  startRun,
  waitUntilIdle,
} from "../testing/conversation.ts";
import type { TestServer } from "../testing/test-server.ts";

async function finished(one: TestServer, messages: number): Promise<void> {
  await vi.waitFor(async () => {
    expect(await messagesOf(one, "t1")).toHaveLength(messages);
    await waitUntilIdle(one, "t1");
  }, 5_000);
}

test.each(["human", "ai", "tool"])(
  "a client cannot replace the %s message of a thread by sending another under its id (H7, T8)",
  async (type) => {
    const one = await startForTest({ free: true });
    await startRun(one, "t1");
    await finished(one, 4);
    const before = await messagesOf(one, "t1");
    const id = before.find((message) => message.type === type)?.id;
    const forged = [
      { type: "human", content: "FORGED", id },
      { type: "human", content: "new", id: "m2" },
    ];
    const input = { assistant_id: "writer", input: { messages: forged } };
    expect((await one.command("t1", "run.start", input)).body).toMatchObject({
      type: "error",
      error: "invalid_argument",
      message: expect.stringContaining(`a message ${id} already`),
    });
    expect(await messagesOf(one, "t1")).toEqual(before);
  },
);

test("the messages of a finished run sent again still give that run", async () => {
  const one = await startForTest({ free: true });
  const run = await startRun(one, "t1");
  await finished(one, 4);
  expect(await startRun(one, "t1")).toBe(run);
});

test("ids with spaces are not taken for others: a b is not a and b (T32)", async () => {
  const one = await startForTest({ free: true });
  const run = await startRun(one, "t1", "a b");
  await finished(one, 4);
  const { body } = await one.command("t1", "run.start", hello("a", "b"));
  expect(body).toMatchObject({ type: "success" });
  expect(body["result"]).not.toEqual({ run_id: run });
});

test("a message that is sent again after its run failed is answered (M12, T33)", async () => {
  let down = true;
  const script = () => {
    if (down) throw new Error("down");
    return new AIMessage("hi");
  };
  const one = await startForTest({ script });
  const run = await startRun(one, "t1");
  await vi.waitFor(async () => {
    const state = await one.request("/threads/t1/state");
    expect(JSON.stringify(state.body["tasks"])).toContain("failed");
    down = false;
    expect(await startRun(one, "t1")).not.toBe(run);
  }, 5_000);
  await vi.waitFor(async () => {
    expect((await messagesOf(one, "t1")).map((message) => message.type)).toEqual(["human", "ai"]);
  }, 5_000);
});
