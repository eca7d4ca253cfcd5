import { expect, test } from "vitest";
import { createRepeatingFetch } from "./repeating-fetch.ts";

const noPause = () => Promise.resolve();

function answering(...answers: readonly (number | Error)[]) {
  const sent: unknown[] = [];
  const send: typeof fetch = async (_input, init) => {
    sent.push(init?.body);
    const answer = answers[Math.min(sent.length - 1, answers.length - 1)];
    if (answer instanceof Error) throw answer;
    return new Response("", { status: answer ?? 200 });
  };
  return { sent, fetch: createRepeatingFetch(send, noPause) };
}

test("a lost reply is asked for again with the same body", async () => {
  const { sent, fetch } = answering(new TypeError("Failed to fetch"), 200);
  expect((await fetch("/commands", { method: "POST", body: "{}" })).status).toBe(200);
  expect(sent).toEqual(["{}", "{}"]);
});

test("a refusal is not repeated", async () => {
  const { sent, fetch } = answering(401);
  expect((await fetch("/commands", { method: "POST", body: "{}" })).status).toBe(401);
  expect(sent).toHaveLength(1);
});

test("it gives up in the end, with the last answer or error", async () => {
  expect((await answering(503).fetch("/commands")).status).toBe(503);
  await expect(answering(new TypeError("Failed to fetch")).fetch("/commands")).rejects.toThrow(
    "Failed to fetch",
  );
});

test("what was stopped is not repeated", async () => {
  const { sent, fetch } = answering(new DOMException("stopped", "AbortError"));
  await expect(fetch("/commands")).rejects.toThrow("stopped");
  expect(sent).toHaveLength(1);
});
