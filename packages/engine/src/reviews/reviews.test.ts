import type { JudgeCall, NamedDecision, Verdict } from "@holdpoint/core";
import { describe, expect, test } from "vitest";
import type { Engine } from "../engine.ts";
import { newId } from "../ids.ts";
import { allRows, numberIn, openRaw } from "../testing/raw-database.ts";
import { aDraft, anna, ben, decideEach } from "../testing/review-draft.ts";
import { isOnSqlite, openTestEngine, temporaryFile } from "../testing/temporary-engine.ts";

const approve: NamedDecision["decision"] = { type: "approve" };
const reject: NamedDecision["decision"] = { type: "reject" };

function auditTypes(engine: Engine, stream: string): Promise<string[]> {
  return engine.storage.read(async (reading) =>
    (await reading.auditOf(stream)).map((event) => event.type),
  );
}

async function hostedThread(engine: Engine, agent = "mailer"): Promise<string> {
  const threadId = newId("thread");
  await engine.runs.start({ threadId, agent, input: {}, dedupeKey: "first" });
  const run = await engine.runs.claim([agent]);
  if (run === undefined) throw new Error("the run is due");
  await engine.runs.end(run, "interrupted", []);
  return threadId;
}

describe("opening a review", () => {
  test("stores it whole: what is read is what was opened", async () => {
    const engine = await openTestEngine(temporaryFile());
    const draft = aDraft(3, {
      askedFor: "Write to Ann.",
      cause: "unknown_receipt",
      raised: { taskId: "task_2", round: 2, votes: 3 },
    });
    const review = await engine.openReview(draft);
    expect(review).toEqual({
      ...draft,
      version: 1,
      createdAt: review.createdAt,
      state: { status: "open" },
    });
    expect(await engine.readReview(draft.id)).toEqual(review);
  });

  test("is safe to repeat: the same id, or the same interrupt, gives the first review again", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    const first = await engine.openReview(aDraft());
    const raw = openRaw(path);
    const before = allRows(raw);
    const sameId = aDraft(2, { id: first.id });
    const sameInterrupt = aDraft(1, { threadId: first.threadId, interruptId: first.interruptId });
    expect(await engine.openReview(sameId)).toEqual(first);
    expect(await engine.openReview(sameInterrupt)).toEqual(first);
    expect(
      await Promise.all([engine.openReview(sameId), engine.openReview(sameInterrupt)]),
    ).toEqual([first, first]);
    expect(allRows(raw)).toEqual(before);
    expect(await auditTypes(engine, first.id)).toEqual(["review.opened"]);
  });

  test("the same interrupt id on another thread is another review", async () => {
    const engine = await openTestEngine();
    const first = await engine.openReview(aDraft());
    const other = await engine.openReview(aDraft(1, { interruptId: first.interruptId }));
    expect(other.id).not.toBe(first.id);
    expect((await engine.reviews.findOfInterrupt(first.threadId, first.interruptId))?.id).toBe(
      first.id,
    );
  });

  test("two drafts opened at once under one interrupt leave one review", async () => {
    const engine = await openTestEngine();
    const drafts = Array.from({ length: 8 }, () => aDraft(1, { threadId: "t", interruptId: "i" }));
    const ids = new Set(
      (await Promise.all(drafts.map(engine.openReview))).map((review) => review.id),
    );
    const first = isOnSqlite() ? drafts.slice(0, 1) : drafts; // in Postgres any of them may be
    expect(ids.size).toBe(1);
    expect(first.map(({ id }) => id)).toContain([...ids][0]);
  });

  test("invariant 9: it is on disk when the promise resolves", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    const draft = aDraft();
    const seen = engine
      .openReview(draft)
      .then(() => numberIn(openRaw(path), "SELECT count(*) FROM reviews WHERE id = ?", draft.id));
    expect(await seen).toBe(1);
  });
});

