import type { ReviewId } from "@holdpoint/core";
import type { Statements } from "./statements.ts";
import type { Reading } from "../storage.ts";

/** Finds actions and their reviews; of a tool call the latest: a later review of the same call replaces the earlier one. */
export function readActions(
  sql: Statements,
  reading: Pick<Reading, "findReview" | "findPermit">,
): Pick<Reading, "findAction" | "findReviewOfAction"> {
  return {
    findAction: async (key) => {
      const row = await sql.get(
        `SELECT a.id, a.review_id FROM holdpoint.actions AS a JOIN holdpoint.reviews AS r ON r.id = a.review_id
         WHERE a.thread_id = $1 AND a.turn_id = $2 AND a.tool_call_id = $3 ORDER BY r.seq DESC LIMIT 1`,
        key.threadId,
        key.turnId,
        key.toolCallId,
      );
      if (row === undefined) return undefined;
      const review = await reading.findReview(row.review_id as ReviewId); // the foreign key says so
      const action = review?.actions.find((one) => one.id === row.id);
      if (review === undefined || action === undefined) return undefined;
      return { review, action, permit: (await reading.findPermit(action.id))?.permit };
    },
    findReviewOfAction: async (threadId, { actionId, toolCallId }) => {
      const row = await sql.get(
        `SELECT a.review_id FROM holdpoint.actions AS a JOIN holdpoint.reviews AS r ON r.id = a.review_id
         WHERE a.thread_id = $1 AND ${actionId === undefined ? "a.tool_call_id" : "a.id"} = $2 ORDER BY r.seq DESC LIMIT 1`,
        threadId,
        actionId ?? toolCallId,
      );
      return row === undefined ? undefined : reading.findReview(row.review_id as ReviewId); // the foreign key says so
    },
  };
}
