import { replyFrom } from "../rows/reply-row.ts";
import type { Reading, Writing } from "../storage.ts";
import type { Statements } from "./statements.ts";

/** Reads the replies that are kept for whoever sends a request again. */
export function readReplies(sql: Statements): Pick<Reading, "findReplies"> {
  return {
    findReplies: async (keys) =>
      sql
        .all(
          `SELECT r.* FROM replies AS r JOIN json_each(?) AS k
           ON r.caller = k.value ->> 'caller' AND r.key = k.value ->> 'key'`,
          JSON.stringify(keys),
        )
        .map(replyFrom),
  };
}

/** Keeps replies, and drops old ones. */
export function writeReplies(sql: Statements): Pick<Writing, "insertReplies" | "dropReplies"> {
  return {
    insertReplies: async (rows) => {
      for (const { caller, key, requestHash, reply, at } of rows) {
        sql.run(
          `INSERT INTO replies (caller, key, request_hash, reply, at) VALUES (?, ?, ?, ?, ?)`,
          caller,
          key,
          requestHash,
          JSON.stringify(reply),
          at,
        );
      }
    },
    dropReplies: async (before) => void sql.run(`DELETE FROM replies WHERE at < ?`, before),
  };
}
