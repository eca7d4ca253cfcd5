import { holdAgent } from "@holdpoint/langchain";
import { callsOnce, ScriptedModel } from "@holdpoint/langchain/testing";
import { tool } from "langchain";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { startForTest, startRun, waitForReview, waitUntilIdle } from "../testing/conversation.ts";
import type { TestServer } from "../testing/test-server.ts";

/** All that a stream of the thread has said so far, as text. */
async function openStream(one: TestServer): Promise<() => string> {
  const abort = new AbortController();
  onTestFinished(() => abort.abort());
  const response = await fetch(`${one.server.url}/threads/t1/stream/events`, {
    method: "POST",
    headers: { cookie: one.cookie },
    body: "{}",
    signal: abort.signal,
  });
  let text = "";
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  };
  read().catch(() => undefined); // ends with the test
  return () => text;
}

/** The numbers of the events in a stream's text. */
function numbersIn(text: string): readonly number[] {
  return [...text.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number));
}

test("a page of one server hears, in order and once, what the other runs and who answered through it", async () => {
  const first = await startForTest();
  const second = await startForTest({ dataFolder: first.dataFolder });
  await startRun(second, "t1");
  await waitForReview(second);
  const text = await openStream(first);
  await vi.waitFor(() => expect(text()).toContain("input.requested"), 5_000);
  const { interruptId } = await waitForReview(second);
  const approve = { decisions: [{ type: "approve" }] };
  await second.command("t1", "input.respond", { interrupt_id: interruptId, response: approve });
  await waitUntilIdle(second, "t1");
  const done = /input\.answered[^]*"completed","graph_name":"writer"/;
  await vi.waitFor(() => expect(text()).toMatch(done), 5_000);
  const numbers = numbersIn(text());
  expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
  expect([...first.ran, ...second.ran]).toEqual(["a=x"]);
});

test("a session counts on each server of one database", async () => {
  const first = await startForTest();
  const second = await startForTest({ dataFolder: first.dataFolder });
  const headers = { cookie: first.cookie };
  expect((await fetch(`${second.server.url}/api/session`, { headers })).status).toBe(200);
});

test("a run that one server works on can be stopped through the other, and its tool is told", async () => {
  let begun = 0;
  let isStopped = false;
  const slow = tool(
    (_args, { signal }: { signal?: AbortSignal }) =>
      new Promise<string>((resolve) => {
        begun += 1;
        signal?.addEventListener("abort", () => {
          isStopped = true;
          resolve("stopped");
        });
      }),
    { name: "slow", description: "waits to be stopped", schema: z.object({}) },
  );
  const first = await startForTest({
    create: ({ holdpoint }) =>
      holdAgent({
        name: "writer",
        holdpoint,
        tools: [slow],
        interruptOn: { slow: false },
        model: new ScriptedModel(callsOnce({ name: "slow", args: {} })),
      }),
  });
  const run = await startRun(first, "t1");
  await vi.waitFor(() => expect(begun).toBe(1), 5_000);
  const second = await startForTest({ dataFolder: first.dataFolder });
  const text = await openStream(first);
  const cancelled = await second.request(`/threads/t1/runs/${run}/cancel`, { body: {} });
  expect(cancelled.status).toBe(202);
  await vi.waitFor(() => expect(isStopped).toBe(true), 5_000);
  await vi.waitFor(() => expect(text()).toContain('"interrupted","graph_name":"writer"'), 5_000);
  expect(text()).not.toContain('"failed"');
  expect(begun).toBe(1);
});
