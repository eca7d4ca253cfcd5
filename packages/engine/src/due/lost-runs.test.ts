import { Worker } from "node:worker_threads";
import { describe, expect, test } from "vitest";
import type { Engine } from "../engine.ts";
import type { Run } from "../storage/storage.ts";
import { aDraft, anna, approvedAction, decideEach } from "../testing/review-draft.ts";
import { createTestClock } from "../testing/test-clock.ts";
import { databaseAt, openTestEngine, temporaryFile } from "../testing/temporary-engine.ts";
import type { EventDraft } from "./runs.ts";

/** Longer than a lease holds. */
const stall = 20_000;
const agents = ["mailer"];

function start(engine: Engine, threadId: string, dedupeKey: string = threadId) {
  return engine.runs.start({ threadId, agent: "mailer", input: {}, dedupeKey });
}

async function claim(engine: Engine): Promise<Run> {
  const run = await engine.runs.claim(agents);
  if (run === undefined) throw new Error("no run is due");
  return run;
}

function event(method: string, only?: EventDraft["only"]): EventDraft {
  return { method, keep: true, ...(only === undefined ? {} : { only }), body: (seq) => ({ seq }) };
}

async function methods(engine: Engine, threadId: string): Promise<readonly string[]> {
  return (await engine.runs.events(threadId, 0)).map((one) => one.method);
}

describe("a process that stood still for longer than a lease", () => {
  test("does not take its own run a second time, and renews it before anybody else can (C6)", async () => {
    const path = temporaryFile();
    const { clock, advance } = createTestClock();
    const engine = await openTestEngine(path, { clock });
    const beside = await openTestEngine(path, { clock });
    await start(engine, "t");
    const run = await claim(engine);
    advance(stall);
    expect(await engine.runs.claim(agents)).toBeUndefined();
    await start(engine, "another");
    expect(await engine.runs.claim(agents)).toMatchObject({ threadId: "another" });
    expect(await beside.runs.claim(agents)).toBeUndefined();
    expect((await engine.runs.append(run, [event("still mine")])).type).toBe("stored");
  });

  test("has not lost the tool that it runs itself", async () => {
    const { clock, advance } = createTestClock();
    const engine = await openTestEngine(temporaryFile(), { clock });
    const { id, digest } = await approvedAction(engine);
    await engine.startPermit(id, digest);
    advance(stall);
    const waiting = engine.awaitPermit(id);
    // As long as it takes to look, and to give the permit up if it were given up.
    for (let turn = 0; turn < 3; turn += 1) await engine.storage.write(async () => undefined);
    expect(
      (await engine.storage.read((reading) => reading.findPermit(id)))?.permit.state.status,
    ).toBe("started");
    await engine.closePermit(id, 1, { status: "succeeded", message: { content: "sent" } });
    expect((await waiting)?.state.status).toBe("succeeded");
  });
});

describe("a worker that lost its run", () => {
  test("writes nothing more into the thread, is told, and does not take it again while it winds down (H10)", async () => {
    const path = temporaryFile();
    const { clock, advance } = createTestClock();
    const stale = await openTestEngine(path, { clock });
    const other = await openTestEngine(path, { clock });
    await start(stale, "t");
    const mine = await claim(stale);
    advance(stall);
    const theirs = await claim(other);
    expect(await stale.runs.append(mine, [event("from the stale worker")])).toEqual({
      type: "lost",
    });
    advance(stall);
    expect(await stale.runs.claim(agents)).toBeUndefined(); // it may still be winding down
    expect(await stale.runs.end(mine, "failed", [event("end")])).toEqual({ type: "lost" });
    await other.runs.end(theirs, "completed", [event("end")]);
    expect(await other.runs.append(theirs, [event("after its end")])).toEqual({ type: "lost" });
    expect(await methods(other, "t")).toEqual(["end"]);
  });
});

describe("a run whose worker does not go on with it", () => {
  test("is in line again at once when it is released, and counts no death", async () => {
    const engine = await openTestEngine();
    await start(engine, "t");
    const due: string[] = [];
    engine.onDue((threadId) => due.push(threadId));
    await engine.runs.release(await claim(engine));
    expect(due).toEqual(["t"]);
    expect(await claim(engine)).toMatchObject({ attempts: 1, fence: 2 });
  });

  test("is not renewed any more when it is abandoned, and is taken up again, here too (C5)", async () => {
    const { clock, advance } = createTestClock();
    const engine = await openTestEngine(temporaryFile(), { clock });
    await start(engine, "t");
    engine.runs.abandon(await claim(engine));
    await start(engine, "u");
    expect(await claim(engine)).toMatchObject({ threadId: "u" });
    advance(stall);
    expect(await claim(engine)).toMatchObject({ threadId: "t", attempts: 2 });
  });
});

