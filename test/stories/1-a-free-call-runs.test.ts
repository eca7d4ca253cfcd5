import { afterAll, beforeAll, expect, test } from "vitest";
import { cards, hears, openStage, picture, say, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

test("reading a file runs without a card, and the agent tells what it says", async () => {
  const page = await stage.openChat();
  await say(page, "What's in notes/today.md?");
  const text =
    stage
      .file("notes/today.md")
      ?.split("\n")
      .find((line) => line.length > 10) ?? "";
  await hears(page, new RegExp(text.slice(0, 20).replace(/[^\w ]/g, ".")));
  expect(await cards(page).count()).toBe(0);
  await picture(page, "story-1-read");
});
