import { digestText, type PermitResult, type Receipt } from "@holdpoint/core";
import { describe, expect, test } from "vitest";
import type { Engine } from "./engine.ts";
import { startChild } from "./testing/child-process.ts";
import { allRows, numberIn, openRaw } from "./testing/raw-database.ts";
import { aDraft, approvedAction, anna, decideEach } from "./testing/review-draft.ts";
import { createTestClock } from "./testing/test-clock.ts";
import { databaseAt, openTestEngine, temporaryFile } from "./testing/temporary-engine.ts";

const ran: Receipt = { status: "succeeded", message: { content: "sent" } };
const failed: Receipt = { status: "failed", message: { content: "bounced" } };
/** As long as a lease holds. */
const leaseRunsOut = 15_000;

async function auditOf(engine: Engine, stream: string) {
  const events = await engine.storage.read((reading) => reading.auditOf(stream));
  return events
    .filter((event) => event.type.startsWith("permit."))
    .map(({ type, body }) => [type, body]);
}

function fenceOf(result: PermitResult): number {
  if (result.type === "refused") throw new Error(result.refusal.message);
  return result.permit.fence;
}

/** Many start at once; exactly one may, and the others are refused. */
function expectOneStart(results: readonly PermitResult[]): void {
  const starts = results.filter((result) => result.type === "done");
  expect(starts).toHaveLength(1);
  expect(starts[0]).toMatchObject({ permit: { fence: 1, state: { status: "started" } } });
  for (const result of results) {
    if (result.type === "refused") expect(result.refusal.code).toBe("permit_refused");
  }
}

describe("starting", () => {
  test("F6: of 50 parallel starts one runs, also through two engines on one file", async () => {
    const path = temporaryFile();
    const first = await openTestEngine(path);
    const second = await openTestEngine(path);
    for (const starters of [[first], [first, second]]) {
      const { id, digest } = await approvedAction(first);
      const results = await Promise.all(
        Array.from({ length: 50 }, (_, number) =>
          (starters[number % starters.length] ?? first).startPermit(id, digest),
        ),
      );
      expectOneStart(results);
    }
  });

  test("the check catches a start that forgets to compare", async () => {
    const engine = await openTestEngine(temporaryFile());
    const { id, digest } = await approvedAction(engine);
    const startsAnyway = async (): Promise<PermitResult> => {
      const found = await engine.storage.read((reading) => reading.findPermit(id));
      if (found?.permit.state.status !== "unused") return engine.startPermit(id, digest);
      const permit = {
        ...found.permit,
        fence: 1,
        state: { status: "started", startedAt: "now" },
      } as const;
      await engine.storage.write((writing) =>
        writing.savePermits([{ permit, over: found.permit, lease: undefined }]),
      );
      return { type: "done", permit };
    };
    const results = await Promise.all(Array.from({ length: 50 }, startsAnyway));
    expect(() => expectOneStart(results)).toThrow("to have a length of 1");
  });

  test("invariant 9: a start is on disk when its promise resolves", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    const { id, digest } = await approvedAction(engine);
    const raw = openRaw(path);
    const seen = engine
      .startPermit(id, digest)
      .then(() => numberIn(raw, "SELECT count(*) FROM permits WHERE status = 'started'"));
    expect(await seen).toBe(1);
  });

  test("P4, F29: another call is refused and audited, and the approved one still starts", async () => {
    const engine = await openTestEngine();
    const { id, digest, reviewId } = await approvedAction(engine);
    const refused = await engine.startPermit(id, digestText("another call"));
    expect(refused).toMatchObject({
      type: "refused",
      refusal: { code: "permit_refused", details: { status: "unused" } },
    });
    expect(await auditOf(engine, reviewId)).toEqual([
      ["permit.refused", { actionId: id, command: "start", status: "unused" }],
    ]);
    expect(fenceOf(await engine.startPermit(id, digest))).toBe(1);
  });

  test("nothing starts that nobody approved", async () => {
    const engine = await openTestEngine();
    const review = await engine.openReview(aDraft());
    const [action] = review.actions;
    if (action === undefined) throw new Error("a draft has an action");
    const refusal = {
      code: "permit_refused",
      message: `Action ${action.id} has no permit because nobody approved it; it was not run.`,
      details: { actionId: action.id },
    };
    expect(await engine.startPermit(action.id, action.digest)).toEqual({
      type: "refused",
      refusal,
    });
    await engine.decide({
      reviewId: review.id,
      decisions: decideEach(review, { type: "reject" }),
      reviewer: anna,
    });
    expect(await engine.startPermit(action.id, action.digest)).toEqual({
      type: "refused",
      refusal,
    });
    expect(await engine.awaitPermit(action.id)).toBeUndefined();
  });

  test("F27: an edit starts only as it was edited", async () => {
    const engine = await openTestEngine();
    engine.registerAgent("mailer", async () => ({ type: "allow", rule: "r", reason: "fine." }));
    const review = await engine.openReview(aDraft());
    const [action] = review.actions;
    if (action === undefined) throw new Error("a draft has an action");
    const editedAction = { name: "send_email", args: { to: "x@y.z" } };
    await engine.decide({
      reviewId: review.id,
      decisions: decideEach(review, { type: "edit", editedAction }),
      reviewer: anna,
    });
    expect((await engine.startPermit(action.id, action.digest)).type).toBe("refused");
    const permit = await engine.awaitPermit(action.id);
    expect(fenceOf(await engine.startPermit(action.id, permit?.digest ?? action.digest))).toBe(1);
  });
});

