import { afterEach, expect, test, vi } from "vitest";
import { killedDuringTool, slowTools } from "./plays/killed-during-tool.ts";
import { waitThroughKill } from "./plays/wait-through-kill.ts";
import { hears, openStage, say, type Stage } from "./stage.ts";

let stage: Stage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

test("a held write waits through kill -9, shows in chat and inbox, and runs once after its approval", async () => {
  stage = await openStage({ language: "zh-CN" });
  await waitThroughKill(stage);
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
  stage = await openStage({ env: slowTools });
  await killedDuringTool(stage);
});
