import { describe, expect, test } from "vitest";
import type { Alarm } from "../alarm.ts";
import type { Engine } from "../engine.ts";
import { type EventDraft, requireThread, type RunAppend } from "./runs.ts";
import type { Run, RunEvent } from "../storage/storage.ts";
import { startChild } from "../testing/child-process.ts";
import { allRows, openRaw } from "../testing/raw-database.ts";
import { aDraft, anna, decideEach } from "../testing/review-draft.ts";
import { createTestClock } from "../testing/test-clock.ts";
import { databaseAt, openTestEngine, temporaryFile } from "../testing/temporary-engine.ts";

/** As long as a lease holds. */
const leaseRunsOut = 15_000;
const agents = ["mailer"];
let keys = 0;

function start(
  engine: Engine,
  threadId: string,
  dedupeKey = `key-${(keys += 1)}`,
  agent = "mailer",
) {
  return engine.runs.start({ threadId, agent, input: { text: "hello" }, dedupeKey });
}

async function claim(engine: Engine): Promise<Run> {
  const run = await engine.runs.claim(agents);
  if (run === undefined) throw new Error("no run is due");
  return run;
}

function event(method: string, keep = true, data: Record<string, string> = {}): EventDraft {
  return { method, keep, body: (seq) => ({ seq, method, params: { data } }) };
}

function eventsOf(stored: RunAppend): readonly RunEvent[] {
  if (stored.type === "lost") throw new Error("the run was lost");
  return stored.events;
}

describe("starting a run", () => {
  test("creates its thread, queues it, and says that it is due", async () => {
    const engine = await openTestEngine();
    const due: string[] = [];
    engine.onDue((threadId) => due.push(threadId));
    const result = await start(engine, "t", "key");
    expect(result).toMatchObject({
      type: "started",
      repeated: false,
      thread: { id: "t", agent: "mailer", lastSeq: 0 },
      run: {
        threadId: "t",
        kind: "start",
        input: { text: "hello" },
        dedupeKey: "key",
        status: "queued",
        attempts: 0,
        fence: 0,
      },
    });
    expect(due).toEqual(["t"]);
    expect(await engine.runs.latest("t")).toEqual(
      result.type === "started" ? result.run : undefined,
    );
  });

  test("the same key on the same thread gives the first run again, also at once, and also when it has ended", async () => {
    const engine = await openTestEngine();
    const replies = await Promise.all(Array.from({ length: 8 }, () => start(engine, "t", "key")));
    const ids = replies.map((reply) =>
      reply.type === "started" ? reply.run.id : reply.refusal.code,
    );
    expect(new Set(ids).size).toBe(1);
    expect(replies.filter((reply) => reply.type === "started" && !reply.repeated)).toHaveLength(1);
    await engine.runs.end(await claim(engine), "completed", []);
    expect(await start(engine, "t", "key")).toMatchObject({
      repeated: true,
      run: { id: ids[0], status: "completed" },
    });
    expect(await start(engine, "u", "key")).toMatchObject({ repeated: false });
  });

  test("a second message is refused while the thread is busy, and accepted afterwards", async () => {
    const engine = await openTestEngine();
    await start(engine, "t");
    expect(await start(engine, "t")).toMatchObject({
      type: "refused",
      refusal: { code: "thread_busy", details: { threadId: "t" } },
    });
    const run = await claim(engine);
    expect(await start(engine, "t")).toMatchObject({ refusal: { code: "thread_busy" } });
    await engine.runs.end(run, "completed", []);
    expect((await start(engine, "t")).type).toBe("started");
  });

  test("a message is refused while the thread waits for a decision, and names the reviews", async () => {
    const engine = await openTestEngine();
    await start(engine, "t");
    const run = await claim(engine);
    const review = await engine.openReview(aDraft(1, { threadId: "t" }));
    await engine.runs.end(run, "interrupted", []);
    expect(await start(engine, "t")).toMatchObject({
      type: "refused",
      refusal: { code: "thread_waiting", details: { threadId: "t", reviewIds: [review.id] } },
    });
    await engine.reviews.closeReview(review.id, "withdrawn");
    expect((await start(engine, "t")).type).toBe("started");
  });

  test("a thread keeps its agent", async () => {
    const engine = await openTestEngine();
    await start(engine, "t");
    expect(await start(engine, "t", "other", "painter")).toMatchObject({
      type: "refused",
      refusal: { code: "invalid_request" },
    });
  });

  test("a refused start leaves no thread behind (found by test: deciding then queued a run for it)", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    const review = await engine.openReview(aDraft(1, { threadId: "hosted-elsewhere" }));
    const raw = openRaw(path);
    const before = allRows(raw);
    expect(await start(engine, "hosted-elsewhere")).toMatchObject({
      refusal: { code: "thread_waiting" },
    });
    expect(allRows(raw)).toEqual(before);
    await engine.decide({
      reviewId: review.id,
      decisions: decideEach(review, { type: "approve" }),
      reviewer: anna,
    });
    expect(await engine.runs.claim(agents)).toBeUndefined();
  });

  test("a thread that is not there is named in the refusal", async () => {
    const engine = await openTestEngine();
    const missing = await engine.runs.thread("t");
    expect(() => requireThread(missing, "t")).toThrow(
      "There is no thread t; start it with its first message.",
    );
  });
});

