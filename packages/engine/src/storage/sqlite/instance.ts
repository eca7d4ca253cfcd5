import type { Statements } from "./statements.ts";
import type { Reading, Writing } from "../storage.ts";

/** Reads which life of the database this is. A file cannot tell by itself that it was copied back. */
export function readInstance(sql: Statements): Pick<Reading, "instance"> {
  return {
    instance: async () => {
      const row = sql.get(`SELECT epoch, copied_at FROM instance`);
      return { epoch: String(row?.epoch), isCopy: typeof row?.copied_at === "string" };
    },
  };
}

/** Begins a new epoch. */
export function writeInstance(sql: Statements): Pick<Writing, "beginEpoch"> {
  return {
    beginEpoch: async (epoch) => {
      sql.run(`UPDATE instance SET epoch = ?, copied_at = NULL`, epoch);
      sql.run(`DELETE FROM api_keys`);
    },
  };
}
