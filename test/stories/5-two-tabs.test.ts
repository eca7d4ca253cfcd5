import { afterAll, beforeAll, test } from "vitest";
import { twoTabsDecide } from "./plays/two-tabs.ts";
import { openStage, type Stage } from "./stage.ts";

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const rounds = 50;

test(
  `two tabs decide at the same moment, ${rounds} times: one outcome, one receipt, one continuation`,
  () => twoTabsDecide(stage, rounds),
  600_000,
);