describe("deciding", () => {
  test("survives a restart: review, decision, permit and audit are read back", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    const review = await engine.openReview(aDraft(2));
    const [first, second] = decideEach(review, approve);
    const decisions = [
      first,
      { ...second, decision: { type: "reject", message: "no" } },
    ] as NamedDecision[];
    const result = await engine.decide({ reviewId: review.id, decisions, reviewer: anna });
    expect(result).toMatchObject({
      type: "recorded",
      repeated: false,
      review: { version: 2, state: { status: "decided" } },
    });
    await engine.close();

    const reopened = await openTestEngine(path);
    const read = await reopened.readReview(review.id);
    expect(read).toEqual(result.type === "recorded" ? result.review : undefined);
    const view = await reopened.reviews.view(review.id);
    expect(view?.actions).toMatchObject([
      {
        status: "decided",
        outcome: { type: "approved" },
        recorded: { reviewer: anna },
        permit: "unused",
      },
      { status: "decided", outcome: { type: "rejected", message: "no" } },
    ]);
    expect(view?.actions[1]).not.toHaveProperty("permit");
    expect(await auditTypes(reopened, review.id)).toEqual([
      "review.opened",
      "action.decided",
      "action.decided",
    ]);
  });

  test("invariant 9: it is on disk when the promise resolves", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    const review = await engine.openReview(aDraft());
    const raw = openRaw(path);
    const counts = () =>
      ["decisions", "permits"].map((table) => numberIn(raw, `SELECT count(*) FROM ${table}`));
    expect(counts()).toEqual([0, 0]);
    const seen = engine
      .decide({ reviewId: review.id, decisions: decideEach(review, approve), reviewer: anna })
      .then(counts);
    expect(await seen).toEqual([1, 1]);
  });

  test.each([
    ["the review is saved", "BEFORE UPDATE ON reviews"],
    ["the decision is recorded", "BEFORE INSERT ON decisions"],
    ["the permit is issued", "BEFORE INSERT ON permits"],
    ["the audit event is written", "BEFORE INSERT ON audit_events"],
    ["the run that continues is queued", "BEFORE INSERT ON runs"],
  ])("a failure while %s takes everything back, and deciding again works", async (_name, event) => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    const threadId = await hostedThread(engine);
    const review = await engine.openReview(aDraft(2, { threadId }));
    const raw = openRaw(path);
    raw.exec(`CREATE TRIGGER seeded ${event} BEGIN SELECT RAISE(ABORT, 'seeded failure'); END`);
    const before = allRows(raw);
    const request = { reviewId: review.id, decisions: decideEach(review, approve), reviewer: anna };
    await expect(engine.decide(request)).rejects.toThrow("seeded failure");
    expect(allRows(raw)).toEqual(before);
    raw.exec("DROP TRIGGER seeded");
    expect(await engine.decide(request)).toMatchObject({ type: "recorded", repeated: false });
    expect(numberIn(raw, "SELECT count(*) FROM permits")).toBe(2);
    expect((await engine.runs.active(threadId)).map((run) => run.kind)).toEqual(["continue"]);
  });

  test("F2, F5: the same decision again gets the first reply and changes nothing", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    const threadId = await hostedThread(engine);
    const review = await engine.openReview(aDraft(1, { threadId }));
    const request = { reviewId: review.id, decisions: decideEach(review, approve), reviewer: anna };
    const first = await engine.decide(request);
    const raw = openRaw(path);
    const before = allRows(raw);
    const again = await Promise.all(Array.from({ length: 5 }, () => engine.decide(request)));
    for (const reply of again) expect(reply).toEqual({ ...first, repeated: true });
    expect(allRows(raw)).toEqual(before);
  });

  test("a refused request changes nothing on disk, and the right one still works", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    const review = await engine.openReview(aDraft(2));
    const [first] = decideEach(review, approve);
    const unknown = { actionId: "act_unknown", decision: approve } as const;
    const raw = openRaw(path);
    const before = allRows(raw);
    const decisions = first === undefined ? [] : [first, unknown];
    expect(await engine.decide({ reviewId: review.id, decisions, reviewer: anna })).toMatchObject({
      type: "refused",
      refusal: { code: "action_not_found" },
    });
    expect(allRows(raw)).toEqual(before);
    expect(
      await engine.decide({
        reviewId: review.id,
        decisions: decideEach(review, approve),
        reviewer: anna,
      }),
    ).toMatchObject({ type: "recorded" });
  });

  test("an unknown review is refused with where to look", async () => {
    const engine = await openTestEngine();
    const request = { reviewId: "rev_none", decisions: [], reviewer: anna } as const;
    expect(await engine.decide(request)).toEqual({
      type: "refused",
      refusal: {
        code: "review_not_found",
        message: "There is no review rev_none; look in the inbox for the ones that are open.",
        details: { reviewId: "rev_none" },
      },
    });
  });

  test("a hosted thread gets one run that continues it, once its review is decided; others get none", async () => {
    const engine = await openTestEngine();
    const due: string[] = [];
    const stop = engine.onDue((threadId) => due.push(threadId));
    const threadId = await hostedThread(engine);
    due.length = 0;
    const hosted = await engine.openReview(aDraft(2, { threadId }));
    const [first, second] = decideEach(hosted, approve);
    for (const decision of [first, second, second]) {
      if (decision === undefined) continue;
      await engine.decide({ reviewId: hosted.id, decisions: [decision], reviewer: anna });
      const expected = decision === first ? [] : ["continue"];
      expect((await engine.runs.active(threadId)).map((run) => run.kind)).toEqual(expected);
    }
    expect(due).toEqual([threadId]);
    stop();
    const foreign = await engine.openReview(aDraft());
    await engine.decide({
      reviewId: foreign.id,
      decisions: decideEach(foreign, approve),
      reviewer: anna,
    });
    expect(await engine.runs.active(foreign.threadId)).toEqual([]);
    expect(due).toEqual([threadId]);
  });
});

