import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Engine, openEngine } from "@holdpoint/engine";
import { restoreBackup, writeBackup } from "@holdpoint/engine/backup";
import { expect, onTestFinished, test } from "vitest";
import { recordedVote } from "../index.ts";
import { type Place, sealedAgent, turns } from "./set-up.ts";

const script = turns([{ name: "a", args: { x: 1 } }]);
const anna = { id: "anna", name: "Anna" };

test("F19: after a restore a person is asked about a call that was approved before, which then runs once more only if they say so", async () => {
  const folder = mkdtempSync(join(tmpdir(), "restored-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "holdpoint.db");
  const backup = join(folder, "backup.db");
  const ran: string[] = [];
  const open = async () => {
    const engine: Engine = await openEngine({ database: `file:${path}` });
    // holdAgent keeps its threads in the engine; the place's checkpointer is not used.
    const ours = sealedAgent(
      { holdpoint: engine } as Place,
      { interruptOn: { a: true } },
      { script, ran },
    );
    return { engine, ours };
  };
  const first = await open();
  await first.ours.ask();
  const { id } = await first.ours.onlyPending();
  const [review] = await first.engine.openReviewsOf("t1");
  if (review === undefined) throw new Error("the call waits");
  const decisions = review.actions.map((action) => ({
    actionId: action.id,
    decision: { type: "approve" } as const,
  }));
  await first.engine.decide({ reviewId: review.id, decisions, reviewer: anna });
  writeBackup(path, backup);
  await first.ours.resume({ [id]: recordedVote });
  expect(ran).toEqual([`a {"x":1}`]);
  await first.engine.close();

  await restoreBackup({ backup, path });
  const second = await open();
  onTestFinished(() => second.engine.close());
  await second.ours.resume({ [id]: recordedVote });
  expect(ran).toHaveLength(1);
  const asked = await second.ours.pending();
  expect(asked.at(-1)?.value).toMatchObject({
    cause: "unknown_receipt",
    actionRequests: [
      {
        reason:
          "a was approved before the database was restored from a backup; it may have run since.",
      },
    ],
  });
  const again = asked.at(-1)?.id ?? "";
  await second.ours.resume({ [again]: { decisions: [{ type: "approve" }] } });
  expect(ran).toHaveLength(2);
});
