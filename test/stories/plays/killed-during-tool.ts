import { expect, vi } from "vitest";
import { cards, hears, picture, say, type Stage } from "../stage.ts";

/** The delay that keeps a tool busy long enough to be killed. */
export const slowTools = { HOLDPOINT_TOOL_DELAY_MS: "30000" };

/** Killed during the tool: a person is asked, and it runs again only when that person says so. */
export async function killedDuringTool(stage: Stage): Promise<void> {
  const page = await stage.openChat();
  await say(page, 'Save "maybe" to notes/maybe.txt');
  await page.getByTestId("approve").click();
  await vi.waitFor(() => expect(stage.starts()).toEqual(["write_file"]), 10_000);

  await stage.restart();
  await page.reload();
  const card = cards(page).filter({ has: page.getByTestId("approve") });
  await card.waitFor();
  await picture(page, "story-2-may-have-run");
  expect(stage.file("notes/maybe.txt")).toBeUndefined();
  expect(stage.starts()).toEqual(["write_file"]);

  await card.getByTestId("approve").click();
  await hears(page, /written|wrote|saved|maybe\.txt/i);
  await vi.waitFor(() => expect(stage.file("notes/maybe.txt")).toBe("maybe"));
  expect(stage.starts()).toEqual(["write_file", "write_file"]);
}
