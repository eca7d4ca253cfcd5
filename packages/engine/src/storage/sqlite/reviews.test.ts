import type { ReviewView } from "@holdpoint/core";
import { describe, expect, test } from "vitest";
import type { Engine } from "../../engine.ts";
import { openRaw } from "../../testing/raw-database.ts";
import { aDraft, anna, decideEach } from "../../testing/review-draft.ts";
import { createTestClock } from "../../testing/test-clock.ts";
import { openTestEngine, temporaryFile } from "../../testing/temporary-engine.ts";
import type { ReviewQuery } from "../storage.ts";
import { readReviews } from "./reviews.ts";
import { createStatements, type Statements } from "./statements.ts";

type Listing = Pick<ReviewQuery, "status" | "order">;
const listings: readonly Listing[] = [
  { status: "open", order: "oldest" },
  { status: "open", order: "newest" },
  { status: "settled", order: "oldest" },
  { status: "settled", order: "newest" },
];

async function openMany(engine: Engine, count: number): Promise<string[]> {
  const drafts = Array.from({ length: count }, () => aDraft());
  await Promise.all(drafts.map((draft) => engine.openReview(draft)));
  return drafts.map((draft) => draft.id);
}

async function settle(engine: Engine, ids: readonly string[]): Promise<void> {
  await Promise.all(
    ids.map(async (id) => {
      const view = await engine.reviews.view(id as ReviewView["id"]);
      if (view === undefined) throw new Error(`${id} was opened`);
      const decisions = view.actions.map((action) => ({
        actionId: action.id,
        decision: { type: "approve" as const },
      }));
      await engine.decide({ reviewId: view.id, decisions, reviewer: anna });
    }),
  );
}

/** Reads a list page by page to its end; `between` runs after each page. */
async function readAll(
  engine: Engine,
  listing: Listing,
  between: () => Promise<unknown>,
): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await engine.reviews.list({
      ...listing,
      limit: 47,
      ...(cursor === undefined ? {} : { cursor }),
    });
    ids.push(...page.reviews.map((review) => review.id));
    cursor = page.next;
    await between();
  } while (cursor !== undefined);
  return ids;
}

describe("paging through 500 reviews", () => {
  test.each(listings)(
    "$status, $order first: no gaps and no repeats while new ones arrive",
    async ({ status, order }) => {
      const { clock, advance } = createTestClock();
      const engine = await openTestEngine(undefined, { clock });
      const ids = await openMany(engine, 500);
      if (status === "settled") {
        // Several settle at the same moment, so that the place behind the time decides.
        for (let start = 0; start < ids.length; start += 20) {
          advance(1000);
          await settle(engine, ids.slice(start, start + 20));
        }
      }
      const extra = status === "settled" ? await openMany(engine, 20) : [];
      let arrived = 0;
      const found = await readAll(engine, { status, order }, async () => {
        advance(1000);
        const before = arrived;
        arrived += 1;
        if (status === "settled") await settle(engine, extra.slice(before, arrived));
        else extra.push(...(await openMany(engine, 1)));
      });
      const known = found.filter((id) => ids.includes(id));
      expect(known).toEqual(order === "oldest" ? ids : ids.toReversed());
      expect(new Set(found).size).toBe(found.length);
      // What arrives later is behind the oldest and before the newest.
      const late = found.filter((id) => !ids.includes(id));
      expect(late).toEqual(order === "newest" ? [] : extra.slice(0, arrived - 1));
    },
  );

  test("a review that is settled between two pages is neither lost from the rest nor shown twice", async () => {
    const engine = await openTestEngine();
    const ids = await openMany(engine, 30);
    const first = await engine.reviews.list({ status: "open", order: "oldest", limit: 10 });
    await settle(engine, ids.slice(5, 15));
    const rest = await engine.reviews.list({
      status: "open",
      order: "oldest",
      limit: 50,
      cursor: first.next ?? "",
    });
    expect(rest.reviews.map((review) => review.id)).toEqual(ids.slice(15));
    expect(rest.next).toBeUndefined();
  });

  test("a cursor that is none finds nothing, and fails nothing (found by test: it failed as SQL)", async () => {
    const engine = await openTestEngine();
    await openMany(engine, 3);
    for (const cursor of ["nonsense", "#", "1e999", "0); DROP TABLE reviews; --", "2026#x"]) {
      for (const listing of listings) {
        await expect(engine.reviews.list({ ...listing, limit: 5, cursor })).resolves.toHaveProperty(
          "reviews",
        );
      }
    }
    expect(
      (await engine.reviews.list({ status: "open", order: "oldest", limit: 5 })).reviews,
    ).toHaveLength(3);
  });
});

describe("the lists that people look at", () => {
  async function plansOf(query: ReviewQuery): Promise<string[]> {
    const path = temporaryFile();
    await openTestEngine(path);
    const raw = openRaw(path);
    const sql = createStatements(raw);
    const plans: string[] = [];
    const explained: Statements = {
      ...sql,
      all: (text, ...values) => {
        const steps = sql.all(`EXPLAIN QUERY PLAN ${text}`, ...values);
        plans.push(...steps.map((step) => String(step["detail"])));
        return sql.all(text, ...values);
      },
    };
    await readReviews(explained).listReviews(query);
    return plans;
  }

  test.each(
    listings.flatMap((listing) =>
      [undefined, "2026-11-30T12:00:00.000Z#00000000000000000007"].map((cursor) => ({
        ...listing,
        cursor,
      })),
    ),
  )(
    "cost the same with any history: $status, $order first, after $cursor",
    async ({ status, order, cursor }) => {
      const plans = await plansOf({
        status,
        order,
        limit: 50,
        ...(cursor === undefined ? {} : { cursor }),
      });
      expect(plans.length).toBeGreaterThan(0);
      const index = status === "open" ? "reviews_open" : "reviews_settled";
      expect(plans.join("; ")).toContain(`USING INDEX ${index}`);
      for (const plan of plans) {
        expect(plan).not.toMatch(/^SCAN reviews(?! USING INDEX)/);
        expect(plan).not.toContain("TEMP B-TREE");
      }
    },
  );
});

test("what is open on a thread comes in the order in which it was opened", async () => {
  const engine = await openTestEngine();
  const drafts = [aDraft(1, { threadId: "t" }), aDraft(2, { threadId: "t" }), aDraft(1)];
  for (const draft of drafts) await engine.openReview(draft);
  const [first, second] = drafts;
  expect((await engine.reviews.openOf("t")).map((review) => review.id)).toEqual([
    first?.id,
    second?.id,
  ]);
  if (first === undefined) throw new Error("three were opened");
  await engine.decide({
    reviewId: first.id,
    decisions: decideEach(first, { type: "reject" }),
    reviewer: anna,
  });
  expect((await engine.reviews.openOf("t")).map((review) => review.id)).toEqual([second?.id]);
});
