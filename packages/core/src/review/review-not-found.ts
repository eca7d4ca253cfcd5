import type { Refusal } from "../contract/errors.ts";

/** Refuses an id that names no review. */
export function reviewNotFound(id: string): Refusal {
  return {
    code: "review_not_found",
    message: `There is no review ${id}; look in the inbox for the ones that are open.`,
    details: { reviewId: id },
  };
}