describe("a run of a tool", () => {
  test("is audited from start to receipt, and its receipt keeps the message", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    const { id, digest, reviewId } = await approvedAction(engine);
    await engine.startPermit(id, digest);
    expect(await engine.closePermit(id, 1, ran)).toMatchObject({
      type: "done",
      permit: { state: { status: "succeeded", message: ran.message } },
    });
    await engine.close();
    const reopened = await openTestEngine(path);
    expect((await reopened.awaitPermit(id))?.state).toMatchObject({
      status: "succeeded",
      message: ran.message,
    });
    expect(await auditOf(reopened, reviewId)).toEqual([
      ["permit.started", { actionId: id, fence: 1, digest }],
      ["permit.succeeded", { actionId: id, fence: 1, digest }],
    ]);
  });

  test("that has ended never starts again", async () => {
    const engine = await openTestEngine();
    for (const receipt of [ran, failed]) {
      const { id, digest } = await approvedAction(engine);
      await engine.startPermit(id, digest);
      await engine.closePermit(id, 1, receipt);
      expect((await engine.startPermit(id, digest)).type).toBe("refused");
      expect((await engine.closePermit(id, 1, ran)).type).toBe("refused");
      expect((await engine.awaitPermit(id))?.state.status).toBe(receipt.status);
    }
  });

  test("that waits for a person is suspended, starts with a new fence, and the old fence ends nothing", async () => {
    const engine = await openTestEngine();
    const { id, digest } = await approvedAction(engine);
    const first = fenceOf(await engine.startPermit(id, digest));
    expect(await engine.suspendPermit(id, first)).toMatchObject({
      type: "done",
      permit: { state: { status: "suspended" } },
    });
    expect((await engine.awaitPermit(id))?.state.status).toBe("suspended");
    expect(await engine.storage.read((reading) => reading.findPermit(id))).not.toHaveProperty(
      "lease",
    );
    const second = fenceOf(await engine.startPermit(id, digest));
    expect([first, second]).toEqual([1, 2]);
    expect((await engine.closePermit(id, first, ran)).type).toBe("refused");
    expect((await engine.suspendPermit(id, first)).type).toBe("refused");
    expect((await engine.closePermit(id, second, failed)).type).toBe("done");
  });

  test("is waited for, and every waiter gets the same end", async () => {
    const engine = await openTestEngine();
    const { id, digest } = await approvedAction(engine);
    await engine.startPermit(id, digest);
    const waiters = [engine.awaitPermit(id), engine.awaitPermit(id)];
    await engine.closePermit(id, 1, ran);
    expect((await Promise.all(waiters)).map((permit) => permit?.state.status)).toEqual([
      "succeeded",
      "succeeded",
    ]);
  });
});

