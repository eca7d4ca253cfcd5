import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { cards, hears, openStage, picture, say, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterEach(() => stage.closePages());
afterAll(() => stage.close());

/** The card waits while the server is killed and started again, as in every pause. */
async function throughRestart(page: Page): Promise<void> {
  await cards(page).waitFor();
  await stage.restart();
  await page.reload();
  await cards(page).waitFor();
}

test("an edit shows its diff before it is sent, and exactly the edited call runs", async () => {
  const page = await stage.openChat();
  await say(page, 'Save "draft text" to notes/edited.txt');
  await throughRestart(page);
  await page.getByTestId("edit").click();
  await page.getByTestId("field:content").fill("final text");
  await page.getByTestId("review-diff").click();
  await picture(page, "story-3-edit-diff");
  await page.getByTestId("send-edit").click();
  await vi.waitFor(() => expect(stage.file("notes/edited.txt")).toBe("final text"), 10_000);
  await picture(page, "story-3-edited");
});

test("a rejection with a reason is followed: the agent tries again differently", async () => {
  const page = await stage.openChat();
  await say(page, 'Save "totals" to reports/q3.md');
  const before = stage.file("reports/q3.md");
  await throughRestart(page);
  await page.getByTestId("reject").click();
  await page.getByTestId("preset:risk").click();
  await page.getByTestId("instead").fill("write it to notes/totals.txt");
  await picture(page, "story-3-reject");
  await page.getByTestId("send-reject").click();
  const second = cards(page).filter({ hasText: "notes/totals.txt" });
  await second.waitFor();
  expect(stage.file("reports/q3.md")).toBe(before);
  await second.getByTestId("approve").click();
  await vi.waitFor(() => expect(stage.file("notes/totals.txt")).toBe("totals"), 10_000);
});

test("a rejection without a reason ends it: the agent does not try again", async () => {
  const page = await stage.openChat();
  await say(page, "Delete notes/today.md");
  await throughRestart(page);
  await page.getByTestId("reject").click();
  await page.getByTestId("send-reject").click();
  await hears(page, /not (delete|try|do)|n't/i);
  await page.waitForTimeout(1_000); // time in which a second card would have come
  expect(await page.getByTestId("approve").count()).toBe(0);
  expect(stage.file("notes/today.md")).toBeDefined();
  await picture(page, "story-3-rejected");
});

test("a question is answered by a person, and the agent goes on with the answer", async () => {
  const page = await stage.openChat();
  await say(page, "Ask me which colour I like");
  await throughRestart(page);
  expect(await page.getByTestId("approve").count()).toBe(0);
  await page.getByTestId("respond").click();
  await page.getByTestId("respond-text").fill("A deep sea green");
  await picture(page, "story-3-question");
  await page.getByTestId("send-respond").click();
  await hears(page, /deep sea green/i);
});

test("deleting and mailing offer no edit, and a small refund needs nobody", async () => {
  const page = await stage.openChat();
  await say(page, "Delete notes/today.md");
  await cards(page).waitFor();
  expect(await page.getByTestId("edit").count()).toBe(0);
  await stage.closePages();
  const other = await stage.openChat();
  await say(other, "Refund order A-1001 by 250 EUR");
  await hears(other, /A-1001/);
  expect(await cards(other).count()).toBe(0);
});
