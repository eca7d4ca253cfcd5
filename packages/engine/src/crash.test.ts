import type { DatabaseSync } from "node:sqlite";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { ActionId, ReviewId } from "@holdpoint/core";
import { describe, expect, test } from "vitest";
import { firstBrokenEvent } from "./audit/chain.ts";
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
/** When to kill: so many milliseconds after it began to open the file, or after its first promise. */
type Moment = {
  readonly once: "opening" | "promised something";
  readonly milliseconds: number;
};
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
async function killAfter(child: Child, { once, milliseconds }: Moment): Promise<string[]> {
  await child.next();
  child.send("go");
  if (once === "promised something") await child.next();
  await sleep(milliseconds);
  await child.kill9();
  return child.lines.slice(1);
}

async function isKept(engine: Engine, line: string): Promise<boolean> {
  const [word, id] = line.split(" ");
  if (word === "closed") {
    const permit = await engine.awaitPermit(id as ActionId); // the child prints ids of ours
    return permit?.state.status === "succeeded";
  }
  const review = await engine.readReview(id as ReviewId);
  return word === "opened" ? review !== undefined : review?.state.status === "decided";
}

/** What is wrong with the file as such, and with what belongs together in it. */
async function problemsIn(engine: Engine, raw: DatabaseSync): Promise<string[]> {
  const problems: string[] = [];
  const integrity = String(raw.prepare("PRAGMA integrity_check").get()?.["integrity_check"]);
  if (integrity !== "ok") problems.push(integrity);
  for (const { stream } of raw.prepare("SELECT DISTINCT stream FROM audit_events").all()) {
    const events = await engine.storage.read((reading) => reading.auditOf(String(stream)));
    if (firstBrokenEvent(events) !== undefined) problems.push(`the audit of ${String(stream)}`);
  }
  const [approvals, permits, decisions] = [
    `SELECT count(*) FROM reviews, json_each(state, '$.actions') AS action
     WHERE action.value ->> '$.outcome.type' = 'approved'`,
    "SELECT count(*) FROM permits",
    "SELECT count(*) FROM decisions",
  ].map((sql) => numberIn(raw, sql));
  if (approvals !== permits || approvals !== decisions)
    problems.push(`${approvals} approvals, ${permits} permits, ${decisions} decisions`);
  return problems;
}

/** What became of everything that was acknowledged or started (P1, P3, P7), by reading the file anew. */
async function lossesIn(
  { database, starts }: Files,
  acknowledged: readonly string[],
): Promise<Losses> {
  const engine = await openTestEngine(database);
  const raw = openRaw(database);
  const lost: string[] = [];
  for (const line of acknowledged) if (!(await isKept(engine, line))) lost.push(line);
  const started = existsSync(starts) ? readFileSync(starts, "utf8").split("\n").slice(0, -1) : [];
  const isUnused = "SELECT count(*) FROM permits WHERE action_id = ? AND status = 'unused'";
  const unpermitted = started.filter((id) => numberIn(raw, isUnused, id) > 0);
  const losses = {
    lost,
    startedTwice: started.filter((id, index) => started.indexOf(id) !== index),
    broken: [
      ...unpermitted.map((id) => `${id} ran without its permit`),
      ...(await problemsIn(engine, raw)),
    ],
  };
  raw.close();
  await engine.close();
  return losses;
}

/** Kills of one file until something is wrong, at most so many. */
async function crashUntilWrong(
  mode: Mode,
  kills: number,
  moment: (kill: number) => Moment,
): Promise<Losses & { readonly acknowledged: number }> {
  const where = files();
  const acknowledged: string[] = [];
  const prepare = (): Child => startChild(crashChild, [where.database, where.starts, mode]);
  let prepared = prepare();
  let losses: Losses = { lost: [], startedTwice: [], broken: [] };
  for (let kill = 1; kill <= kills; kill += 1) {
    const child = prepared;
    if (kill < kills) prepared = prepare();
    acknowledged.push(...(await killAfter(child, moment(kill))));
    if (mode !== "honest" || kill === kills) losses = await lossesIn(where, acknowledged);
    if (Object.values(losses).some((list) => list.length > 0)) break;
  }
  return { ...losses, acknowledged: acknowledged.length };
}

describe("a process that is killed at any moment", () => {
  test("G1: loses nothing that was acknowledged and starts nothing twice, over 30 kills of one file", async () => {
    // Every other one may be killed while it still opens the file or takes up what was left behind.
    const { acknowledged, ...losses } = await crashUntilWrong("honest", 30, (kill) => ({
      once: kill % 2 === 0 ? "opening" : "promised something",
      milliseconds: Math.random() * 120,
    }));
    expect(losses).toEqual({ lost: [], startedTwice: [], broken: [] });
    expect(acknowledged).toBeGreaterThan(30);
  }, 120_000);

  test("the harness catches a process that acknowledges before it waits", async () => {
    const { lost } = await crashUntilWrong("early", 30, () => ({
      once: "promised something",
      milliseconds: Math.random() * 10,
    }));
    expect(lost).not.toEqual([]);
  }, 60_000);

  test("the harness catches a process that runs again what may have run", async () => {
    const { startedTwice } = await crashUntilWrong("retry", 30, () => ({
      once: "promised something",
      milliseconds: Math.random() * 100,
    }));
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

  test("F1: before the commit of a decision: the review is still open, and can be decided", async () => {
    const { database } = files();
    const engine = await openTestEngine(database);
    const review = await engine.openReview(aDraft());
    const request = { reviewId: review.id, decisions: decideEach(review, { type: "approve" }) };
    const events = (one: Engine) => one.storage.read((reading) => reading.auditOf(review.id));
    const before = await events(engine);
    await engine.close();
    const restarted = await diesAt("write.insertPermits", database, {
      type: "decide",
      reviewer: anna,
      requests: [request],
    });
    expect(await restarted.readReview(review.id)).toEqual(review);
    expect(await events(restarted)).toEqual(before);
    const again = await restarted.decide({ ...request, reviewer: anna });
    expect(again).toMatchObject({ type: "recorded", repeated: false });
  });

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