describe("a run whose process is gone", () => {
  test("F7, F8: is unknown once its lease has run out, and never starts again", async () => {
    const path = temporaryFile();
    const { clock, advance } = createTestClock();
    const dead = await openTestEngine(path, { clock });
    const alive = await openTestEngine(path, { clock });
    const { id, digest, reviewId } = await approvedAction(dead);
    await dead.startPermit(id, digest);
    advance(leaseRunsOut);
    const permits = await Promise.all([alive.awaitPermit(id), alive.awaitPermit(id)]);
    expect(permits.map((permit) => permit?.state.status)).toEqual(["unknown", "unknown"]);
    for (const engine of [alive, dead])
      expect((await engine.startPermit(id, digest)).type).toBe("refused");
    expect((await auditOf(alive, reviewId)).map(([type]) => type)).toContain("permit.unknown");
  });

  test("loses its lease once: whoever starts later writes nothing over it", async () => {
    const path = temporaryFile();
    const { clock, advance } = createTestClock();
    const gone = await openTestEngine(path, { clock });
    const { id, digest } = await approvedAction(gone);
    await gone.startPermit(id, digest);
    await gone.close();
    const until = async (): Promise<string | undefined> => {
      const engine = await openTestEngine(path, { clock });
      return (await engine.storage.read((reading) => reading.findPermit(id)))?.lease?.until;
    };
    const lostAt = clock();
    expect(await until()).toBe(lostAt);
    advance(5_000);
    expect(await until()).toBe(lostAt);
  });

  test("is left alone while its lease holds", async () => {
    const path = temporaryFile();
    const { clock, advance } = createTestClock();
    const first = await openTestEngine(path, { clock });
    const second = await openTestEngine(path, { clock });
    const { id, digest } = await approvedAction(first);
    await first.startPermit(id, digest);
    advance(leaseRunsOut - 1);
    const waiting = second.awaitPermit(id);
    await first.closePermit(id, 1, ran);
    expect((await waiting)?.state.status).toBe("succeeded");
  });

  test("is not lost when its lease is renewed at the last moment", async () => {
    const { clock, advance } = createTestClock();
    const engine = await openTestEngine(temporaryFile(), { clock });
    const { id, digest } = await approvedAction(engine);
    await engine.startPermit(id, digest);
    const lease = (await engine.storage.read((reading) => reading.findPermit(id)))?.lease;
    if (lease === undefined) throw new Error("who runs a tool holds a lease");
    advance(leaseRunsOut);
    const until = "2026-11-30T13:00:00.000Z";
    // Queued first, but not yet on disk when the waiter reads.
    const renewed = engine.storage.write((writing) =>
      writing.renewLeases({ ...lease, until }, { runs: [], permits: [id] }),
    );
    const waiting = engine.awaitPermit(id);
    await renewed;
    await engine.closePermit(id, 1, ran);
    expect((await waiting)?.state.status).toBe("succeeded");
  });

  test("F10: its late success settles it, but only with its own fence", async () => {
    const path = temporaryFile();
    const { clock, advance } = createTestClock();
    const late = await openTestEngine(path, { clock });
    const other = await openTestEngine(path, { clock });
    const { id, digest } = await approvedAction(late);
    fenceOf(await late.startPermit(id, digest));
    await late.suspendPermit(id, 1);
    fenceOf(await late.startPermit(id, digest));
    advance(leaseRunsOut);
    expect((await other.awaitPermit(id))?.state.status).toBe("unknown");
    const raw = openRaw(path);
    const before = allRows(raw)["permits"];
    for (const fence of [0, 1, 3])
      expect((await late.closePermit(id, fence, ran)).type).toBe("refused");
    expect(allRows(raw)["permits"]).toEqual(before);
    expect(await late.closePermit(id, 2, ran)).toMatchObject({
      type: "done",
      permit: { state: { status: "succeeded" } },
    });
    expect((await late.startPermit(id, digest)).type).toBe("refused");
  });

  test("killed with SIGKILL: unknown at once on the same host, settled by the right fence, never started again", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    const [first, second] = [await approvedAction(engine), await approvedAction(engine)];
    await engine.close();
    const child = startChild(new URL("./testing/engine-child.ts", import.meta.url));
    await child.next();
    child.send(JSON.stringify({ type: "open", database: await databaseAt(path) }));
    await child.next();
    child.send(JSON.stringify({ type: "start", actionId: first.id, digest: first.digest }));
    expect(fenceOf(JSON.parse(await child.next()) as PermitResult)).toBe(1);
    await child.kill9();

    const restarted = await openTestEngine(path);
    expect((await restarted.awaitPermit(first.id))?.state.status).toBe("unknown");
    expect((await restarted.startPermit(first.id, first.digest)).type).toBe("refused");
    expect((await restarted.closePermit(first.id, 2, ran)).type).toBe("refused");
    expect((await restarted.closePermit(first.id, 1, ran)).type).toBe("done");
    expect((await restarted.startPermit(first.id, first.digest)).type).toBe("refused");
    expect((await restarted.awaitPermit(second.id))?.state.status).toBe("unused");
    expect(fenceOf(await restarted.startPermit(second.id, second.digest))).toBe(1);
  });
});
