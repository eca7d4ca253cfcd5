import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ActionId, ReviewId } from "@holdpoint/core";
import { describe, expect, test } from "vitest";
import { firstBrokenEvent } from "./audit.ts";
import type { Engine } from "./engine.ts";
import type { Failpoint } from "./failpoint.ts";
import { type Child, startChild } from "./testing/child-process.ts";
import { numberIn, openRaw } from "./testing/raw-database.ts";
import type { EngineCommand } from "./testing/engine-child.ts";
import { aDraft, anna, approvedAction, decideEach } from "./testing/review-draft.ts";
import { openTestEngine, temporaryFolder } from "./testing/temporary-engine.ts";

const engineChild = new URL("./testing/engine-child.ts", import.meta.url);
const crashChild = new URL("./testing/crash-child.ts", import.meta.url);

type Mode = "honest" | "early" | "retry";
type Files = { readonly database: string; readonly starts: string };
type Losses = {
  readonly lost: string[];
  readonly startedTwice: string[];
  readonly broken: string[];
};

function files(): Files {
  const folder = temporaryFolder();
  return { database: join(folder, "holdpoint.db"), starts: join(folder, "starts.log") };
}

/** Lets the child work for some milliseconds, kills it, and returns the promises it had been given. */
async function killAfter(child: Child, milliseconds: number): Promise<string[]> {
  await child.next();
  child.send("go");
  await sleep(milliseconds);
  await child.kill9();
  return child.lines.slice(1);
}

/** What became of everything that was acknowledged (P1, P3, P7), by reading the file anew. */
async function lossesIn(
  { database, starts }: Files,
  acknowledged: readonly string[],
): Promise<Losses> {
  const engine = await openTestEngine(database);
  const lost: string[] = [];
  for (const line of acknowledged) {
    const [word = "", id = ""] = line.split(" ");
    const kept =
      word === "closed"
        ? (await engine.awaitPermit(id as ActionId))?.state.status === "succeeded" // the child prints ids of ours
        : (await engine.readReview(id as ReviewId))?.state.status === "decided" ||
          (word === "opened" && (await engine.readReview(id as ReviewId)) !== undefined);
    if (!kept) lost.push(line);
  }
  const started = existsSync(starts) ? readFileSync(starts, "utf8").split("\n").slice(0, -1) : [];
  const startedTwice = started.filter((id, index) => started.indexOf(id) !== index);
  const raw = openRaw(database);
  const broken: string[] = [];
  const integrity = String(raw.prepare("PRAGMA integrity_check").get()?.["integrity_check"]);
  if (integrity !== "ok") broken.push(integrity);
  for (const { stream } of raw.prepare("SELECT DISTINCT stream FROM audit_events").all()) {
    const events = await engine.storage.read((reading) => reading.auditOf(String(stream)));
    if (firstBrokenEvent(events) !== undefined) broken.push(String(stream));
  }
  // An approval, its permit and its decision stand or fall together.
  const approvals = numberIn(
    raw,
    `SELECT count(*) FROM actions WHERE state ->> '$.outcome.type' = 'approved'`,
  );
  const permits = numberIn(raw, "SELECT count(*) FROM permits");
  const decisions = numberIn(raw, "SELECT count(*) FROM decisions");
  if (approvals !== permits || approvals !== decisions)
    broken.push(`${approvals} approvals, ${permits} permits, ${decisions} decisions`);
  const unstarted = started.filter(
    (id) =>
      numberIn(raw, "SELECT count(*) FROM permits WHERE action_id = ? AND status = 'unused'", id) >
      0,
  );
  broken.push(...unstarted.map((id) => `${id} ran without its permit`));
  raw.close();
  await engine.close();
  return { lost, startedTwice, broken };
}

/** Kills of one file until something is wrong, at most so many. */
async function crashUntilWrong(
  mode: Mode,
  kills: number,
  milliseconds: () => number,
): Promise<Losses & { readonly acknowledged: number }> {
  const where = files();
  const acknowledged: string[] = [];
  const prepare = (): Child => startChild(crashChild, [where.database, where.starts, mode]);
  let prepared = prepare();
  let losses: Losses = { lost: [], startedTwice: [], broken: [] };
  for (let kill = 1; kill <= kills; kill += 1) {
    const child = prepared;
    if (kill < kills) prepared = prepare();
    acknowledged.push(...(await killAfter(child, milliseconds())));
    const looksNow = mode !== "honest" || kill === kills;
    if (looksNow) losses = await lossesIn(where, acknowledged);
    if (Object.values(losses).some((list) => list.length > 0)) break;
  }
  return { ...losses, acknowledged: acknowledged.length };
}

describe("a process that is killed at any moment", () => {
  test("G1: loses nothing that was acknowledged and starts nothing twice, over 30 kills of one file", async () => {
    const { acknowledged, ...losses } = await crashUntilWrong(
      "honest",
      30,
      () => Math.random() * 150,
    );
    expect(losses).toEqual({ lost: [], startedTwice: [], broken: [] });
    expect(acknowledged).toBeGreaterThan(30);
  }, 120_000);

  test("the harness catches a process that acknowledges before it waits", async () => {
    const { lost } = await crashUntilWrong("early", 20, () => Math.random() * 100);
    expect(lost).not.toEqual([]);
  }, 60_000);

  test("the harness catches a process that runs again what may have run", async () => {
    const { startedTwice } = await crashUntilWrong("retry", 20, () => Math.random() * 150);
    expect(startedTwice).not.toEqual([]);
  }, 60_000);
});

describe("a process that dies between two writes", () => {
  async function diesAt(
    point: Failpoint,
    database: string,
    command: EngineCommand,
  ): Promise<Engine> {
    const child = startChild(engineChild, [], { HOLDPOINT_FAILPOINT: point });
    await child.next();
    child.send(JSON.stringify({ type: "open", database: `file:${database}` }));
    await child.next();
    child.send(JSON.stringify(command));
    await child.ended;
    expect(child.lines).toEqual(["ready", '"open"']);
    return openTestEngine(database);
  }

  test("F2: after the commit of a decision, before its reply: it stands, and sending it again gets the reply", async () => {
    const { database } = files();
    const engine = await openTestEngine(database);
    const review = await engine.openReview(aDraft());
    const request = { reviewId: review.id, decisions: decideEach(review, { type: "approve" }) };
    await engine.close();
    const restarted = await diesAt("decide.after_commit", database, {
      type: "decide",
      reviewer: anna,
      requests: [request],
    });
    expect((await restarted.readReview(review.id))?.state.status).toBe("decided");
    expect(await restarted.decide({ ...request, reviewer: anna })).toMatchObject({
      type: "recorded",
      repeated: true,
    });
  });

  test.each([
    ["F7: after its start, before the tool", "permit.after_start", "start"],
    ["F8: after the tool, before its receipt", "receipt.before_commit", "run"],
  ] as const)(
    "%s: it may have run, so it is unknown and never starts again",
    async (_name, point, type) => {
      const { database } = files();
      const engine = await openTestEngine(database);
      const { id, digest } = await approvedAction(engine);
      await engine.close();
      const restarted = await diesAt(point, database, { type, actionId: id, digest });
      expect((await restarted.awaitPermit(id))?.state.status).toBe("unknown");
      expect((await restarted.startPermit(id, digest)).type).toBe("refused");
    },
  );
});
