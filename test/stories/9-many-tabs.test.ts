import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { cards, hears, openStage, say, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
  await stage.context.clock.install();
});
afterAll(() => stage.close());

/** Headless pages always count as seen; this says otherwise, as another tab in front would. */
async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate((value) => {
    const state = value ? "hidden" : "visible";
    Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
}

test("chats in hidden tabs leave connections for the one in front, and catch up when they are seen again", async () => {
  const tabs: Page[] = [];
  for (let tab = 0; tab < 5; tab += 1) {
    const page = await stage.openChat();
    await say(page, `Save "tab ${tab}" to tabs/${tab}.txt`);
    await cards(page).waitFor();
    await setHidden(page, true);
    await page.clock.fastForward(15_000);
    tabs.push(page);
  }
  const [first] = tabs;
  if (first === undefined) throw new Error("no tab");
  await setHidden(first, false);
  await first.getByTestId("approve").click();
  await hears(first, /wrote/i);
  await vi.waitFor(() => expect(stage.file("tabs/0.txt")).toBe("tab 0"));
  expect(await cards(first).count()).toBeLessThanOrEqual(1);
});
