import { expect, test } from "vitest";
import { compareSlowly } from "./compare.ts";
import { playSeeds } from "./play-seeds.ts";

// Two files, so that both cores play.
playSeeds(0, 500);

test("a slower MemorySaver is no different: what differs in ours is no race in the program", async () => {
  for (let seed = 0; seed < 60; seed += 1) expect(await compareSlowly(seed)).toBeUndefined();
});
