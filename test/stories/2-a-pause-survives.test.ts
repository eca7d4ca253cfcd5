import { afterEach, expect, test, vi } from "vitest";
import { cards, hears, openStage, picture, say, type Stage } from "./stage.ts";

let stage: Stage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

const request = "请把“你好，世界。这是第一行。”写到 笔记/问候.txt";
const path = "笔记/问候.txt";
const content = "你好，世界。这是第一行。";

test("a held write waits through kill -9, shows in chat and inbox, and runs once after its approval", async () => {
  stage = await openStage({ language: "zh-CN" });
  const page = await stage.openChat();
  await say(page, request);
  await cards(page).waitFor();
  await picture(page, "story-2-card-in-chat");
  const inbox = await stage.openInbox();
  await inbox.getByTestId("inbox-row").waitFor();
  await picture(inbox, "story-2-card-in-inbox");
  expect(stage.file(path)).toBeUndefined();

  await stage.restart();
  await page.reload();
  await cards(page).waitFor();
  expect(await cards(page).count()).toBe(1);
  await page.getByTestId("approve").click();
  await hears(page, /问候\.txt/);
  await vi.waitFor(() => expect(stage?.file(path)).toBe(content));
  await page.getByTestId("outcome").waitFor();
  await picture(page, "story-2-done");
  expect(stage.starts()).toEqual(["write_file"]);
});

test("killed between the decision and the tool's start: it runs once after the restart", async () => {
  stage = await openStage({ env: { HOLDPOINT_FAILPOINT: "decide.after_commit" } });
  const page = await stage.openChat();
  await say(page, 'Save "kept" to notes/kept.txt');
  await page.getByTestId("approve").click();
  await vi.waitFor(
    async () => await expect(fetch(stage?.server().url ?? "")).rejects.toThrow(),
    10_000,
  );
  expect(stage.starts()).toEqual([]);
  expect(stage.file("notes/kept.txt")).toBeUndefined();

  await stage.startAgain();
  await vi.waitFor(() => expect(stage?.file("notes/kept.txt")).toBe("kept"), 10_000);
  await page.reload();
  await hears(page, /kept\.txt/);
  expect(stage.starts()).toEqual(["write_file"]);
});

test("killed during the tool: nobody knows whether it ran, a person is asked, and it does not run by itself", async () => {
  stage = await openStage({ env: { HOLDPOINT_TOOL_DELAY_MS: "30000" } });
  const page = await stage.openChat();
  await say(page, 'Save "maybe" to notes/maybe.txt');
  await page.getByTestId("approve").click();
  await vi.waitFor(() => expect(stage?.starts()).toEqual(["write_file"]), 10_000);

  await stage.restart();
  await page.reload();
  const card = cards(page).filter({ has: page.getByTestId("approve") });
  await card.waitFor();
  await picture(page, "story-2-may-have-run");
  expect(stage.file("notes/maybe.txt")).toBeUndefined();
  expect(stage.starts()).toEqual(["write_file"]);

  await card.getByTestId("approve").click();
  await hears(page, /maybe\.txt/);
  await vi.waitFor(() => expect(stage?.file("notes/maybe.txt")).toBe("maybe"));
  expect(stage.starts()).toEqual(["write_file", "write_file"]);
});
