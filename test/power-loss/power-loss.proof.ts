import { expect, test } from "vitest";
import { powerCuts } from "./power-cuts.ts";
import { powerFaults, record, roundsRecorded } from "./record.ts";

const seed = Number(process.env["HOLDPOINT_SEED"] ?? Math.floor(Math.random() * 1e9));
const cuts = Number(process.env["HOLDPOINT_CUTS"] ?? 100);
const replay = `replay it with: npm run proof -- --cuts ${cuts} --seed ${seed}`;

test(
  `G2, F18: over ${cuts} power cuts no acknowledged decision is lost, and nothing is torn`,
  async () => {
    const found = await powerCuts(await record(seed, roundsRecorded), cuts, seed);
    expect(found.violations, replay).toEqual([]);
    expect(found.decisions, replay).toBeGreaterThan(50);
    expect(found.lookedUp, replay).toBeGreaterThan(found.acknowledged);
    expect(found.lossy, replay).toBeGreaterThan(cuts / 4);
  },
  600_000 + cuts * 1000,
);

test.each(powerFaults)(
  "the harness catches %s: what was acknowledged is lost",
  async (fault) => {
    const found = await powerCuts(await record(1, roundsRecorded, fault), 100, 1);
    expect(found.violations.join("\n")).toMatch(/not kept: /);
  },
  120_000,
);
