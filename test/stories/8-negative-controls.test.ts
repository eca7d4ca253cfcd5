import { afterEach, expect, test } from "vitest";
import { killedDuringTool, slowTools } from "./plays/killed-during-tool.ts";
import { twoTabsDecide } from "./plays/two-tabs.ts";
import { waitThroughKill } from "./plays/wait-through-kill.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
});

// Each play is seen to fail on a fault seeded into the product; a play that passes here proves nothing.

test("a gate that lets everything run is caught by the held write", async () => {
  stage = await openStage({ language: "zh-CN", fault: "gate-open" });
  await expect(waitThroughKill(stage)).rejects.toThrow("review-card");
  expect(stage.starts()).toEqual(["write_file"]);
});

test("a pause without its review is caught by the held write", async () => {
  stage = await openStage({ language: "zh-CN", fault: "review-not-opened" });
  await expect(waitThroughKill(stage)).rejects.toThrow("review-card");
});

test("an unknown run that simply starts again is caught by the kill during the tool", async () => {
  stage = await openStage({ env: slowTools, fault: "unknown-runs-again" });
  await expect(killedDuringTool(stage)).rejects.toThrow("approve");
  expect(stage.starts().length).toBeGreaterThan(1);
});

test("a second decision that replaces the first is caught by the two tabs", async () => {
  stage = await openStage({ fault: "second-decision-wins" });
  await expect(twoTabsDecide(stage, 8)).rejects.toThrow(/outcome|conflict|deeply equal/);
});
