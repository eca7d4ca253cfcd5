import type { ReviewView } from "@holdpoint/core";

/** A review in a list; `left` when it no longer belongs there but stays in place for now. */
export type ListedReview = { readonly review: ReviewView; readonly left: boolean };

/** The rows to show, and how many new ones are held back. */
export type MergedReviews = { readonly rows: readonly ListedReview[]; readonly held: number };

/**
 * Brings a list up to date. While a review is opened, nothing above it may move, or a click meant for
 * one button lands on another: rows that left stay in place and new ones above wait.
 */
export function mergeReviews(
  shown: readonly ListedReview[],
  latest: readonly ReviewView[],
  openedId: string | undefined,
): MergedReviews {
  if (openedId === undefined || !shown.some(({ review }) => review.id === openedId)) {
    return { rows: latest.map((review) => ({ review, left: false })), held: 0 };
  }
  const current = new Map(latest.map((review) => [review.id, review]));
  const rows = shown.map((row): ListedReview => {
    const review = current.get(row.review.id);
    return review === undefined ? { review: row.review, left: true } : { review, left: false };
  });
  const shownIds = new Set(rows.map(({ review }) => review.id));
  const lastShown = latest.findLastIndex(({ id }) => shownIds.has(id));
  const added = latest.filter(({ id }) => !shownIds.has(id));
  const below = added.filter((review) => latest.indexOf(review) > lastShown);
  return {
    rows: [...rows, ...below.map((review) => ({ review, left: false }))],
    held: added.length - below.length,
  };
}
