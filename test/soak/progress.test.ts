import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder } from "../harness/temporary-folder.ts";
import { type Counted, sumOf } from "./counted.ts";
import { openProgress } from "./progress.ts";

const first = { number: 0, size: 25 };
const second = { number: 1, size: 25 };

function counted(kills: number): Counted {
  return { counts: { kills }, killedAt: { idle: 1 }, violations: [] };
}

test("a soak that is stopped has what it had counted, also when the last line was cut short", async () => {
  const { path, remove } = await makeFolder("progress");
  onTestFinished(remove);
  const control = { what: "errs", fault: "fault", found: "yes" };
  const before = openProgress("kills-1-code", path);
  before.add({ control });
  before.add({ piece: first, counted: counted(25) });
  appendFileSync(join(path, "kills-1-code.jsonl"), '\n{"seconds":1,"piece":{"num');

  const after = openProgress("kills-1-code", path);
  expect(after.counted(second)).toBeUndefined();
  after.add({ piece: second, counted: counted(24) });

  const again = openProgress("kills-1-code", path);
  expect(again.controls()).toEqual([control]);
  const all = [first, second].flatMap((piece) => again.counted(piece) ?? []);
  expect(sumOf(all)).toEqual({ counts: { kills: 49 }, killedAt: { idle: 2 }, violations: [] });
  expect(again.counted({ number: 1, size: 10 })).toBeUndefined();
  expect(openProgress("kills-1-other", path).counted(first)).toBeUndefined();
});
