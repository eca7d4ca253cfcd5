import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { cards, hears, openStage, picture, say, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

type Message = {
  readonly type: string;
  readonly tool_calls?: { id: string }[];
  readonly tool_call_id?: string;
  readonly name?: string;
};

test("one free call runs while two are held; one is approved, one rejected; each ends with one result, in order", async () => {
  const page = await stage.openChat();
  await say(
    page,
    'Read notes/today.md, write "done" to reports/status.md and delete reports/q3.md',
  );
  await vi.waitFor(async () => expect(await page.getByTestId("approve").count()).toBe(2), 10_000);
  await picture(page, "story-4-two-held");
  expect(await page.getByTestId("tool-result").count()).toBe(1);

  await cards(page).filter({ hasText: "reports/q3.md" }).getByTestId("reject").click();
  await page.getByTestId("send-reject").click();
  await vi.waitFor(async () => expect(await page.getByTestId("approve").count()).toBe(1), 10_000);
  await cards(page).filter({ hasText: "reports/status.md" }).getByTestId("approve").click();
  await vi.waitFor(() => expect(stage.file("reports/status.md")).toBe("done"), 10_000);
  await hears(page, /status\.md/);
  expect(stage.file("reports/q3.md")).toBeDefined();

  const threadId = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const state = await page.request.get(`${stage.server().url}/threads/${threadId}/state`);
  const { values } = (await state.json()) as { values: { messages: Message[] } };
  const calls = values.messages
    .flatMap((message) => message.tool_calls ?? [])
    .map((call) => call.id);
  const results = values.messages
    .filter((message) => message.type === "tool")
    .map((message) => message.tool_call_id);
  expect(calls).toHaveLength(3);
  expect(results).toEqual(calls);
  await picture(page, "story-4-done");
});