describe("claiming a run", () => {
  test("takes the oldest that is due, once, for the agents that are asked for", async () => {
    const engine = await openTestEngine();
    await start(engine, "a", "1", "painter");
    for (const threadId of ["b", "c"]) await start(engine, threadId);
    expect(await claim(engine)).toMatchObject({
      threadId: "b",
      status: "running",
      attempts: 1,
      fence: 1,
    });
    const claims = await Promise.all([1, 2, 3].map(() => engine.runs.claim(agents)));
    expect(claims.map((run) => run?.threadId).filter(Boolean)).toEqual(["c"]);
    expect(await engine.runs.claim([])).toBeUndefined();
    expect((await engine.runs.claim(["painter", "mailer"]))?.threadId).toBe("a");
  });

  test("F34: one runs per thread: a run that continues it waits until the one before has ended", async () => {
    const engine = await openTestEngine();
    await start(engine, "t");
    const first = await claim(engine);
    const review = await engine.openReview(aDraft(1, { threadId: "t" }));
    await engine.decide({
      reviewId: review.id,
      decisions: decideEach(review, { type: "approve" }),
      reviewer: anna,
    });
    expect((await engine.runs.active("t")).map((run) => [run.kind, run.status])).toEqual([
      ["start", "running"],
      ["continue", "queued"],
    ]);
    expect(await engine.runs.claim(agents)).toBeUndefined();
    await engine.runs.end(first, "interrupted", []);
    expect(await claim(engine)).toMatchObject({ kind: "continue", threadId: "t" });
  });

  test("through two engines on one file never gives the same run twice", async () => {
    const path = temporaryFile();
    const first = await openTestEngine(path);
    const { runs } = first;
    const beside = (await openTestEngine(path)).runs;
    const threads = Array.from({ length: 20 }, (_, number) => `t${number}`);
    await Promise.all(threads.map((threadId) => start(first, threadId)));
    const claims = await Promise.all(
      Array.from({ length: 30 }, (_, number) => (number % 2 === 0 ? runs : beside).claim(agents)),
    );
    const ids = claims.flatMap((run) => (run === undefined ? [] : [run.id]));
    expect([ids.length, new Set(ids).size]).toEqual([20, 20]);
  });
});

describe("a run whose worker is gone", () => {
  test("F9, P14: is due again when its lease has run out; the late worker can end nothing any more", async () => {
    const path = temporaryFile();
    const { clock, advance } = createTestClock();
    const late = await openTestEngine(path, { clock });
    const other = await openTestEngine(path, { clock });
    await start(late, "t");
    const lost = await claim(late);
    advance(leaseRunsOut - 1);
    expect(await other.runs.claim(agents)).toBeUndefined();
    advance(1);
    const taken = await claim(other);
    expect(taken).toMatchObject({ id: lost.id, attempts: 2, fence: 2, status: "running" });
    expect(await late.runs.end(lost, "completed", [event("late")])).toEqual({ type: "lost" });
    expect(await other.runs.latest("t")).toMatchObject({ status: "running" });
    expect(await other.runs.events("t", 0)).toEqual([]);
    expect(eventsOf(await other.runs.end(taken, "failed", [event("end")], "broken"))).toHaveLength(
      1,
    );
    expect(await other.runs.latest("t")).toMatchObject({ status: "failed", error: "broken" });
  });

  test("an engine that was closed leaves its run due at once to the next one in the same process", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    await start(engine, "t");
    await claim(engine);
    await engine.close();
    expect(await claim(await openTestEngine(path))).toMatchObject({ threadId: "t", attempts: 2 });
  });

  test("F3: killed with SIGKILL, it is due again at once after a restart on the same host", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    await start(engine, "t");
    const child = startChild(new URL("../testing/engine-child.ts", import.meta.url));
    await child.next();
    child.send(JSON.stringify({ type: "open", database: await databaseAt(path) }));
    await child.next();
    child.send(JSON.stringify({ type: "claim", agents }));
    expect(JSON.parse(await child.next())).toMatchObject({ threadId: "t", attempts: 1 });
    expect(await engine.runs.claim(agents)).toBeUndefined();
    await child.kill9();
    expect(await claim(await openTestEngine(path))).toMatchObject({
      threadId: "t",
      attempts: 2,
      fence: 2,
    });
  });

  test("an engine that opens beside a living one takes nothing from it", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    await start(engine, "t");
    await claim(engine);
    const beside = await openTestEngine(path);
    expect(await beside.runs.claim(agents)).toBeUndefined();
  });
});

