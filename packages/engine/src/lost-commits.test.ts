import type { ActionId, Review } from "@holdpoint/core";
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from "vitest";
import { startPostgres, type TestPostgres } from "../../../test/harness/postgres.ts";
import { type Engine, openEngine } from "./engine.ts";
import { aDraft, anna, approvedAction, ben, decideEach } from "./testing/review-draft.ts";
import { startProxy } from "./testing/tcp-proxy.ts";
import { createTestClock } from "./testing/test-clock.ts";

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.stop());

// No renewal by a timer comes in between and takes the loss that was meant for somebody else.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setInterval"] }));
afterEach(() => void vi.useRealTimers());

const receipt = { status: "succeeded", message: { content: "ran" } } as const;
/** Longer than a lease holds. */
const stall = 20_000;

/**
 * An engine whose next so many COMMITs are lost, before they take place or after, and one beside it whose
 * are not; both have one clock.
 */
async function engines() {
  let left = 0;
  let passed = 0;
  let when: "now" | "answered" = "answered";
  const url = await startProxy(postgres.url, (bytes, cut) => {
    if (left > 0 && bytes.includes("COMMIT")) {
      if (passed > 0) passed -= 1;
      else {
        left -= 1;
        cut(when);
      }
    }
    return bytes;
  });
  const { clock, advance } = createTestClock();
  const open = async (database: string): Promise<Engine> => {
    const engine = await openEngine({ database, directAddress: postgres.url, clock });
    onTestFinished(() => engine.close());
    return engine;
  };
  const engine = await open(url);
  const beside = await open(postgres.url);
  const lose = (commits: number, cutWhen: "now" | "answered" = "answered", after = 0): void => {
    left = commits;
    when = cutWhen;
    passed = after;
  };
  return { engine, beside, advance, lose, left: () => left };
}

/** Claims some run or other; whoever does that renews all that it holds. */
async function renew(engine: Engine): Promise<void> {
  const agent = `agent_${Math.random()}`;
  await engine.runs.start({ threadId: agent, agent, input: {}, dedupeKey: "1" });
  expect(await engine.runs.claim([agent])).toMatchObject({ threadId: agent });
}

const statusOf = async (engine: Engine, id: ActionId) =>
  (await engine.storage.read((reading) => reading.findPermit(id)))?.permit.state.status;

const typesOf = async (engine: Engine, stream: string) =>
  (await engine.storage.read((reading) => reading.auditOf(stream))).map(({ type }) => type);

