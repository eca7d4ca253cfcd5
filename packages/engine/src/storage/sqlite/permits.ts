import type { ReviewId } from "@holdpoint/core";
import { permitFrom } from "../rows/permit-row.ts";
import type { Statements } from "./statements.ts";
import type { Reading, Writing } from "../storage.ts";

/** Reads permits with the lease of whoever runs the tool. */
export function readPermits(
  sql: Statements,
): Pick<Reading, "findPermit" | "findPermits" | "reviewIdOf"> {
  const findPermits: Reading["findPermits"] = async (actionIds) => {
    const rows = sql.all(
      `SELECT p.*, p.epoch <> i.epoch AS outdated FROM permits AS p, instance AS i
       WHERE p.action_id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(actionIds),
    );
    return new Map(rows.map(permitFrom).map((found) => [found.permit.actionId, found]));
  };
  return {
    findPermits,
    findPermit: async (actionId) => (await findPermits([actionId])).get(actionId),
    reviewIdOf: async (actionId) => {
      const row = sql.get(`SELECT review_id FROM actions WHERE id = ?`, actionId);
      return row === undefined ? undefined : (row.review_id as ReviewId); // the foreign key says so
    },
  };
}

/** Writes permits; a save names the fence and status it saw. */
export function writePermits(sql: Statements): Pick<Writing, "insertPermits" | "savePermit"> {
  return {
    insertPermits: async (permits) => {
      for (const permit of permits) {
        sql.run(
          `INSERT INTO permits (action_id, digest, fence, status, state, epoch)
           VALUES (?, ?, ?, ?, ?, (SELECT epoch FROM instance))`,
          permit.actionId,
          permit.digest,
          permit.fence,
          permit.state.status,
          JSON.stringify(permit.state),
        );
      }
    },
    savePermit: async (permit, expected, lease) =>
      sql.run(
        `UPDATE permits SET fence = ?, status = ?, state = ?, lease_owner = ?, lease_until = ?
         WHERE action_id = ? AND fence = ? AND status = ?`,
        permit.fence,
        permit.state.status,
        JSON.stringify(permit.state),
        lease?.owner,
        lease?.until,
        permit.actionId,
        expected.fence,
        expected.state.status,
      ) === 1,
  };
}