describe("deciding several reviews at once", () => {
  test("records all of them in one transaction", async () => {
    const engine = await openTestEngine();
    const reviews = await Promise.all([aDraft(1), aDraft(2)].map(engine.openReview));
    const requests = reviews.map((review) => ({
      reviewId: review.id,
      decisions: decideEach(review, approve),
      reviewer: anna,
    }));
    const result = await engine.reviews.decideAll(requests);
    expect(result).toMatchObject({
      type: "recorded",
      results: [{ repeated: false }, { repeated: false }],
    });
    expect(await engine.reviews.decideAll(requests)).toMatchObject({
      type: "recorded",
      results: [{ repeated: true }, { repeated: true }],
    });
  });

  test.each([
    ["already decided by somebody else", "already_decided"],
    ["unknown", "review_not_found"],
  ])("records none of them when one is %s", async (which, code) => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    const [good, taken, last] = await Promise.all(
      [aDraft(), aDraft(), aDraft()].map(engine.openReview),
    );
    if (good === undefined || taken === undefined || last === undefined)
      throw new Error("three were opened");
    await engine.decide({
      reviewId: taken.id,
      decisions: decideEach(taken, reject),
      reviewer: ben,
    });
    const raw = openRaw(path);
    const before = allRows(raw);
    const bad = which === "unknown" ? "rev_unknown" : taken.id;
    const result = await engine.reviews.decideAll([
      { reviewId: good.id, decisions: decideEach(good, approve), reviewer: anna },
      { reviewId: bad, decisions: decideEach(taken, approve), reviewer: anna },
      { reviewId: last.id, decisions: decideEach(last, approve), reviewer: anna },
    ]);
    expect(result).toMatchObject({ type: "refused", refusal: { code } });
    expect(allRows(raw)).toEqual(before);
  });
});

describe("closing a review", () => {
  test("ends it without an outcome: no permit, no run, and it cannot be decided", async () => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    const threadId = await hostedThread(engine);
    const review = await engine.openReview(aDraft(1, { threadId }));
    await engine.reviews.closeReview(review.id, "superseded");
    await engine.reviews.closeReview(review.id, "again");
    await engine.reviews.closeReview("rev_none", "nothing there");
    expect(await engine.reviews.view(review.id)).toMatchObject({
      status: "closed",
      closedBecause: "superseded",
    });
    const request = { reviewId: review.id, decisions: decideEach(review, approve), reviewer: anna };
    expect(await engine.decide(request)).toMatchObject({
      type: "refused",
      refusal: { code: "review_closed" },
    });
    expect(numberIn(openRaw(path), "SELECT count(*) FROM permits")).toBe(0);
    expect(await engine.runs.active(threadId)).toEqual([]);
    expect(await auditTypes(engine, review.id)).toEqual(["review.opened", "review.closed"]);
  });
});

