import type { ReviewId } from "@holdpoint/core";
import { permitFrom } from "../rows/permit-row.ts";
import { placeNow } from "./instance.ts";
import type { Statements } from "./statements.ts";
import type { Reading, Writing } from "../storage.ts";

/** Reads permits with the lease of whoever runs the tool. */
export function readPermits(
  sql: Statements,
): Pick<Reading, "findPermit" | "findPermits" | "reviewIdOf"> {
  const findPermits: Reading["findPermits"] = async (actionIds) => {
    const rows = await sql.all(
      `SELECT p.*, p.epoch <> i.epoch OR i.place IS DISTINCT FROM ${placeNow} AS outdated
       FROM holdpoint.permits AS p, holdpoint.instance AS i WHERE p.action_id = ANY ($1)`,
      actionIds,
    );
    return new Map(rows.map(permitFrom).map((found) => [found.permit.actionId, found]));
  };
  return {
    findPermits,
    findPermit: async (actionId) => (await findPermits([actionId])).get(actionId),
    reviewIdOf: async (actionId) => {
      const row = await sql.get(`SELECT review_id FROM holdpoint.actions WHERE id = $1`, actionId);
      return row === undefined ? undefined : (row.review_id as ReviewId); // the foreign key says so
    },
  };
}

/** Writes permits; a save names the fence and status it saw. */
export function writePermits(sql: Statements): Pick<Writing, "insertPermits" | "savePermit"> {
  return {
    insertPermits: async (permits) => {
      await sql.run(
        `INSERT INTO holdpoint.permits (action_id, digest, fence, status, state, epoch)
         SELECT *, (SELECT epoch FROM holdpoint.instance) FROM unnest($1::text[], $2::text[], $3::integer[], $4::text[], $5::text[])`,
        permits.map((permit) => permit.actionId),
        permits.map((permit) => permit.digest),
        permits.map((permit) => permit.fence),
        permits.map((permit) => permit.state.status),
        permits.map((permit) => JSON.stringify(permit.state)),
      );
    },
    savePermit: async (permit, expected, lease) =>
      (await sql.run(
        `UPDATE holdpoint.permits SET fence = $1, status = $2, state = $3, lease_owner = $4, lease_until = $5
         WHERE action_id = $6 AND fence = $7 AND status = $8`,
        permit.fence,
        permit.state.status,
        JSON.stringify(permit.state),
        lease?.owner,
        lease?.until,
        permit.actionId,
        expected.fence,
        expected.state.status,
      )) === 1,
  };
}
