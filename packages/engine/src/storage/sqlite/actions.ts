import { actionRecordColumns, actionRecordFrom } from "../rows/action-record-row.ts";
import { reviewFrom } from "../rows/review-row.ts";
import type { Statements } from "./statements.ts";
import type { Reading } from "../storage.ts";

/** Finds actions and their reviews; of a tool call the latest: a later review of the same call replaces the earlier one. */
export function readActions(sql: Statements): Pick<Reading, "findAction" | "findReviewOfAction"> {
  return {
    findAction: async (key) => {
      const row = sql.get(
        `SELECT ${actionRecordColumns} FROM actions AS a JOIN reviews AS r ON r.id = a.review_id
           LEFT JOIN permits AS p ON p.action_id = a.id
         WHERE a.thread_id = ? AND a.turn_id = ? AND a.tool_call_id = ? ORDER BY r.seq DESC LIMIT 1`,
        key.threadId,
        key.turnId,
        key.toolCallId,
      );
      return row === undefined ? undefined : actionRecordFrom(row);
    },
    findReviewOfAction: async (threadId, { actionId, toolCallId }) => {
      const row = sql.get(
        `SELECT r.* FROM actions AS a JOIN reviews AS r ON r.id = a.review_id
         WHERE a.thread_id = ? AND ${actionId === undefined ? "a.tool_call_id" : "a.id"} = ? ORDER BY r.seq DESC LIMIT 1`,
        threadId,
        actionId ?? toolCallId,
      );
      return row === undefined ? undefined : reviewFrom(row);
    },
  };
}
