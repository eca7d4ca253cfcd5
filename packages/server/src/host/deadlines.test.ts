import { DatabaseSync } from "node:sqlite";
import { join } from "node:path";
import { expiredText } from "@holdpoint/core";
import { holdAgent } from "@holdpoint/langchain";
import { callsOnce, ScriptedModel } from "@holdpoint/langchain/testing";
import { tool } from "langchain";
import { expect, test } from "vitest";
import { z } from "zod";
import {
  messagesOf,
  startForTest,
  startRun,
  waitForReview,
  waitUntilIdle,
} from "../testing/conversation.ts";

test("a hosted thread goes on by itself when its deadline passes, and its pages and the API say why", async () => {
  const ran: string[] = [];
  const one = await startForTest({
    create: ({ holdpoint }) => {
      const write = tool(async () => void ran.push("write"), {
        name: "write",
        description: "writes",
        schema: z.object({}),
      });
      const interruptOn = { write: { allowedDecisions: ["approve"], deadline: 700 } } as const;
      const model = new ScriptedModel(callsOnce({ name: "write", args: {} }));
      return holdAgent({ name: "writer", holdpoint, tools: [write], interruptOn, model });
    },
  });
  await startRun(one, "t1");
  const review = await waitForReview(one);
  expect(review).toMatchObject({ deadline: { outcome: "rejected" } });
  await waitUntilIdle(one, "t1");
  const path = `/api/reviews/${review.id}`;
  expect((await one.request(path)).body).toMatchObject({
    status: "decided",
    actions: [{ status: "decided", outcome: { type: "rejected", cause: "deadline" } }],
  });
  const messages = await messagesOf(one, "t1");
  expect(messages.find(({ type }) => type === "tool")).toMatchObject({
    content: expiredText("write"),
  });
  const [action] = review.actions;
  const decisions = [{ actionId: action?.id, decision: { type: "approve" } }];
  const late = await one.request(`${path}/decisions`, { method: "POST", body: { decisions } });
  expect(late).toMatchObject({ status: 409, body: { error: { code: "deadline_passed" } } });
  expect(ran).toEqual([]);
  const raw = new DatabaseSync(join(one.dataFolder, "holdpoint.db"), { timeout: 5_000 });
  const told = raw.prepare("SELECT body FROM run_events WHERE method = 'input.answered'").all();
  raw.close();
  expect(told.map(({ body }) => String(body)).join()).toContain(review.interruptId);
});
