import { z } from "zod";

/** The id of a review. */
export type ReviewId = `rev_${string}`;
/** The id of an action inside a review. */
export type ActionId = `act_${string}`;
/** The id of one recorded decision. */
export type DecisionId = `dec_${string}`;
/** The id of a run. */
export type RunId = `run_${string}`;

/** Reads a review id; refuses anything without its prefix. */
export const reviewIdSchema = z.lazy(() => z.templateLiteral(["rev_", z.string().min(1)]));
/** Reads an action id; refuses anything without its prefix. */
export const actionIdSchema = z.lazy(() => z.templateLiteral(["act_", z.string().min(1)]));
