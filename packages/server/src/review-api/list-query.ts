import { z } from "zod";

/** Where a page ends: open reviews by their number, settled ones by when they were settled and their number. */
const cursors = { open: /^\d{1,20}$/, settled: /^[\d.:TZ-]{1,30}#\d{1,20}$/ };

/** How reviews are listed. */
export const listQuerySchema = z
  .object({
    status: z.enum(["open", "settled"]).default("open"),
    order: z.enum(["newest", "oldest"]).default("newest"),
    cursor: z.string().max(100).optional(),
    limit: z.coerce.number().int().min(1).max(200).default(50),
  })
  .refine(({ status, cursor }) => cursor === undefined || cursors[status].test(cursor), {
    path: ["cursor"],
    message: "it is not the `next` of an earlier page of this list",
  });
