import { afterAll, beforeAll, expect, test } from "vitest";
import { cards, openStage, picture, say, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ language: "zh-CN", width: 360 });
});
afterAll(() => stage.close());

test("the message is refused with a sentence that points to the card, and the card stays", async () => {
  const page = await stage.openChat();
  await say(page, "把“你好”保存到 notes/问候.txt");
  await cards(page).waitFor();
  await say(page, "顺便看看 notes/today.md");
  await page.getByTestId("chat-error").waitFor();
  await picture(page, "story-6-refused-360");
  expect(await page.getByTestId("chat-error").textContent()).toMatch(/决定|审批|处理/);
  expect(await cards(page).count()).toBe(1);
  expect(await page.getByTestId("approve").count()).toBe(1);
  expect(await page.getByTestId("chat-input").inputValue()).toContain("顺便");
});
