import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { startPostgres, type TestPostgres } from "../../../../../test/harness/postgres.ts";
import { likePooler, startProxy } from "../../testing/tcp-proxy.ts";
import { aReview } from "../conformance/samples.ts";
import type { Storage } from "../storage.ts";
import { openPostgres } from "./postgres.ts";

let postgres: TestPostgres;

beforeAll(async () => {
  postgres = await startPostgres();
});

afterAll(() => postgres.stop());

/** A storage that holds 40 reviews, and on how many connections reviews were asked for. */
async function openWatched(cutOnce: boolean, asPooler = false) {
  const asked = new Set<object>();
  let cuts = 0;
  const url = await startProxy(
    postgres.url,
    (bytes, cut, client) => {
      if (!bytes.includes("holdpoint.reviews WHERE id = $1")) return bytes;
      asked.add(client);
      if (cutOnce && cuts === 0) {
        cuts += 1;
        cut("now");
      }
      return bytes;
    },
    asPooler ? likePooler : undefined,
  );
  const storage = await openPostgres(url);
  onTestFinished(() => storage.close());
  const reviews = Array.from({ length: 40 }, () => aReview());
  await storage.write(async (writing) => {
    for (const review of reviews) await writing.insertReview(review);
  });
  return { storage, reviews, asked, cuts: () => cuts };
}

const lookAtAll = (storage: Storage, reviews: readonly ReturnType<typeof aReview>[]) =>
  Promise.all(reviews.map((review) => storage.look((reading) => reading.findReview(review.id))));

test("those who look at the same time share connections, and each gets the own answer", async () => {
  const { storage, reviews, asked } = await openWatched(false);
  expect(await lookAtAll(storage, reviews)).toEqual(reviews);
  expect(asked.size).toBe(3);
  expect(await storage.look((reading) => reading.findReview("rev_none"))).toBeUndefined();
});

test("F15: a connection that is lost under several who look is made anew for all of them", async () => {
  const { storage, reviews, cuts } = await openWatched(true);
  expect(await lookAtAll(storage, reviews)).toEqual(reviews);
  expect(cuts()).toBe(1);
});

test("one whose look fails takes no other with it", async () => {
  const { storage, reviews } = await openWatched(false);
  const fails = () => storage.look(() => Promise.reject(new Error("that one cannot be read")));
  const [bad, good] = await Promise.allSettled([fails(), lookAtAll(storage, reviews), fails()]);
  expect(bad).toMatchObject({ reason: { message: "that one cannot be read" } });
  expect(good).toMatchObject({ value: reviews });
});

test("behind a pooler each look is a transaction of its own, as nothing may be shared there", async () => {
  const { storage, reviews } = await openWatched(false, true);
  expect(await lookAtAll(storage, reviews)).toEqual(reviews);
});
