import { expect, vi } from "vitest";
import { cards, hears, picture, say, type Stage } from "../stage.ts";

const request = "请把“你好，世界。这是第一行。”写到 笔记/问候.txt";
const path = "笔记/问候.txt";
const content = "你好，世界。这是第一行。";

/** A write is held, shown in chat and inbox, survives a kill -9, and runs once after its approval. */
export async function waitThroughKill(stage: Stage): Promise<void> {
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
  await hears(page, /已写入/);
  await vi.waitFor(() => expect(stage.file(path)).toBe(content));
  await page.getByTestId("outcome").or(page.getByTestId("tool-result")).first().waitFor();
  await picture(page, "story-2-done");
  expect(stage.starts()).toEqual(["write_file"]);
}
