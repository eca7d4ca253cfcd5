import { z } from "zod";

/** How reviews are listed. */
export const listQuerySchema = z.object({
  status: z.enum(["open", "settled"]).default("open"),
  order: z.enum(["newest", "oldest"]).default("newest"),
  cursor: z.string().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});
