import { z } from "zod";

/**
 * When an undecided action gets its default outcome, and which. `at` is ISO-8601 UTC, on the clock that
 * also tells whether a decision came in time. A deadline rejects: no silence ever approves.
 */
export const deadlineSchema = z.lazy(() =>
  z.object({ at: z.iso.datetime(), outcome: z.literal("rejected") }),
);
export type Deadline = z.infer<typeof deadlineSchema>;