describe("events", () => {
  test("of a run that speaks already are kept when the one before it ends late (H9, T11)", async () => {
    const engine = await openTestEngine();
    await start(engine, "t", "1");
    const one = await claim(engine);
    await engine.runs.append(one, [event("one")]);
    await engine.runs.end(one, "completed", [event("end")]);
    await start(engine, "t", "2");
    const two = await claim(engine);
    await engine.runs.append(two, [event("two started")]);
    await engine.storage.write((writing) => writing.compactEvents(one));
    expect(await methods(engine, "t")).toEqual(["one", "end", "two started"]);
  });

  test("on behalf of nobody are stored whoever works on the thread, and not at all on one that is not there", async () => {
    const engine = await openTestEngine();
    await start(engine, "t");
    expect(await engine.runs.appendNotice("t", [event("notice")])).toHaveLength(1);
    expect(await engine.runs.appendNotice("gone", [event("notice")])).toEqual([]);
  });

  test("that show a question are stored only while it is open, and those that take it away only after (M6, M7)", async () => {
    const engine = await openTestEngine();
    await start(engine, "t");
    const review = await engine.openReview(aDraft(1, { threadId: "t" }));
    const both = [
      event("input.requested", { interruptId: review.interruptId, is: "open" }),
      event("input.answered", { interruptId: review.interruptId, is: "settled" }),
    ];
    await engine.runs.append(await claim(engine), both);
    expect(await methods(engine, "t")).toEqual(["input.requested"]);
    await engine.decide({
      reviewId: review.id,
      decisions: decideEach(review, { type: "approve" }),
      reviewer: anna,
    });
    await engine.runs.appendNotice("t", both);
    expect(await methods(engine, "t")).toEqual(["input.requested", "input.answered"]);
  });
});

test.each(["failed", "cancelled"] as const)(
  "the input of a run that was %s may be sent again and starts another (M12)",
  async (status) => {
    const engine = await openTestEngine();
    const first = await start(engine, "t", "key");
    await engine.runs.end(await claim(engine), status, []);
    expect(await engine.runs.startedWith("t", "key")).toBeUndefined();
    const second = await start(engine, "t", "key");
    expect(second).toMatchObject({ type: "started", repeated: false });
    expect(second).not.toMatchObject({ run: first.type === "started" ? { id: first.run.id } : {} });
  },
);

test("input that was checked while a run worked is refused once that run has ended, because it may be stale", async () => {
  const engine = await openTestEngine();
  await start(engine, "t", "1");
  const run = await claim(engine);
  const request = { threadId: "t", agent: "mailer", input: {}, dedupeKey: "2" };
  const [checkedAt] = await engine.runs.active("t");
  if (checkedAt === undefined) throw new Error("the run works");
  await engine.runs.end(run, "completed", []);
  expect(await engine.runs.start({ ...request, checkedAt })).toMatchObject({
    refusal: { code: "thread_busy" },
  });
  const latest = await engine.runs.latest("t");
  if (latest === undefined) throw new Error("the run has ended");
  expect(await engine.runs.start({ ...request, checkedAt: latest })).toMatchObject({
    type: "started",
  });
});

test("opening the database in another thread of a live process takes nothing from it (M10, T18)", async () => {
  const path = temporaryFile();
  const engine = await openTestEngine(path);
  await start(engine, "t");
  const run = await claim(engine);
  const source = `
    const { openEngine } = await import(${JSON.stringify(new URL("../engine.ts", import.meta.url).href)});
    const engine = await openEngine({ database: ${JSON.stringify(await databaseAt(path))} });
    const taken = await engine.runs.claim(["mailer"]);
    await engine.close();
    process.exit(taken === undefined ? 0 : 1);`;
  const address = new URL(`data:text/javascript,${encodeURIComponent(source)}`);
  const code = await new Promise((resolve, reject) => {
    const worker = new Worker(address, { execArgv: ["--conditions=@holdpoint/source"] });
    worker.on("exit", resolve);
    worker.on("error", reject);
  });
  expect(code).toBe(0);
  expect((await engine.runs.append(run, [event("still mine")])).type).toBe("stored");
});