describe.each(["now", "answered"] as const)("F2: when a COMMIT is lost (cut %s)", (when) => {
  test("the start of a permit goes on once the connection is back: one caller gets it, audited once", async () => {
    const { engine, beside, lose, left } = await engines();
    const { id, digest, reviewId } = await approvedAction(engine);
    lose(1, when);
    const started = await engine.startPermit(id, digest);
    expect(left()).toBe(0);
    expect(started).toMatchObject({ type: "done", permit: { fence: 1 } });
    for (const one of [engine, beside])
      expect(await one.startPermit(id, digest)).toMatchObject({ type: "refused" });
    expect(await engine.closePermit(id, 1, receipt)).toMatchObject({ type: "done" });
    expect((await typesOf(engine, reviewId)).filter((type) => type === "permit.started")).toEqual([
      "permit.started",
    ]);
  });

  test("of callers that start at once exactly one gets the permit", async () => {
    const { engine, lose } = await engines();
    const { id, digest } = await approvedAction(engine);
    lose(2, when);
    const results = await Promise.all(
      Array.from({ length: 6 }, () => engine.startPermit(id, digest)),
    );
    expect(results.filter(({ type }) => type === "done")).toHaveLength(1);
  });

  test("a receipt is stored once, and its repeat is no refusal", async () => {
    const { engine, lose } = await engines();
    const { id, digest, reviewId } = await approvedAction(engine);
    await engine.startPermit(id, digest);
    lose(1, when);
    expect(await engine.closePermit(id, 1, receipt)).toMatchObject({ type: "done" });
    expect(await statusOf(engine, id)).toBe("succeeded");
    expect((await typesOf(engine, reviewId)).filter((type) => type.startsWith("permit."))).toEqual([
      "permit.started",
      "permit.succeeded",
    ]);
  });

  test("receipts of one moment are each stored once, and no repeat is a refusal", async () => {
    const { engine, lose } = await engines();
    const actions = [];
    for (let number = 0; number < 5; number += 1) actions.push(await approvedAction(engine));
    await Promise.all(actions.map(({ id, digest }) => engine.startPermit(id, digest)));
    lose(1, when);
    const closed = await Promise.all(actions.map(({ id }) => engine.closePermit(id, 1, receipt)));
    expect(closed.map(({ type }) => type)).toEqual(actions.map(() => "done"));
    for (const { reviewId } of actions)
      expect(
        (await typesOf(engine, reviewId)).filter((type) => type.startsWith("permit.")),
      ).toEqual(["permit.started", "permit.succeeded"]);
  });

  test("of decisions of one moment each is told that nobody knows, and is a repeat or the first when it comes again", async () => {
    const { engine, lose } = await engines();
    const reviews: Review[] = [];
    for (let number = 0; number < 5; number += 1) reviews.push(await engine.openReview(aDraft()));
    const decideAll = () =>
      Promise.allSettled(
        reviews.map((review) => {
          const decisions = decideEach(review, { type: "approve" });
          return engine.decide({ reviewId: review.id, decisions, reviewer: anna });
        }),
      );
    lose(1, when);
    for (const told of await decideAll())
      expect(told).toMatchObject({
        status: "rejected",
        reason: { message: expect.stringContaining("may or may not have been saved") },
      });
    for (const told of await decideAll())
      expect(told).toMatchObject({
        value: { type: "recorded", repeated: when === "answered" },
      });
  });

  test("a decision that is sent again gets the first reply, and somebody else's learns who decided", async () => {
    const { engine, beside, lose } = await engines();
    const review = await engine.openReview(aDraft());
    const request = {
      reviewId: review.id,
      decisions: decideEach(review, { type: "approve" }),
      reviewer: anna,
    };
    lose(1, when);
    await expect(engine.decide(request)).rejects.toMatchObject({
      message: expect.stringContaining("may or may not have been saved"),
    });
    const again = await engine.decide(request);
    expect(again).toMatchObject({ type: "recorded", repeated: when === "answered" });
    expect(await engine.decide(request)).toMatchObject({ type: "recorded", repeated: true });
    const decisions = decideEach(review, { type: "reject" });
    expect(await beside.decide({ ...request, decisions, reviewer: ben })).toMatchObject({
      type: "refused",
      refusal: { code: "already_decided", details: { by: "Anna" } },
    });
    expect(await typesOf(engine, review.id)).toEqual(["review.opened", "action.decided"]);
  });

  test("a run whose claim was lost is not renewed by anybody, and is claimed again when its lease is over", async () => {
    const { engine, beside, advance, lose } = await engines();
    const agent = `agent_${Math.random()}`;
    await engine.runs.start({ threadId: agent, agent, input: {}, dedupeKey: "1" });
    lose(1, when, 1); // the first is that of a look whether there is anything
    await expect(engine.runs.claim([agent])).rejects.toThrow("may or may not have been saved");
    if (when === "answered") expect(await beside.runs.claim([agent])).toBeUndefined();
    advance(stall - 10_000);
    await renew(engine);
    advance(10_000);
    expect(await beside.runs.claim([agent])).toMatchObject({ threadId: agent });
  });
});

describe("a start that nobody was told of", () => {
  test("is given up when its lease is over: whoever waits for it goes on, and it is unknown", async () => {
    const { engine, beside, advance, lose } = await engines();
    const { id, digest } = await approvedAction(engine);
    lose(10);
    await expect(engine.startPermit(id, digest)).rejects.toThrow("may or may not");
    lose(0);
    expect(await statusOf(beside, id)).toBe("started");
    advance(stall - 10_000);
    await renew(engine);
    advance(10_000);
    expect((await engine.awaitPermit(id))?.state.status).toBe("unknown");
    expect((await beside.awaitPermit(id))?.state.status).toBe("unknown");
  });

  test("is taken up by whoever starts it again in the same process, and by nobody else", async () => {
    const { engine, beside, lose } = await engines();
    const { id, digest } = await approvedAction(engine);
    lose(10);
    await expect(engine.startPermit(id, digest)).rejects.toThrow("may or may not");
    lose(0);
    expect((await beside.startPermit(id, digest)).type).toBe("refused");
    const results = await Promise.all([1, 2, 3].map(() => engine.startPermit(id, digest)));
    expect(results.map(({ type }) => type).toSorted()).toEqual(["done", "refused", "refused"]);
    expect(await engine.closePermit(id, 1, receipt)).toMatchObject({ type: "done" });
  });

  test("is never one whose tool ran: its receipt is sent until it is stored, and starts are refused", async () => {
    const { engine, lose } = await engines();
    const { id, digest } = await approvedAction(engine);
    await engine.startPermit(id, digest);
    lose(3, "now");
    const closing = engine.closePermit(id, 1, receipt);
    expect((await engine.startPermit(id, digest)).type).toBe("refused");
    expect(await closing).toMatchObject({ type: "done" });
    expect((await engine.startPermit(id, digest)).type).toBe("refused");
  });
});
