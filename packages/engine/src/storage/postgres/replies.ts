import { replyFrom } from "../rows/reply-row.ts";
import type { Reading, Writing } from "../storage.ts";
import type { Statements } from "./statements.ts";

/** Reads the replies that are kept for whoever sends a request again. */
export function readReplies(sql: Statements): Pick<Reading, "findReplies"> {
  return {
    findReplies: async (keys) => {
      const rows = await sql.all(
        `SELECT r.* FROM holdpoint.replies AS r
         JOIN unnest($1::text[], $2::text[]) AS k (caller, key) ON r.caller = k.caller AND r.key = k.key`,
        keys.map(({ caller }) => caller),
        keys.map(({ key }) => key),
      );
      return rows.map(replyFrom);
    },
  };
}

/** Keeps replies, and drops old ones. */
export function writeReplies(sql: Statements): Pick<Writing, "insertReplies" | "dropReplies"> {
  return {
    insertReplies: async (rows) => {
      await sql.run(
        `INSERT INTO holdpoint.replies (caller, key, request_hash, reply, at)
         SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])`,
        rows.map(({ caller }) => caller),
        rows.map(({ key }) => key),
        rows.map(({ requestHash }) => requestHash),
        rows.map(({ reply }) => JSON.stringify(reply)),
        rows.map(({ at }) => at),
      );
    },
    dropReplies: async (before) =>
      void (await sql.run(`DELETE FROM holdpoint.replies WHERE at < $1`, before)),
  };
}
