import type { ActionId } from "@holdpoint/core";
import { permitFrom } from "../rows/permit-row.ts";
import type { Statements } from "./statements.ts";
import type { PermitSave, Reading, Writing } from "../storage.ts";

/** Reads permits with the lease of whoever runs the tool. */
export function readPermits(
  sql: Statements,
): Pick<Reading, "findPermit" | "findPermits" | "lapsedPermits"> {
  const findPermits: Reading["findPermits"] = async (actionIds) => {
    const rows = sql.all(
      `SELECT p.*, a.review_id, p.epoch <> i.epoch AS outdated
       FROM permits AS p JOIN actions AS a ON a.id = p.action_id, instance AS i
       WHERE p.action_id IN (SELECT value FROM json_each(?))`,
      JSON.stringify(actionIds),
    );
    return new Map(rows.map(permitFrom).map((found) => [found.permit.actionId, found]));
  };
  return {
    findPermits,
    findPermit: async (actionId) => (await findPermits([actionId])).get(actionId),
    lapsedPermits: async (at, limit) => {
      const rows = sql.all(
        `SELECT action_id FROM permits
         WHERE status = 'started' AND (lease_until IS NULL OR lease_until <= ?) LIMIT ?`,
        at,
        limit,
      );
      return rows.map((row) => row.action_id as ActionId); // written by us under this type
    },
  };
}

/** Writes permits; a save names the fence and status it saw. */
export function writePermits(sql: Statements): Pick<Writing, "insertPermits" | "savePermits"> {
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
    savePermits: async (saves) =>
      new Set(saves.filter((save) => isSaved(save, sql)).map(({ permit }) => permit.actionId)),
  };
}

function isSaved({ permit, over, lease }: PermitSave, sql: Statements): boolean {
  const changed = sql.run(
    `UPDATE permits SET fence = ?, status = ?, state = ?, lease_owner = ?, lease_until = ?
     WHERE action_id = ? AND fence = ? AND status = ?`,
    permit.fence,
    permit.state.status,
    JSON.stringify(permit.state),
    lease?.owner,
    lease?.until,
    permit.actionId,
    over.fence,
    over.state.status,
  );
  return changed === 1;
}