describe("the events of a thread", () => {
  test("are numbered without gaps, and go on where they were after a restart", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    await start(engine, "t");
    const run = await claim(engine);
    const stored = eventsOf(await engine.runs.append(run, [event("a"), event("b")]));
    expect(stored.map(({ seq, keep, body }) => [seq, keep, body["seq"]])).toEqual([
      [1, true, 1],
      [2, true, 2],
    ]);
    const both = await Promise.all([
      engine.runs.append(run, [event("c")]),
      engine.runs.append(run, [event("d")]),
    ]);
    // On Postgres any of two at once may be the first.
    const [third, fourth] = both
      .flatMap(eventsOf)
      .toSorted((one, two) => one.seq - two.seq)
      .map(({ method }) => method);
    expect(new Set([third, fourth])).toEqual(new Set(["c", "d"]));
    await engine.close();
    const reopened = await openTestEngine(path);
    await reopened.runs.end(await claim(reopened), "completed", [event("e")]);
    expect((await reopened.runs.events("t", 0)).map(({ seq, method }) => [seq, method])).toEqual([
      [1, "a"],
      [2, "b"],
      [3, third],
      [4, fourth],
      [5, "e"],
    ]);
    expect((await reopened.runs.events("t", 3)).map(({ method }) => method)).toEqual([fourth, "e"]);
    expect((await reopened.runs.thread("t"))?.lastSeq).toBe(5);
  });

  test("compaction keeps what a replay needs: the newest run without its deltas, and questions still open", async () => {
    const engine = await openTestEngine();
    await start(engine, "t");
    await start(engine, "other");
    const old = await claim(engine);
    const foreign = await claim(engine);
    await engine.runs.append(foreign, [event("kept elsewhere", false)]);
    const open = await engine.openReview(aDraft(1, { threadId: "t" }));
    await engine.runs.append(old, [
      event("old block"),
      event("input.requested", true, { interrupt_id: open.interruptId }),
      event("input.requested", true, { interrupt_id: "answered" }),
    ]);
    await engine.runs.end(old, "completed", [event("old end")]);
    await engine.reviews.closeReview(open.id, "so that a message is taken");
    await start(engine, "t");
    const latest = await claim(engine);
    const still = await engine.openReview(aDraft(2, { threadId: "t" }));
    await engine.runs.append(latest, [
      event("delta", false),
      event("input.requested", true, { interrupt_id: still.interruptId }),
    ]);
    await engine.runs.end(latest, "interrupted", [event("end")]);
    const kept = await engine.runs.events("t", 0);
    expect(kept.map(({ seq, method }) => [seq, method])).toEqual([
      [6, "input.requested"],
      [7, "end"],
    ]);
    expect(await engine.runs.events("other", 0)).toHaveLength(1);
    await engine.decide({
      reviewId: still.id,
      decisions: decideEach(still, { type: "approve" }),
      reviewer: anna,
    });
    const next = await claim(engine);
    const [stored] = eventsOf(await engine.runs.append(next, [event("later")]));
    expect(stored?.seq).toBe(8);
    await engine.runs.end(next, "completed", []);
    expect(await engine.runs.events("t", 0)).toEqual([stored]);
  });

  test("compaction keeps a question of an earlier run whose review is open", async () => {
    const engine = await openTestEngine();
    await start(engine, "t");
    const first = await claim(engine);
    const [answered, open] = [
      await engine.openReview(aDraft(1, { threadId: "t" })),
      await engine.openReview(aDraft(2, { threadId: "t" })),
    ];
    const asked = [answered, open].map(({ interruptId }) =>
      event("input.requested", true, { interrupt_id: interruptId }),
    );
    await engine.runs.end(first, "interrupted", asked);
    await engine.decide({
      reviewId: answered.id,
      decisions: decideEach(answered, { type: "approve" }),
      reviewer: anna,
    });
    await engine.runs.end(await claim(engine), "interrupted", [event("end")]);
    expect((await engine.runs.events("t", 0)).map(({ seq, method }) => [seq, method])).toEqual([
      [2, "input.requested"],
      [3, "end"],
    ]);
  });
});

describe("a run that is given up", () => {
  test("has failed, is audited as stuck, and raises one alarm; whoever lost it raises none", async () => {
    const alarms: Alarm[] = [];
    const engine = await openTestEngine(temporaryFile(), {
      onAlarm: (alarm) => alarms.push(alarm),
    });
    await engine.runs.start({ threadId: "t", agent: "mailer", input: {}, dedupeKey: "k" });
    const run = await engine.runs.claim(["mailer"]);
    if (run === undefined) throw new Error("a run is due");
    const lost = { ...run, fence: run.fence - 1 };
    expect((await engine.runs.giveUp(lost, [], "too often")).type).toBe("lost");
    expect(alarms).toEqual([]);
    expect((await engine.runs.giveUp(run, [], "too often")).type).toBe("stored");
    const stuck = { type: "run.stuck", runId: run.id, threadId: "t", attempts: 1 };
    expect(alarms).toEqual([{ ...stuck, error: "too often" }]);
    expect(await engine.runs.find(run.id)).toMatchObject({ status: "failed", error: "too often" });
    const events = await engine.storage.read((reading) => reading.auditOf(run.id));
    expect(events).toMatchObject([{ type: "run.stuck", body: { threadId: "t", attempts: 1 } }]);
  });
});