describe("an edit", () => {
  const editedAction = { name: "send_email", args: { to: "x@y.z" } };
  const edit: NamedDecision["decision"] = { type: "edit", editedAction };

  async function decideWith(judge: JudgeCall | undefined) {
    const engine = await openTestEngine();
    if (judge !== undefined) engine.registerAgent("mailer", judge);
    const review = await engine.openReview(aDraft());
    const result = await engine.decide({
      reviewId: review.id,
      decisions: decideEach(review, edit),
      reviewer: anna,
    });
    return { result, review, engine };
  }

  test("is judged by the policy of the agent that asked", async () => {
    const asked: unknown[] = [];
    const { result, review } = await decideWith(async (call, context) => {
      asked.push(call, context);
      return { type: "allow", rule: "r", reason: "fine." };
    });
    expect(result.type).toBe("recorded");
    expect(asked).toEqual([editedAction, { threadId: review.threadId }]);
  });

  test.each<readonly [string, JudgeCall | undefined]>([
    ["denies it", async (): Promise<Verdict> => ({ type: "deny", rule: "r", reason: "no." })],
    ["is not registered", undefined],
    ["throws (found by test: deciding threw as well)", () => Promise.reject(new Error("broken"))],
  ])("is refused when that policy %s, and nothing changes", async (_name, judge) => {
    const { result, review, engine } = await decideWith(judge);
    expect(result).toMatchObject({ type: "refused", refusal: { code: "edit_refused" } });
    expect(await engine.readReview(review.id)).toEqual(review);
  });
});

describe("what is written once", () => {
  test.each([
    ["audit_events", "UPDATE audit_events SET type = 'x'"],
    ["audit_events", "DELETE FROM audit_events"],
    ["decisions", "UPDATE decisions SET reviewer = 'ben'"],
    ["decisions", "DELETE FROM decisions"],
  ])("%s are append-only: %s", async (table, sql) => {
    const path = temporaryFile();
    const engine = await openTestEngine(path);
    const review = await engine.openReview(aDraft());
    await engine.decide({
      reviewId: review.id,
      decisions: decideEach(review, approve),
      reviewer: anna,
    });
    const raw = openRaw(path);
    const before = allRows(raw);
    expect(() => raw.exec(sql)).toThrow("append-only");
    expect(allRows(raw)[table]).toEqual(before[table]);
  });
});

test("an action is found by its tool call, and a later review of the same call replaces the earlier one", async () => {
  const engine = await openTestEngine();
  const first = await engine.openReview(aDraft());
  const [action] = first.actions;
  if (action === undefined) throw new Error("a draft has an action");
  const key = { threadId: first.threadId, turnId: first.turnId, toolCallId: action.toolCallId };
  expect(await engine.findAction(key)).toEqual({ review: first, action, permit: undefined });
  expect(await engine.findAction({ ...key, toolCallId: "other" })).toBeUndefined();
  const again = aDraft(1, { threadId: first.threadId, turnId: first.turnId });
  const renewed = {
    ...again,
    actions: again.actions.map((one) => ({ ...one, toolCallId: action.toolCallId })),
  };
  await engine.openReview(renewed);
  expect((await engine.findAction(key))?.review.id).toBe(renewed.id);
  const { threadId, toolCallId } = key;
  expect((await engine.findReviewOfAction(threadId, { toolCallId }))?.id).toBe(renewed.id);
  const byId = { actionId: action.id };
  expect((await engine.findReviewOfAction(threadId, byId))?.id).toBe(first.id);
  expect(await engine.findReviewOfAction("another thread", byId)).toBeUndefined();
});
