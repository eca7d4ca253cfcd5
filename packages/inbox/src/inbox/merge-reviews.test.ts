import { expect, test } from "vitest";
import { openReview } from "../testing/sample-review.ts";
import { type ListedReview, mergeReviews } from "./merge-reviews.ts";

const [one, two, three, four] = [openReview(1), openReview(2), openReview(3), openReview(4)];
const shown: ListedReview[] = [two, three].map((review) => ({ review, left: false }));

function idsOf(rows: readonly ListedReview[]): string[] {
  return rows.map(({ review, left }) => `${review.id}${left ? " left" : ""}`);
}

test("while nothing is opened, the list is what the server says", () => {
  const { rows, held } = mergeReviews(shown, [one, three], undefined);
  expect(idsOf(rows)).toEqual(["rev_1", "rev_3"]);
  expect(held).toBe(0);
});

test("nothing above an opened review moves: new ones wait and decided ones stay in place", () => {
  const { rows, held } = mergeReviews(shown, [one, three], "rev_3");
  expect(idsOf(rows)).toEqual(["rev_2 left", "rev_3"]);
  expect(held).toBe(1);
});

test("what comes below an opened review is shown at once", () => {
  const { rows, held } = mergeReviews(shown, [two, three, four], "rev_3");
  expect(idsOf(rows)).toEqual(["rev_2", "rev_3", "rev_4"]);
  expect(held).toBe(0);
});

test("an opened review that was decided stays in place", () => {
  const { rows } = mergeReviews(shown, [two], "rev_3");
  expect(idsOf(rows)).toEqual(["rev_2", "rev_3 left"]);
});
