import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ReviewDraft } from "@holdpoint/core";
import { describe, expect, test } from "vitest";
import { firstBrokenEvent } from "./audit/chain.ts";
import { type Child, startChild } from "./testing/child-process.ts";
import type { EngineCommand } from "./testing/engine-child.ts";
import { canLimitFiles, limitFiles } from "../../../test/harness/file-size-limit.ts";
import { openRaw } from "./testing/raw-database.ts";
import { aDraft, anna } from "./testing/review-draft.ts";
import { openTestEngine, temporaryFile } from "./testing/temporary-engine.ts";

const engineChild = new URL("./testing/engine-child.ts", import.meta.url);
const applyFault = fileURLToPath(new URL("../../../test/faults/apply-fault.mjs", import.meta.url));

/** How much more room each attempt has than the one before, in bytes: less than a page and its header. */
const step = 2048;

async function tell(child: Child, command: EngineCommand): Promise<unknown> {
  child.send(JSON.stringify(command));
  for (;;) {
    const line = await child.next();
    if (!line.startsWith("fault ")) return JSON.parse(line);
  }
}

async function startEngine(path: string, fault?: string): Promise<Child> {
  const faulty = { HOLDPOINT_FAULT: fault ?? "", NODE_OPTIONS: `--import=${applyFault}` };
  const child = startChild(engineChild, [], fault === undefined ? {} : faulty);
  while ((await child.next()) !== "ready");
  await tell(child, { type: "open", database: `file:${path}` });
  return child;
}

/** What a life with a disk that was full again and again has come to. */
type Life = {
  readonly acknowledged: readonly ReviewDraft[];
  readonly refusals: readonly unknown[];
  readonly problems: readonly string[];
};

/** Holds a call with room for 0 bytes, 2 KiB, 4 KiB … more, until there was enough; each time room returns. */
async function fillDisk(path: string, fault?: string): Promise<Life> {
  const child = await startEngine(path, fault);
  const life = {
    acknowledged: [] as ReviewDraft[],
    refusals: [] as unknown[],
    problems: [] as string[],
  };
  const hold = async (): Promise<boolean> => {
    const draft = aDraft();
    const answer = await tell(child, { type: "hold", draft, reviewer: anna });
    if (answer === "recorded") life.acknowledged.push(draft);
    else life.refusals.push(answer);
    return answer === "recorded";
  };
  /** Whoever says that it is well must be able to save, and the other way round once there is room. */
  const mustBeHonest = async (room: string): Promise<void> => {
    const health = JSON.stringify(await tell(child, { type: "health" }));
    if (health !== '{"status":"well"}') {
      if (room === "all") life.problems.push(`${health} with all the room`);
    } else if (!(await hold()))
      life.problems.push(`${health} with ${room} bytes of room, and it is not`);
  };
  await hold();
  for (let room = 0; life.problems.length === 0; room += step) {
    openRaw(path).exec("PRAGMA wal_checkpoint(TRUNCATE)"); // the log has no room of before
    limitFiles(child.pid, statSync(`${path}-wal`).size + room);
    const isHeld = await hold();
    if (!isHeld) await mustBeHonest(String(room));
    limitFiles(child.pid, "unlimited");
    if (isHeld) break;
    await mustBeHonest("all");
  }
  await child.kill9();
  return life;
}

/** P1, P7: reads the file anew. */
async function lostOf(path: string, { acknowledged }: Life): Promise<readonly string[]> {
  const raw = openRaw(path);
  expect(raw.prepare("PRAGMA integrity_check").get()).toEqual({ integrity_check: "ok" });
  const engine = await openTestEngine(path);
  const lost: string[] = [];
  for (const { id } of acknowledged) {
    const events = await engine.storage.read((reading) => reading.auditOf(id));
    expect(firstBrokenEvent(events)).toBeUndefined();
    const review = await engine.readReview(id);
    if (review?.state.status !== "decided") lost.push(id);
  }
  return lost;
}

describe.skipIf(!canLimitFiles)("F17: a disk without room, at any byte of a write", () => {
  test("nothing acknowledged is lost, the engine says that it is unwell, and it recovers by itself", async () => {
    const path = temporaryFile();
    const life = await fillDisk(path);
    expect(life.problems).toEqual([]);
    expect(await lostOf(path, life)).toEqual([]);
    expect(life.refusals.length).toBeGreaterThan(5);
    for (const refusal of life.refusals)
      expect(refusal).toMatchObject({ failed: expect.stringMatching(/disk I\/O error\)/) });
  });

  test("the harness catches an engine that acknowledges what the disk refused", async () => {
    const path = temporaryFile();
    const life = await fillDisk(path, "failed-commit-acknowledged");
    expect(await lostOf(path, life)).not.toEqual([]);
  });

  test.each([
    ["does not say that it is unwell", "unwell-unsaid", /"well".*with 0 bytes/],
    ["never recovers", "never-well-again", /"unwell".*with all the room/],
  ])("the harness catches an engine that %s", async (_what, fault, problem) => {
    const { problems } = await fillDisk(temporaryFile(), fault);
    expect(problems.join("\n")).toMatch(problem);
  });
});
