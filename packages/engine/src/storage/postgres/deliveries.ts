import { deliveryFrom } from "../rows/delivery-row.ts";
import { optionalText } from "../rows/row.ts";
import type { Statements } from "./statements.ts";
import type { Reading, Writing } from "../storage.ts";

type DeliveryReading = Pick<Reading, "findDelivery" | "nextDelivery" | "stuckDeliveries">;
type DeliveryWriting = Pick<
  Writing,
  | "subscribeTopic"
  | "insertDeliveries"
  | "claimDeliveries"
  | "settleDelivery"
  | "withdrawDeliveries"
  | "redriveDelivery"
>;

/** Reads deliveries, one topic at a time, so that none stands in another's way. */
export function readDeliveries(sql: Statements): DeliveryReading {
  return {
    findDelivery: async (id) => {
      const row = await sql.get(`SELECT * FROM holdpoint.deliveries WHERE id = $1`, id);
      return row === undefined ? undefined : deliveryFrom(row);
    },
    nextDelivery: async (topics) => {
      const row = await sql.get(
        `SELECT min(next.due_at) AS due_at FROM unnest($1::text[]) AS wanted (topic)
         CROSS JOIN LATERAL (SELECT due_at FROM holdpoint.deliveries
           WHERE status = 'pending' AND topic = wanted.topic ORDER BY due_at LIMIT 1) AS next`,
        topics,
      );
      return optionalText(row?.due_at);
    },
    stuckDeliveries: async (limit) => {
      const rows = await sql.all(
        `SELECT * FROM holdpoint.deliveries WHERE status = 'stuck' ORDER BY id LIMIT $1`,
        limit,
      );
      return rows.map(deliveryFrom);
    },
  };
}

/** Writes deliveries; every change names the fence it saw. */
export function writeDeliveries(sql: Statements, now: string): DeliveryWriting {
  return {
    subscribeTopic: async (topic) => {
      await sql.run(
        `INSERT INTO holdpoint.delivery_topics (topic) VALUES ($1) ON CONFLICT DO NOTHING`,
        topic,
      );
    },
    insertDeliveries: async (rows) => {
      await sql.run(
        `INSERT INTO holdpoint.deliveries (id, topic, key, body, status, due_at, created_at)
         SELECT id, topic, key, body, 'pending', due_at, $1
         FROM unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[]) AS sent (id, topic, key, body, due_at)
         WHERE topic IN (SELECT topic FROM holdpoint.delivery_topics)
         ON CONFLICT (topic, key) DO NOTHING`,
        now,
        rows.map((row) => row.id),
        rows.map((row) => row.topic),
        rows.map((row) => row.key),
        rows.map((row) => row.body),
        rows.map((row) => row.dueAt),
      );
    },
    claimDeliveries: async (topic, lease, limit) => {
      const rows = await sql.all(
        `UPDATE holdpoint.deliveries SET attempts = attempts + 1, fence = fence + 1, lease_owner = $1, due_at = $2
         WHERE id IN (SELECT id FROM holdpoint.deliveries
           WHERE status = 'pending' AND topic = $3 AND due_at <= $4
           ORDER BY due_at, id LIMIT $5 FOR UPDATE SKIP LOCKED) RETURNING *`,
        lease.owner,
        lease.until,
        topic,
        now,
        limit,
      );
      return rows.map(deliveryFrom);
    },
    settleDelivery: async ({ id, fence }, { status, attempts, dueAt, error }) =>
      (await sql.run(
        `UPDATE holdpoint.deliveries SET status = $1, attempts = $2, due_at = $3, last_error = $4, lease_owner = NULL
         WHERE id = $5 AND fence = $6 AND status = 'pending'`,
        status,
        attempts,
        dueAt,
        error,
        id,
        fence,
      )) === 1,
    withdrawDeliveries: async (topic, keys) => {
      await sql.run(
        `DELETE FROM holdpoint.deliveries WHERE topic = $1 AND key = ANY($2) AND status <> 'delivered'`,
        topic,
        keys,
      );
    },
    redriveDelivery: async (id) =>
      (await sql.run(
        `UPDATE holdpoint.deliveries SET status = 'pending', attempts = 0, fence = fence + 1, due_at = $1
         WHERE id = $2 AND status = 'stuck'`,
        now,
        id,
      )) === 1,
  };
}
