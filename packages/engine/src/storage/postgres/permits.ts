import type { ActionId } from "@holdpoint/core";
import { permitFrom } from "../rows/permit-row.ts";
import { placeNow } from "./instance.ts";
import type { Statements } from "./statements.ts";
import type { Reading, Writing } from "../storage.ts";

/** Reads permits with the lease of whoever runs the tool. */
export function readPermits(
  sql: Statements,
): Pick<Reading, "findPermit" | "findPermits" | "lapsedPermits"> {
  const findPermits: Reading["findPermits"] = async (actionIds) => {
    const rows = await sql.all(
      `SELECT p.*, a.review_id, p.epoch <> i.epoch OR i.place IS DISTINCT FROM ${placeNow} AS outdated
       FROM holdpoint.permits AS p JOIN holdpoint.actions AS a ON a.id = p.action_id, holdpoint.instance AS i
       WHERE p.action_id = ANY ($1)`,
      actionIds,
    );
    return new Map(rows.map(permitFrom).map((found) => [found.permit.actionId, found]));
  };
  return {
    findPermits,
    findPermit: async (actionId) => (await findPermits([actionId])).get(actionId),
    lapsedPermits: async (at, limit) => {
      const rows = await sql.all(
        `SELECT action_id FROM holdpoint.permits
         WHERE status = 'started' AND (lease_until IS NULL OR lease_until <= $1) LIMIT $2`,
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
    savePermits: async (saves) => {
      const saved = await sql.all(
        `UPDATE holdpoint.permits AS permit SET fence = saved.fence, status = saved.status, state = saved.state,
           lease_owner = saved.lease_owner, lease_until = saved.lease_until
         FROM unnest($1::text[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::text[], $7::integer[], $8::text[])
           AS saved (action_id, fence, status, state, lease_owner, lease_until, over_fence, over_status)
         WHERE permit.action_id = saved.action_id AND permit.fence = saved.over_fence
           AND permit.status = saved.over_status
         RETURNING permit.action_id`,
        saves.map(({ permit }) => permit.actionId),
        saves.map(({ permit }) => permit.fence),
        saves.map(({ permit }) => permit.state.status),
        saves.map(({ permit }) => JSON.stringify(permit.state)),
        saves.map(({ lease }) => lease?.owner),
        saves.map(({ lease }) => lease?.until),
        saves.map(({ over }) => over.fence),
        saves.map(({ over }) => over.state.status),
      );
      return new Set(saved.map((row) => row.action_id as ActionId)); // written by us under this type
    },
  };
}
